# The command that a page of `report` offers to copy: whatever texts the result has, a shell reads no
# command in them, manylink no option, and a terminal no key.
. "$SOURCE/tests/check.sh"
need node

# command STUDY OPTIONS OVERRIDES: texts as the C library's printf reads them; ./words has a line for each
command()
{
    {
        cat "$SOURCE/src/report/text.js"
        sed -n '/^const linesOf/p; /^function commandOf/,/^}/p' "$SOURCE/src/report/run.js"
        cat <<'END'
const [study, options, overrides] = process.argv.slice(2);
const head = {provenance: {study, options, overrides}}, data = {runs: [3]}, view = {of: ""};
process.stdout.write(commandOf(0));
END
    } >command.js
    node command.js "$(printf "$1")" "$(printf "$2")" "$(printf "$3")" >command || fail "no command"
    ! LC_ALL=C grep -q "$(printf '[\001-\037\177]')" command || fail "keys for a terminal: $(cat -v command)"
    (
        manylink()
        {
            printf '%s\n' "$@"
        }
        eval "$(cat command)"
    ) >words
}
# is WORD...: what manylink is called with
is()
{
    printf '%s\n' "$@" >wanted
    cmp -s wanted words || fail "$(cat words)"
}
command /a/b/study.yaml 'motion=/m n.csv\nrun=4' 'time.end=2\nsystem.g=1'
is run /a/b/study.yaml --run 3 --motion '/m n.csv' --run 4 --set time.end=2 --set system.g=1
command '$(touch here).yaml' 'x; touch here #=1\nplugin=evil.so\nno line\nmotion=`touch here`' "a=';touch here;'"
is run '$(touch here).yaml' --run 3 --motion '`touch here`' --set "a=';touch here;'"
command '\055a\n/-q' 'run=\033[201~\025touch here\r\nrun\r=2' 'a=\025\177\t'
is run './-a?/-q' --run 3 --run "?[201~?touch here" --set 'a=???'
[ ! -e here ] || fail "a text is a command"
