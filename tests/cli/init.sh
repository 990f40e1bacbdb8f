# label: values
# Every study to start from is the file it was made of, is one that manylink takes, says what it is for,
# and is run in seconds.
. "$SOURCE/tests/check.sh"
need timeout gnuplot

expect 0 "$MANYLINK" init
sed '/^classical systems/,$d' out >list
names=$(sed -n 's/^  \([a-z]*\)  .*/\1/p' list | grep .)
[ "$(echo "$names" | sort)" = "$(cd "$SOURCE/src/cli/templates" && ls ./*.yaml | sed 's/^..//; s/\.yaml$//' | sort)" ] ||
    fail "not what is there: $(cat list)"
for name in chain arm reach pid inverse; do
    echo "$names" | grep -qx $name || fail "no template $name"
done
for name in $names; do
    expect 0 "$MANYLINK" init "$name"
    mv out "$name.yaml"
    cmp "$name.yaml" "$SOURCE/src/cli/templates/$name.yaml"
    sentence=$(sed -n '1s/^# //p' "$name.yaml")
    [ -n "$sentence" ] || fail "$name.yaml does not begin with what it is for"
    tr -s ' \n' '  ' <list | grep -qF "$name $sentence" || fail "$name: the list has another sentence: $(cat list)"
    expect 0 "$MANYLINK" plan "$name.yaml"
    [ ! -s err ] || fail "$name.yaml has notices: $(cat err)"
    expect 0 timeout 120 "$MANYLINK" run "$name.yaml" --quiet
    # what it says can be done with it, is done as it says
    sed -n 's/^# *//; s/.*\(manylink \(inverse\|plot\) STUDY[^,;]*\).*/\1/p' "$name.yaml" |
        sed "s/STUDY/$name/; s/^manylink //" >commands
    while read -r command; do
        case $command in
        *--motion*) continue ;;
        esac
        # shellcheck disable=SC2086 # words of a command
        expect 0 "$MANYLINK" $command
    done <commands
done
expect 0 "$MANYLINK" inverse inverse.yaml

expect 2 "$MANYLINK" init pendulum
says err 'cannot make `pendulum`: no study to start from has that name; `manylink init` lists them'
expect 2 "$MANYLINK" init chain arm
