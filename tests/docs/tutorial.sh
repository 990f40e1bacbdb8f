# label: values
# Every command of docs/tutorial.md runs, in its order, with the exit code that the page says, and prints
# the lines that stand below it, but for their numbers.
. "$SOURCE/tests/check.sh"
[ "$TOOLS" = 1 ] || skip "the page has commands of tools"
[ -z "$SANITIZE" ] || skip "the build without sanitizers runs it"
need gnuplot
need_python

# Lines without what depends on machine and time.
shape()
{
    sed -E 's/[0-9][0-9.e+-]*/N/g
        s/\((vN|baseline)[^)]*\)/(ISA)/
        s/N [kMG]?(B|steps|step)/N \1/g
        s/N min N s|N ms/N s/g
        s/threads/thread/g' "$@"
}

commands docs/tutorial.md
rm bin/manylink
cat >bin/manylink <<END # the map for a shorter time
#!/bin/sh
case "\$1 \$2" in "run map.yaml") set -- "\$@" --set time.end=10 ;; esac
exec "$MANYLINK" "\$@"
END
chmod +x bin/manylink
for block in blocks/*; do
    case $block in
    *.yaml)
        cp "$block" "$(sed -n '1s/^# //p' "$block")"
        ;;
    *.sh)
        : >printed
        while read -r command; do
            code=0
            sh -c "$command" >>printed 2>&1 || code=$?
            case $command in
            *"# exit code"*"$code"*) ;;
            *) [ $code = 0 ] || fail "exit code $code: $command: $(cat printed)" ;;
            esac
        done <"$block"
        ;;
    *.python)
        "$PYTHON" "$block" >printed
        ;;
    *.text)
        [ -s printed ] || continue
        shape printed >printed.shape
        shape "$block" | while read -r line; do
            [ "$line" = ... ] || grep -qF -e "$line" printed.shape ||
                fail "$block: nothing like this was printed: $line"
        done
        ;;
    esac
done
for picture in first-stick map gains-settling_time gains.run-289-angle; do
    { [ -s $picture.png ] && [ -s "$SOURCE/docs/gallery/$picture.png" ]; } || fail "no $picture.png"
done
same again.h5 merged.h5
