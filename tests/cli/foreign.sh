# Results with structure that this program never writes, sealed as if it had, or read with --changed:
# every command works or refuses it with a text that can be printed.
. "$SOURCE/tests/check.sh"
need_python

cat >s.yaml <<'STUDY'
manylink: 1
title: A double pendulum
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.5, mass: 1}]}
time: {step: 0.01, end: 0.1}
sweep:
  - {set: initial.angle.a, from: 0.1, to: 1, count: 4}
  - {set: initial.angle.b, from: 0.1, to: 1, count: 3}
save: {trajectory: {every: 2, quantities: [angle, rate, end_position]}}
accuracy: 4
STUDY
expect 0 "$MANYLINK" run s.yaml -o s.h5 -q
code=0
"$PYTHON" "$SOURCE/tests/results/make_foreign.py" s.h5 >cases || code=$?
[ "$code" = 0 ] || fail "make_foreign.py failed"
[ "$(wc -l <cases)" -gt 20 ] || fail "cases are missing"

mkdir temporary
TMPDIR=$PWD/temporary
export TMPDIR
: >refusals

# endures CASE COMMAND...: its exit code is one of ours, and what it prints can be shown.
endures()
{
    case=$1
    shift
    rm -rf m.h5* i.h5 pictures page.html
    code=0
    timeout 100 "$MANYLINK" "$@" >out 2>err || code=$?
    [ "$code" -le 3 ] || {
        cat err >&2
        fail "exit code $code: $*"
    }
    cat out err >text
    iconv -f UTF-8 -t UTF-8 text >iconv.out || fail "not UTF-8: $*"
    ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" text || fail "not printable: $*"
    [ "$code" = 0 ] || sed "s/^/$case: $1: /" err >>refusals
}

# draws N: the changed result in one of so many ways.
n_way=9
draws()
{
    case $1 in
    0) set -- ;;
    1) set -- end_angle --run 3 ;;
    2) set -- angle --run 3 ;;
    3) set -- outcome ;;
    4) set -- end_angle --histogram ;;
    5) set -- angle --bands ;;
    6) set -- --x angle.a --y angle.b --run 0 ;;
    7) set -- angle --run 0,3 ;;
    8) set -- stick ;;
    esac
    endures "$name" plot "$changed" "$@" --changed --script pictures
}

ways=$(seq 0 $((n_way - 1))) n=0
while read -r name; do
    sealed=$name-sealed.h5 changed=$name-changed.h5
    endures "$name" verify "$sealed" --runs 12 --threads 1
    endures "$name" info "$sealed"
    endures "$name" status "$sealed"
    endures "$name" merge "$sealed" --partial -o m.h5 -q
    endures "$name" run s.yaml -o "$sealed" -q
    endures "$name" inverse s.yaml --motion "$sealed" -o i.h5
    endures "$name" plot "$sealed" end_angle --script pictures
    endures "$name" report "$sealed" -o page.html
    endures "$name" info "$changed" --changed
    endures "$name" table "$sealed"
    endures "$name" export "$sealed" --run 3 -o motion.sto
    endures "$name" export "$sealed" --run 3 -o motion.mat
    [ -z "$SANITIZE" ] || ways=$((n % n_way)) # a process takes long to begin there: they take turns
    for way in $ways; do
        draws "$way"
    done
    n=$((n + 1))
done <cases
[ -z "$SANITIZE" ] || exit 0 # the build without sanitizers sees what each is told

# refused CASE COMMAND TEXT: so it was.
refused()
{
    grep -F "$1: $2: " refusals | grep -qF -e "$3" || {
        grep "^$1: " refusals >&2 || true
        fail "$2 of $1 lacks: $3"
    }
}
refused two_resolved verify "/study/resolved is text [2], and must be one text"
refused two_definition merge "/study/definition is text [2], and must be one text"
refused two_title info "/study/title is text [2], and must be one text"
refused no_resolved run "/study/resolved is text [0], and must be an array with values"
refused no_title plot "/study/title is text [0], and must be an array with values"
refused number_title info "/study/title is one float, and must be one text"
refused old_list plot "DIMENSION_LIST of /study/summary/end_angle is list [3], and must be a list [1] of references"
refused number_list plot "DIMENSION_LIST of /study/summary/end_angle is one integer, and must be a list [3]"
refused empty_axis plot "/study/runs/initial.angle.a is float [0], and must be an array with values"
refused empty_outcome status "/study/runs/outcome is integer [12 x 0], and must be an array with values"
refused negative_outcome plot "the outcome in row 0 is -1; there are 0 to"
refused negative_outcome run "the outcome in row 0 is -1; there are 0 to"
refused null_trajectory plot "/study/trajectories/angle is float without values, and must be"
refused null_trajectory inverse "/study/trajectories/angle is float without values, and must be"
refused text_outcome verify "/study/runs/outcome is text [12], and must be integer [12]"
refused text_angle verify "/study/summary/end_angle is text [12], and must be float [4 x 3 x 2]"
refused huge_angle plot "[1073741824 x 1073741824], and must be no larger than what 0 stored bytes can hold"
refused number_units info "units of /study/summary/end_angle is float [3], and must be one text"
refused two_signals plot 'cannot draw `a`: the result has no such numbers'
refused two_formats status "manylink_format of / is integer [2], and must be one integer"
refused text_accuracy info "/study/accuracy/run is text [4], and must be integer [4]"
refused falling_accuracy merge "/study/accuracy/run is no ascending list of runs"
refused huge_accuracy info "[1099511627776], and must be no larger than what 0 stored bytes can hold"
refused named_accuracy verify "/study/accuracy/quantity is text [70000], and must be at most 65536 texts"
refused narrow_accuracy verify "/study/accuracy has other outputs than its study"
refused short_accuracy merge "/study/accuracy/finer/end_angle is float [2 x 2], and must be 2 numbers of 4 runs"
refused elsewhere verify "has no dataset /study/summary/end_angle"
refused outside info "/study/summary/end_angle is float [12 x 2], and must be in the file itself"

# Entries that a dimension has not leave the view that follows from the shape.
for file in s negative_dims-sealed; do
    expect 0 "$MANYLINK" report $file.h5 -o $file.html
    grep -o '"signal":"[^"]*","style":"[^"]*","dims":[^"]*' $file.html >$file.views || fail "$file.html has no views"
done
cmp s.views negative_dims-sealed.views || fail "negative dims are read: $(cat negative_dims-sealed.views)"

# A folder is told from a file.
mkdir folder
for command in info verify status; do
    expect 2 "$MANYLINK" "$command" folder
    says err "folder: is a folder, not a result"
done
expect 2 "$MANYLINK" merge folder -o m.h5
says err "folder: is a folder, not a result"
