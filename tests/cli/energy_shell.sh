# label: values
# Points on an energy shell against quadratures of Liouville's measure, at the start and, as motion keeps the measure, at the end;
# the same bits from shards, the resolved text and `extend`; what has no such points.
. "$SOURCE/tests/check.sh"
need_python

cat >chain.yaml <<'END'
manylink: 1
system: {type: chain, angles: segment, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 2}]}
forces: [{name: hook, type: spring, segment: upper, at: 1, anchor: [0.3, -0.4], stiffness: 4}]
accuracy: off
time: {step: 2e-3, end: 2}
sample:
  count: 16384
  seed: 5
  energy_shell: 6
  over: [{set: initial.angle.lower, from: -pi, to: pi}, {set: initial.angle.upper, from: -pi, to: pi}]
END
sed 's/angles: segment/angles: joint/; s/over: .*/over: [{set: initial.angle.upper, from: -pi, to: pi}, {set: initial.angle.lower, from: -pi, to: pi}]/' chain.yaml >joint.yaml
sed 's/mass: 2}\]/mass: 2}, {name: end, length: 0.7, mass: 1}]/; s/-pi, to: pi}]/-pi, to: pi}, {set: initial.angle.end, from: -pi, to: 2}]/; s/_shell: 6/_shell: -2/; s/end: 2/end: 0.01/' chain.yaml >three.yaml
cat >heiles.yaml <<'END'
manylink: 1
system: {type: henon_heiles}
accuracy: off
time: {step: 0.02, end: 30}
sample: {count: 16384, energy_shell: 0.125, over: [{set: initial.x, from: -0.8, to: 0.8}, {set: initial.y, from: -0.5, to: 0.8}]}
END
cat >bead.yaml <<'END'
manylink: 1
system:                                   # a pendulum on a cart, of energies by formulas
  type: equations
  parameters: {m: 1, k: 2, l: 0.5}
  coordinates: {x: 0, phi: 0}
  kinetic: m*x_rate^2 + m*l*cos(phi)*x_rate*phi_rate + m*l^2*phi_rate^2/2
  potential: k*x^2/2 - m*9.81*l*cos(phi)
accuracy: off
time: {step: 2e-3, end: 2}
sample: {count: 16384, energy_shell: 1, over: [{set: initial.x, from: -3, to: 3}, {set: initial.phi, from: -pi, to: pi}]}
END
for name in chain joint three heiles bead; do
    expect 0 "$MANYLINK" run $name.yaml -o $name.h5
done
"$PYTHON" "$SOURCE/tests/cli/energy_shell.py"

# The same points from shards, from the resolved text, and of a longer sample.
for k in 0 1; do
    expect 0 "$MANYLINK" run three.yaml --shard $k/2 -o part$k.h5
done
expect 0 "$MANYLINK" merge part0.h5 part1.h5 -o merged.h5
same merged.h5 three.h5
"$PYTHON" -c 'import h5py; print(h5py.File("merged.h5")["study/resolved"].asstr()[()])' >resolved.yaml
expect 0 "$MANYLINK" run resolved.yaml -o merged.h5
says out "finished already"
expect 0 "$MANYLINK" run three.yaml --set sample.count=3000 -o short.h5
expect 0 "$MANYLINK" extend short.h5 --samples 16384
same short.h5 three.h5
expect 0 "$MANYLINK" plan chain.yaml
says out "points of an energy shell"

# refused TEXT SCRIPT [FILE]
refused()
{
    sed "$2" "${3:-chain.yaml}" >wrong.yaml
    expect 2 "$MANYLINK" plan wrong.yaml
    says err "$1"
}
refused 'system `lorenz` is not known by coordinates' 's/type: henon_heiles/type: lorenz/; s/initial.x/initial.y/; s/initial.y/initial.x/' heiles.yaml
refused 'shell of 1 coordinate: draws are for 2 to 16' 's/type: henon_heiles/type: duffing/; s/, {set: initial.y[^}]*}//' heiles.yaml
refused 'the total energy changes, by a force' 's/^forces: \[/&{name: brake, type: damper, joint: lower, coefficient: 0.1}, /'
refused 'the lowest potential energy is -' 's/_shell: 6/_shell: -60/'
refused 'fewer than 1 of 1000 points' 's/_shell: 0.125/_shell: 1e-4/' heiles.yaml
refused '`over` lacks coordinate `initial.angle.upper`; add {set' 's/, {set: initial.angle.upper[^}]*}//'
refused '`initial.rate.upper` is no coordinate' 's/initial.angle.upper/initial.rate.upper/'
refused 'give `from` and `to` alone' 's/from: -pi, to: pi}\]/distribution: normal, mean: 0, sd: 1}]/'
refused 'as one number on an energy shell' 's/set: initial.angle.lower, /set: [initial.angle.lower, initial.angle.upper], /; s/, {set: initial.angle.upper.*}//'
refused 'key `method` excludes `energy_shell`' 's/  count:/  method: sobol\n&/'
refused 'key `design` excludes `energy_shell`' 's/  count:/  design: saltelli\n&/'
refused 'cannot draw from an energy shell beside `sweep`' 's/^sample/sweep: [{set: system.segments.upper.mass, values: [1, 2]}]\n&/'
refused 'both determine the rates' 's/^time/initial: {energy: 5}\n&/'
expect 2 "$MANYLINK" plan chain.yaml --set initial.angle.upper=1
says err 'all coordinates and rates on an energy shell are drawn'
