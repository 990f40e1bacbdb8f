# An axis that multiplies its keys, or gives several the same number, has runs and trajectories of the
# same axis written key by key, and is drawn over its own numbers.
. "$SOURCE/tests/check.sh"
need_python

cat >head.yaml <<'END'
manylink: 1
system:
  type: chain
  segments:
    - {name: upper, length: 1.0, mass: 1.0}
    - {name: lower, length: 0.5, mass: 0.8}
forces:
  - {name: p, type: damper, joint: upper, coefficient: 0.3}
  - {name: q, type: damper, joint: lower, coefficient: 0.7}
initial: {angle: {upper: 1, lower: 2}}
time: {step: 0.01, end: 1}
END
cat head.yaml - >scaled.yaml <<'END'
sweep:
  - {name: grip, set: [forces.p.coefficient, forces.q.coefficient],
     scale_by: {from: 0.25, to: 4, count: 5, scale: log}}
  - {name: mass, set: [system.segments.upper.mass, system.segments.lower.mass], from: 1, to: 2, count: 3}
END
cat head.yaml - >listed.yaml <<'END'
sweep:
  - {name: grip, set: [forces.p.coefficient, forces.q.coefficient],
     values: [[0.3/4, 0.7/4], [0.3/2, 0.7/2], [0.3, 0.7], [0.3*2, 0.7*2], [0.3*4, 0.7*4]]}
  - {name: mass, set: [system.segments.upper.mass, system.segments.lower.mass],
     values: [[1, 1], [1.5, 1.5], [2, 2]]}
END
for study in scaled listed; do
    expect 0 "$MANYLINK" run --quiet $study.yaml -o $study.h5
    expect 0 "$MANYLINK" verify $study.h5
done
# A key that an option fixes is not multiplied, whatever it is.
cat head.yaml - >numbered.yaml <<'END'
sweep:
  - {name: grip, set: [forces.p.coefficient, forces.q.coefficient],
     scale_by: {from: 0.25, to: 4, count: 5, scale: log}}
  - {set: [system.segments.upper.mass, system.segments.lower.mass], from: 1, to: 2, count: 3}
END
for fixed in forces.p.coefficient=0 forces.q.coefficient=9e11; do
    expect 0 "$MANYLINK" plan numbered.yaml --set $fixed
    says err 'removes this key from axis `grip`'
    expect 0 "$MANYLINK" plan numbered.yaml --set $fixed --set sweep.grip.scale_by.values=[1,3]
    says err 'removes this key from axis `grip`'
done
expect 2 "$MANYLINK" plan numbered.yaml --set sweep.grip.scale_by.to=1e13
says err 'but must be'

# The nearest run far outside of the axes; a log axis has one sign.
while read -r run picked; do
    expect 0 "$MANYLINK" run numbered.yaml --pick "$picked" -o far.h5
    says err "run $run of 15: "
    rm far.h5
done <<'LIST'
0 grip=1e-200,axis2=1
8 grip=1, axis2=1e200
12 grip=1e200, axis2=-1e200
LIST
for factor in -1 0; do
    expect 2 "$MANYLINK" run numbered.yaml --pick grip=$factor,axis2=1
    says err "\`grip\` is swept on a log scale, which has no $factor"
done
expect 2 "$MANYLINK" run numbered.yaml --pick gripp=1,axis2=1
says err 'the nearest swept key is `grip`'

# Options have the names of axes that notes have, and take the place of what the file gives.
runs() # NUMBER OPTION...
{
    number=$1
    shift
    expect 0 "$MANYLINK" plan numbered.yaml "$@"
    says out "runs      $number (grid)"
}
runs 10 --set sweep.axis2.count=2
runs 20 --set sweep.1.scale_by.values=[1,2,3,4]
runs 10 --set sweep.1.scale_by.from=1 --set sweep.1.scale_by.to=2 --set sweep.1.scale_by.count=2
expect 2 "$MANYLINK" plan numbered.yaml --set sweep.axis1.count=2
says err 'has no axis `axis1`; there are: 0 (grip), 1 (axis2)'
sed 's/from: 1, to: 2, count: 3/values: [[1, 2], [3, 4]]/' numbered.yaml >paired.yaml
expect 0 "$MANYLINK" plan paired.yaml --set sweep.1.from=1 --set sweep.1.to=2 --set sweep.1.count=4
says out 'runs      20 (grid)'
expect 2 "$MANYLINK" plan paired.yaml --set sweep.1.count=4
says err 'key `count` excludes `values`'

