# What test scripts share; each begins with `. "$SOURCE/tests/check.sh"`. CTest gives
#   SOURCE    repository            BUILD   build directory     CC        compiler
#   MANYLINK  command               LIBRARY library             SANITIZE  sanitizers, or empty
#   PYTHON    interpreter
# A script runs in an empty directory of its own and stops at the first command that fails.
set -eu
test_name=${0#"$SOURCE"/tests/}
work=$BUILD/tests/${test_name%.sh}
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# A program that is killed where LLVM's OpenMP starts leaves an empty file of its process number in shared memory: the
# next process of that number reads beyond the end of it, and ends with a bus error.
find /dev/shm -maxdepth 1 -name '__KMP_REGISTERED_LIB_*' -size 0 -mmin +1 -delete 2>/dev/null || true

held= # a process that is stopped
fail()
{
    echo "$*" >&2
    [ -z "$held" ] || kill -KILL "$held"
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

# need_python [MODULE]...: $PYTHON has all modules that tests import, and these.
need_python()
{
    "$PYTHON" - numpy scipy h5py xarray netCDF4 h5netcdf yaml jsonschema "$@" >lacks <<'END' || skip "$PYTHON has no$(cat lacks)"
import importlib.util
import sys

lacks = [name for name in sys.argv[1:] if not importlib.util.find_spec(name)]
print("", *lacks)
sys.exit(bool(lacks))
END
    rm lacks
}

# use_package MODULE...: `python` has the package of python/ with the shared library, and these modules.
use_package()
{
    [ -z "$SANITIZE" ] || skip "an interpreter without sanitizers cannot load a library that has them"
    need_python "$@"
    export MANYLINK_LIBRARY="$BUILD/libmanylink.so" PYTHONPATH="$SOURCE/python" PYTHONDONTWRITEBYTECODE=1
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

# same A.h5 B.h5...: equal to the bit; the build without sanitizers compares.
same()
{
    [ -z "$SANITIZE" ] || return 0
    "$PYTHON" "$SOURCE/tests/results/compare_results.py" "$@" >differences || {
        cat differences >&2
        fail "not the same: $*"
    }
}

# build_preset PRESET [TARGET]: builds what of it is not up to date, in $SOURCE/build/PRESET.
build_preset()
{
    (cd "$SOURCE" && cmake --preset "$1" && cmake --build --preset "$1" ${2:+--target "$2"}) >"$work/built" 2>&1 ||
        fail "$(cat "$work/built")"
}

# instruction_sets: those the command can run here, slowest first.
instruction_sets()
{
    "$MANYLINK" --version | sed -n 's/.*instruction sets of this machine: \(.*\))/\1/p' | grep . ||
        fail "--version names no instruction sets"
}

# makes_kernels: whether kernels of studies are made here that tests compare: they have no sanitizers.
makes_kernels()
{
    [ -z "$SANITIZE" ] && [ "$(instruction_sets)" != baseline ]
}

# blocks RESULT.h5: how many blocks are done of a result that is not finished.
blocks()
{
    "$MANYLINK" status "$1" >status.out 2>&1 || true
    sed -n '1s/.*: \([0-9]*\) of [0-9]* blocks are done.*/\1/p' status.out | grep . || echo 0
}

# print_chain STEPS COUNT: a study of so many runs of a double pendulum, to be added to.
print_chain()
{
    cat <<END
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
initial: {angle: {1: 2, 2: 1}}
time: {step: 1e-3, end: $1e-3}
sweep: [{set: initial.angle.1, from: -3, to: 3, count: $2}]
END
}

# steps_in STUDY SECONDS MULTIPLE: prints how many steps one thread makes of every run of the study in
# that time on this machine, about, as a multiple: what a test looks at while it is computed must
# take long enough.
steps_in()
{
    expect 0 "$MANYLINK" plan "$1"
    awk -v seconds="$2" -v multiple="$3" '
        $1 == "runs" { runs = $2 }
        $1 == "estimate" {
            for (i = 1; i < NF && $i !~ /^steps/; i++) unit = $i
            rate = $(i - 2) * 10 ^ (3 * index("kMG", unit))
            printf "%d", (1 + int(rate * seconds / runs / multiple)) * multiple
        }' out
}

# journal_bytes RESULT: bytes of all blocks that are done of a result that is not finished.
journal_bytes()
{
    cat "$1".parts/blocks-* 2>/dev/null | wc -c
}

# build_kill_at: ./kill_at.so, which kills or stops a process in a call of its own.
build_kill_at()
{
    [ -e kill_at.so ] || "${CC:-cc}" -shared -fPIC -o kill_at.so "$SOURCE/tests/fault/kill_at.c" -ldl
}

# hold RESULT COMMAND...: begins it, in `process`, which stops once it has done a block, or $after of them, however
# busy the machine is; what it prints is in ./held.out and ./held.err.
hold()
{
    build_kill_at
    result=$1
    shift
    STOP_AFTER=${after:-1} STOP_IN=/$(basename "$result").parts/blocks- LD_PRELOAD=$PWD/kill_at.so "$@" >held.out 2>held.err &
    process=$!
    state=
    while [ "$state" != T ]; do
        state=$(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' /proc/$process/status)
        [ "$state" != Z ] || fail "it ended before it had done a block: $* $(cat held.err)"
        sleep 0.01
    done
    held=$process
}

# let_go CODE TEXT: it goes on, ends with this code, and prints the text to stderr; ./out and ./err
# are its own.
let_go()
{
    kill -CONT "$held"
    code=0
    wait "$held" || code=$?
    held=
    mv held.out out
    mv held.err err
    [ $code = "$1" ] || fail "exit code $code, not $1: $(cat err)"
    says err "$2"
}

# stops RESULT COMMAND...: once it has done a block, or $after of them, it is asked to
stops()
{
    hold "$@"
    kill -TERM "$process" # not INT: a shell makes its background processes ignore it
    let_go 130 "continues from there"
}

# kill_held: without a chance to clean up
kill_held()
{
    kill -KILL "$held"
    wait "$held" 2>/dev/null || true
    held=
}

# block LANGUAGE PAGE: the first block of code in that language of a page of the repository.
block()
{
    awk -v fence="\`\`\`$1" '/^```$/ && on { exit } on { print } $0 == fence { on = 1 }' "$SOURCE/$2"
}

# commands PAGE: its blocks of code one by one, ./blocks/NUMBER.LANGUAGE; `manylink` is the command that
# is tested.
commands()
{
    mkdir blocks bin
    awk '/^```$/ && name { close(name); name = ""; next }
        /^```[a-z]+$/ { name = sprintf("blocks/%02d.%s", ++n, substr($0, 4)); next }
        name { print >name }' "$SOURCE/$1"
    ln -s "$MANYLINK" bin/manylink
    PATH=$work/bin:$PATH
}
