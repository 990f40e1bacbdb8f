# Man pages are ones that groff takes without a word, and bash completes command lines.
. "$SOURCE/tests/check.sh"
need groff man bash

expect 0 "$MANYLINK" --completion
mv out completion
commands=$(sed -n 's/^    \*-\([a-z-]*\))$/\1/p' completion)
"$MANYLINK" --man | sed -n 's/.*manylink\\-\([a-z-]*\) (1).*/\1/p' >named
[ "$commands" = "$(cat named)" ] || fail "the page of manylink names other commands: $(cat named)"
for command in "" $commands; do
    # shellcheck disable=SC2086 # none for the page of manylink itself
    expect 0 "$MANYLINK" --man $command
    mv out page.1
    expect 0 env MANROFFOPT= MAN_KEEP_FORMATTING= man --warnings -l page.1
    [ ! -s err ] || fail "page of $command: $(cat err)"
    [ ! -e "$BUILD/pages" ] || cmp page.1 "$BUILD/pages/man/man1/manylink${command:+-$command}.1"
done
expect 2 "$MANYLINK" --man nonsense
says err '`nonsense`'

# ask WORDS...: what bash offers for the last one
ask()
{
    bash -c '. ./completion
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _manylink
        printf "%s " "${COMPREPLY[@]}"' bash "$@" >offered 2>&1
}
offers()
{
    [ "$(cat offered)" = "$1" ] || fail "not '$1' is offered, but '$(cat offered)'"
}
touch study.yaml result.h5 notes.txt
ask manylink ev
offers "evaluate "
ask manylink run --ti
offers "--time-limit "
ask manylink run study.yaml --kernel ""
offers "auto general made "
ask manylink plan stu
offers "study.yaml "
ask manylink info ""
case " $(cat offered)" in
*" result.h5 "*) ;;
*) fail "no result is offered: $(cat offered)" ;;
esac
! grep -q "notes.txt\|study.yaml" offered || fail "not a result: $(cat offered)"
ask manylink run study.yaml -o notes
offers "notes.txt "
ask manylink list ind
offers "indicators "
ask manylink init pi
offers "pid "
ask manylink run --threads ""
offers " "
bash -n completion || fail "not a script"
