# label: fault
# `run` with standard streams closed: what it prints goes nowhere, not into a file that is open in
# their place.
. "$SOURCE/tests/check.sh"
need_python
[ -d /proc/self/fd ] || skip "no /proc"

print_chain 300 1600 >study.yaml
echo 'save: {trajectory: {every: 300, runs: {every: 3}}}' >>study.yaml
expect 0 "$MANYLINK" run study.yaml -o reference.h5

number=0
for closed in '<&- 2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
    number=$((number + 1))
    hold $number.h5 sh -c "exec \"\$@\" $closed" sh "$MANYLINK" run study.yaml -o $number.h5 \
        --threads 1
    ls -l "/proc/$process/fd" >files
    for file in 0 1 2; do
        grep -q " $file -> " files || fail "$closed: descriptor $file is closed"
        if grep " $file -> .*parts" files; then
            fail "$closed: descriptor $file is of a file among the parts"
        fi
    done
    kill -CONT "$held"
    held=
    code=0
    wait "$process" || code=$?
    [ $code = 0 ] || fail "$closed: exit code $code"
    same $number.h5 reference.h5
done
