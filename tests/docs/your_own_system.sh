# label: values
# Every study and command of docs/your_own_system.md runs, with the exit code that the page says and what it prints.
. "$SOURCE/tests/check.sh"
[ -z "$SANITIZE" ] || skip "the build without sanitizers runs it"
need gnuplot
need_python

commands docs/your_own_system.md
for block in blocks/*; do
    case $block in
    *.yaml) cp "$block" "$(sed -n '1s/^# //p' "$block")" ;;
    *.python) "$PYTHON" "$block" ;;
    *.text) grep -qF -f "$block" printed || fail "not printed: $(cat "$block" printed)" ;;
    *.sh)
        while read -r command; do
            code=0
            sh -c "$command" >printed 2>&1 || code=$?
            case $command in
            *"# exit code $code") ;;
            *) [ $code = 0 ] || fail "exit code $code: $command: $(cat printed)" ;;
            esac
        done <"$block"
        ;;
    esac
done
for picture in lorenz-lyapunov_spectrum spring_pendulum standard_map; do
    ls $picture*.png >pictures || fail "no picture of $picture"
done
