# The programs of docs/matlab.md: results in Octave, and the library called by it, with the numbers of the command to the bit.
. "$SOURCE/tests/check.sh"
[ -z "$SANITIZE" ] || skip "an interpreter without sanitizers cannot load a library that has them"
need cmake pkg-config octave-cli mkoctfile

cmake --install "$BUILD" --prefix "$work/installed" >/dev/null
PKG_CONFIG_PATH=$(dirname "$(find "$work/installed" -name manylink.pc)")
export PKG_CONFIG_PATH
LD_LIBRARY_PATH=$(pkg-config --variable=libdir manylink)
export LD_LIBRARY_PATH
commands docs/matlab.md
mv blocks/02.yaml held.yaml
mv blocks/03.c manylink_call.c
sh -e blocks/04.sh

# The page as it is, and the bits of three points.
cat blocks/01.matlab blocks/05.matlab >page.m
cat >bits.m <<'END'
gains = {'forces.hold.kp', 'forces.hold.ki', 'forces.hold.kd'};
many = manylink_call('held.yaml', gains, [20 30 40; 3 3 3; 2 2 2]);
fprintf('%.17g %.17g\n', [squeeze(many.ise) squeeze(many.end_angle)]');
try
    manylink_call('held.yaml', {'forces.hold.kq'}, 1);
catch e
    disp(e.message)
end
swept = manylink_call('swept.yaml', {'forces.hold.kp'}, [20 30]);
disp(size(swept.end_angle))
END
sed 's/^analyse.*/sweep: [{set: forces.hold.kd, values: [1, 2, 3, 4]}]/; s/segments: \[/segments: [{name: base, length: 1, mass: 1}, /' held.yaml >swept.yaml
expect 0 octave-cli --no-init-file page.m
says out "ise 0.1839"
says out "cost 0.115690"
expect 0 octave-cli --no-init-file bits.m
says out 'unknown key `kq`'
says out "2   4   2"
for kp in 20 30 40; do
    "$MANYLINK" run held.yaml --set forces.hold.kp=$kp -o held.h5 -q --restart 2>/dev/null
    "$MANYLINK" table held.h5 | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) { sub(/ .*/, "", $i); column[$i] = i } next }
        { print $column["ise.rod"], $column["end_angle.rod"] }'
done >wanted 2>/dev/null
head -n 3 out | diff - wanted || fail "other numbers than those of the command"
