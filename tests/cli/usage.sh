# Help, version and complaints about the command line itself.
. "$SOURCE/tests/check.sh"

expect 0 "$MANYLINK" --help
commands=$(sed -n 's/^  \([a-z]*\)  .*/\1/p' out)
for command in run plan evaluate inverse info plot list schema; do
    case " $(echo "$commands" | tr "\n" " ") " in
    *" $command "*) ;;
    *) fail "--help does not name $command" ;;
    esac
done
for command in $commands; do
    expect 0 "$MANYLINK" "$command" --help
    says out "usage: manylink $command"
    expect 2 "$MANYLINK" "$command" --no-such-option
    says err "manylink $command"
done
for command in run plan evaluate inverse info plot; do
    expect 2 "$MANYLINK" "$command"
    says err "manylink $command --help"
done

expect 0 "$MANYLINK" --version
says out "manylink $(sed -n 's/.*ML_VERSION "\(.*\)"/\1/p' "$SOURCE/include/manylink/version.h") "
expect 2 "$MANYLINK"
says err "usage:"
expect 2 "$MANYLINK" runs
says err '`runs`'
expect 2 "$MANYLINK" run --threads many study.yaml
says err "--threads many"
[ -z "$(find . -name '*.h5*')" ] || fail "something was written"