"$PYTHON" - <<'END' || exit $?
import sys

import h5py
import numpy

scaled, listed = (h5py.File(f"{name}.h5")["study/summary"] for name in ("scaled", "listed"))
for name in ("end_angle", "end_rate", "energy_drift"):
    assert scaled[name].shape == listed[name].shape
    assert numpy.array_equal(scaled[name][()], listed[name][()]), name


def unit(dataset):
    value = dataset.attrs.get("units", "1")  # numbers without unit have none
    return value.decode() if isinstance(value, bytes) else value


grip, mass = scaled["grip"], scaled["mass"]
assert numpy.allclose(grip[()], 2.0 ** numpy.arange(-2, 3), rtol=1e-15) and unit(grip) == "1"
assert numpy.array_equal(mass[()], [1, 1.5, 2]) and unit(mass) == "kg"
assert all(h5py.h5ds.is_scale(axis.id) for axis in (grip, mass))
assert scaled["end_angle"].dims[0][0].name == "/study/summary/grip"
assert numpy.allclose(scaled["plots/axis.grip"][()], numpy.log10(grip[()]), atol=1e-15)
assert numpy.array_equal(scaled["forces.q.coefficient"][()], listed["forces.q.coefficient"][()])
END

# Curves over one axis of two: the other is where it is, or where it is wanted.
expect 0 "$MANYLINK" plot scaled.h5 energy_drift --x grip --y none --at mass=2 --script curves
grep -q 'mass = 2' curves/* || fail "the picture does not say where mass is"
[ "$(wc -c <curves/data.bin)" = $((5 * 2 * 8)) ] || fail "no curve of 5 points"

# A run is found by the number of its axis.
expect 0 "$MANYLINK" run --quiet scaled.yaml --pick grip=2.1,mass=1.4 -o picked.h5
expect 0 "$MANYLINK" run scaled.yaml --pick forces.p.coefficient=0.61,system.segments.lower.mass=1.4 -o picked.h5
says err 'run 10 of 15: forces.p.coefficient = 0.6 N m s/rad, forces.q.coefficient = 1.4 N m s/rad'
says out 'finished already'

# Only numbers that are given, or follow from others, can be multiplied, and stay within their range.
expect 2 "$MANYLINK" plan head.yaml --set \
    'sweep=[{set: [initial.energy, forces.p.coefficient], scale_by: {values: [1, 2]}}]'
says err ': the study does not give that number; give a value'
expect 2 "$MANYLINK" plan head.yaml --set 'sweep=[{set: initial.rate.upper, scale_by: {values: [2]}}]'
says err ': all multiples of 0 are 0'
expect 2 "$MANYLINK" plan head.yaml --set \
    'sweep=[{set: forces.p.coefficient, scale_by: {from: -1, to: 1, count: 3}}]'
says err 'but must be >= 0'
expect 2 "$MANYLINK" plan head.yaml --set \
    'sweep=[{set: initial.angle.upper, from: 1, scale_by: {from: 1, to: 2, count: 3}}]'
says err 'excludes `scale_by`'
expect 0 "$MANYLINK" plan head.yaml --set \
    'sweep=[{set: initial.angle.upper, scale_by: {from: -1, to: 1, count: 3}}]'
says out 'from -1 to 1 rad'
expect 0 "$MANYLINK" plan head.yaml --set 'sample={method: sobol, count: 8, over:
    [{set: [forces.p.coefficient, forces.q.coefficient], scale_by: {from: 0.5, to: 2, scale: log}}]}'
says out 'forces.q.coefficient from 0.35 to 1.4'
