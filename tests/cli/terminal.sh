# What is for people: mistyped words, files of another kind, columns and colours on a terminal.
. "$SOURCE/tests/check.sh"
need_python

cat >rod.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}]}
initial: {angle: 1}
time: {step: 1e-2, end: 1}
sweep: [{set: initial.rate.1, values: [0, 3]}]
END
expect 0 "$MANYLINK" run rod.yaml

expect 2 "$MANYLINK" rum rod.yaml
says err 'no command `rum`; did you mean `run`? There are: init'
expect 2 "$MANYLINK" best rod.h5 energy_drfit
says err 'did you mean `energy_drift`? There are:'
expect 2 "$MANYLINK" run rod.h5
says err 'this is an HDF5 file, such as a result, and a study is YAML; `manylink info`'
expect 2 "$MANYLINK" plot rod.yaml
expect 2 "$MANYLINK" report none.h5
expect 2 "$MANYLINK" status rdo.h5
says err "not begun, and no study rdo.yaml is here"
expect 2 "$MANYLINK" status --json rdo.h5
rm rod.h5
expect 0 "$MANYLINK" status rod.h5
says out "rod.h5: not begun"
expect 0 "$MANYLINK" run rod.yaml

# see COMMAND...: what a terminal shows, with escapes as words.
see()
{
    "$PYTHON" -c 'import os, pty, sys
with open("seen", "wb") as seen:
    def read(fd):
        data = os.read(fd, 1 << 16)
        seen.write(data)
        return data
    pty.spawn(sys.argv[1:], read)' "$@" >/dev/null
    tr -d '\r' <seen | sed 's/\x1b\[\([0-9;]*\)m/<\1>/g' >shown
}
export TERM=xterm
unset NO_COLOR
see "$MANYLINK" table rod.h5 --columns run,initial.rate.1,end_angle
cat >wanted <<'END'
         run  initial.rate.1 (rad/s)  end_angle.1 (rad)
END
head -1 shown | cmp - wanted || fail "$(cat shown)"
[ "$(awk "{ print length }" shown | uniq | wc -l)" = 1 ] || fail "columns are not aligned: $(cat shown)"
expect 0 "$MANYLINK" table rod.h5 --columns run,initial.rate.1,end_angle
end=$(sed -n '3s/.*,//p' out)
[ ${#end} -gt 12 ] || fail "a pipe has six digits"
[ "$(sed -n 3p shown | awk '{ print $3 }')" = "$(printf %.6g "$end")" ] || fail "not six digits of $end: $(cat shown)"

see "$MANYLINK" run none.yaml
says shown "<1;31>error:<0> none.yaml"
sed 's/angle: 1/angle: 90/' rod.yaml >turns.yaml
see "$MANYLINK" plan turns.yaml
says shown 'turns.yaml:3:18: <1;36>note:<0> `initial.angle.1` is 90 rad'
NO_COLOR=1 see "$MANYLINK" run none.yaml
! grep -q "<" shown || fail "colour in spite of NO_COLOR: $(cat shown)"
NO_COLOR=1 see "$MANYLINK" plan turns.yaml
says shown 'turns.yaml:3:18: note: `initial.angle.1`'
expect 2 "$MANYLINK" run none.yaml
! grep -q "error:" err || fail "a pipe has a word for people"
