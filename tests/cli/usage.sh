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

# What each mistake in a command line is answered with: what is wrong with what, and what is allowed.
refused()
{
    told=$1
    shift
    expect 2 "$MANYLINK" "$@"
    says err "manylink $1: $told"
    says err "\`manylink $1 --help\` prints its options"
    [ ! -s out ] || fail "it prints: $(cat out)"
}
refused "--no-such-option is not an option, or short for several; the options are: --threads --device --set" plan x.yaml --no-such-option
refused "--s is not an option, or short for several; the options are: --output" run x.yaml --s 1
refused "-x is not an option; the options are: --output" run x.yaml -x
refused "--output needs a value: --output OUT.h5" run x.yaml -o
refused "--set needs a value: --set PATH=VALUE" run x.yaml --set
refused "--quiet takes no value" run x.yaml --quiet=no
refused "--threads 0: a whole number from 1 to 65536" plan x.yaml --threads 0
refused "--seed -1: a whole number from 0 to 4294967295" verify x.h5 --seed -1
refused "--run first: a whole number from 0 on" run x.yaml --run first
refused "--kernel best: one of auto, general, made" run x.yaml --kernel best
refused "--time-limit 0: a time: 90, 90s" run x.yaml --time-limit 0
refused "--wait soon: 0 or a time: 90, 90s" run x.yaml --wait soon
refused "--time 90: a time of a minute or more, with its unit" slurm x.yaml --tasks 2 --time 90
refused "--from here: " plot x.h5 --from here
refused "--output : a file name cannot be empty" run x.yaml -o ""
refused "--script : a file name cannot be empty" plot x.h5 --script ""
refused "one of --run and --pick, only once" run x.yaml --run 1 --run 1
refused "--output OUT.h5 must be given: result file" merge x.h5
refused "--time T must be given: time limit of a task" slurm x.yaml --tasks 2
refused "give one study file" compile x.yaml y.yaml
refused "no results of shards given" merge -o x.h5
refused "it takes no arguments" schema x

# Nothing is lost of what was given before a mistake.
if [ -z "$SANITIZE" ]; then
    need valgrind
    for command in plan evaluate compile run inverse; do
        expect 2 valgrind -q --leak-check=full --error-exitcode=99 \
            "$MANYLINK" $command x.yaml --set a=1 --set b=2 --no-such-option
    done
    expect 2 valgrind -q --leak-check=full --error-exitcode=99 \
        "$MANYLINK" slurm x.yaml --sbatch -a --set b=2 --tasks many
fi

# Options may be shortened, joined to their value, and come after arguments; "--" ends them.
print_chain 20 4 >study.yaml
expect 0 "$MANYLINK" plan study.yaml --thr 1 --set=time.end=5e-3
says out "in 5 steps"
says out "on 1 thread,"
expect 0 "$MANYLINK" run -- study.yaml
rm study.h5

# The pages name every option that the help of its command names, and no other.
for command in $commands; do
    "$MANYLINK" "$command" --help | sed -n 's/^  \(-., \|    \)\(--[a-z-]*\).*/\2/p' | sort >in_help
    "$MANYLINK" --man "$command" | sed -n 's/^\(.*, \)\{0,1\}\\fB\(\\-\\-[a-z\\-]*\)\\fR.*/\2/p' | tr -d '\\' | sort >in_man
    cmp in_help in_man || fail "help and man page of $command differ: $(diff in_help in_man)"
    grep -q "\`*manylink $command" "$SOURCE/README.md" "$SOURCE"/docs/*.md || fail "no page names $command"
done
# What README.md and docs say on the command line is there: commands in lines of code, options on
# the same line as their command.
cat "$SOURCE/README.md" "$SOURCE"/docs/*.md | sed -n 's/^ *manylink \([a-z]*\) .*/\1/p' | sort -u >named
for command in $(cat named); do
    echo "$commands" | grep -qx "$command" || fail "a page names the command $command"
done
for command in $commands; do
    "$MANYLINK" "$command" --help >help
    cat "$SOURCE/README.md" "$SOURCE"/docs/*.md | sed 's/#.*//' | grep -o "manylink $command [^\`|]*" |
        grep -o -e '--[a-z][a-z-]*' | sort -u >named || true
    for option in $(cat named); do
        grep -q -e "$option\>" help || fail "a page gives $command the option $option"
    done
done

[ -z "$(find . -name '*.h5*')" ] || fail "something was written"
