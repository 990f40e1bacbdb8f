# What test scripts share; each begins with `. "$SOURCE/tests/check.sh"`. CTest gives
#   SOURCE    repository            BUILD   build directory     CC        compiler
#   MANYLINK  command               LIBRARY library             SANITIZE  sanitizers, or empty
#   PYTHON    interpreter with h5py, if any
# A script runs in an empty directory of its own and stops at the first command that fails.
set -eu
test_name=${0#"$SOURCE"/tests/}
work=$BUILD/tests/${test_name%.sh}
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail()
{
    echo "$*" >&2
    exit 1
}

skip()
{
    echo "skipped: $*"
    exit 77
}

need()
{
    for tool; do
        command -v "$tool" >/dev/null || skip "no $tool"
    done
}

# expect CODE COMMAND...: the exit code must be CODE; what it prints is in ./out and ./err.
expect()
{
    wanted=$1
    shift
    code=0
    "$@" >out 2>err || code=$?
    [ "$code" = "$wanted" ] || {
        cat out err >&2
        fail "exit code $code, not $wanted: $*"
    }
}

# says out|err TEXT: the last command printed TEXT there.
says()
{
    grep -qF -e "$2" "$1" || {
        cat "$1" >&2
        fail "std$1 lacks: $2"
    }
}

# same A.h5 B.h5...: equal to the bit. Skips the test without h5py.
same()
{
    code=0
    "$PYTHON" "$SOURCE/tests/results/compare_results.py" "$@" >differences || code=$?
    [ "$code" != 77 ] || skip "$(cat differences)"
    [ "$code" = 0 ] || {
        cat differences >&2
        fail "not the same: $*"
    }
}

# blocks RESULT.h5: how many blocks are done of a result that is not finished.
blocks()
{
    "$MANYLINK" status "$1" >status.out 2>&1 || true
    sed -n '1s/.*: \([0-9]*\) of [0-9]* blocks are done.*/\1/p' status.out | grep . || echo 0
}
