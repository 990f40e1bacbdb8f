# label: values
# Controllers of equations and of a mechanism against matrix exponentials from one change of the law to the next, sampled
# controllers against their law and the exact plant between samples, margins of their loops against formulas of s; the same bits
# by a sweep, by --set, and of the resolved text.
. "$SOURCE/tests/check.sh"
need_python

# study NAME CONTROLLER [SWEPT]: a mass on a spring and a damper, as rates and as a mechanism, that a controller moves.
study()
{
    for kind in rates mechanism; do
        cat >"$1.$kind.yaml" <<END
manylink: 1
accuracy: off
system:
  type: equations
  parameters: {J: 0.5, c: 0.3, k: 2, wish: 1}
  $(if [ $kind = rates ]; then echo "state: {q: 0, w: 0}
  rates: {q: w, w: (u - c*w - k*q)/J}"; else echo "coordinates: {q: 0}
  mass: [[J]]
  force: [u - c*q' - k*q]
  define: {w: q'}"; fi)
controllers:
  u: {type: pid, input: q, target: wish, $2}
time: {tick: 0.01, end: 2.51$4}
integrator: {type: dop853, tolerance: 1e-13}
save: {trajectory: {quantities: [u]}}
${3:-}
END
        "$MANYLINK" run "$1.$kind.yaml" -o "$1.$kind.h5" --quiet
    done
}

swept='sweep: [{set: controllers.u.kp, values: [9, 20]}]'
study linear 'kp: 20, ki: 12, kd: 1.5, rate: w' "$swept" ''
study filtered 'kp: 20, ki: 12, kd: 1.5, filter_time: 0.05, proportional_weight: 0.6, derivative_weight: 0.3, lag: 0.04' "$swept" ''
study smoothed 'kp: 20, kd: 1.5, rate: w, filter_time: 0.05' "$swept" ''
study clamped 'kp: 20, ki: 12, kd: 1.5, rate: w, limit: 3.5' "$swept" ''
study freed 'kp: 20, ki: 12, kd: 1.5, rate: w, limit: 3.5, anti_windup: none' "$swept" ''
study calculated 'kp: 20, ki: 12, kd: 1.5, rate: w, limit: [-1, 4], anti_windup: back_calculation, tracking_time: 0.3' "$swept" ''
study held 'kp: 20, ki: 12, kd: 1.5, sample_time: 0.02' "$swept" ''
study late 'kp: 20, ki: 12, kd: 1.5, sample_time: 0.02, limit: 3.5' "$swept" ', start: 0.03'
study built 'kp: 20, ki: 12, kd: 1.5, sample_time: 0.03, filter_time: 0.05, proportional_weight: 0.6, derivative_weight: 0.3,
      limit: [-1, 4], anti_windup: back_calculation, tracking_time: 0.3, rate_limit: 60, resolution: 0.002, lag: 0.04' "$swept" ''
study measured 'kp: 20, ki: 12, kd: 1.5, sample_time: 0.03, filter_time: 0.05, rate: w, rate_limit: 60' "$swept" ''
study loop 'kp: 20, ki: 12, kd: 1.5, filter_time: 0.05, lag: 0.04, limit: 1000' "$swept
analyse: {cut: u, margins: {}, tracking: {}}" ''
"$PYTHON" "$SOURCE/tests/cli/controllers.py"

# A limit of the rate that never acts changes no bit, of the integral that is clamped neither.
for rate in '' ', rate_limit: 1e6'; do
    cat >inactive.yaml <<END
manylink: 1
system: {type: equations, state: {q: 0.5, w: 0}, rates: {q: w, w: 50*u - 2.5*w}}
controllers: {u: {type: pid, input: q, target: 1, kp: 3, ki: 4, kd: 0.3, filter_time: 0.01, sample_time: 0.01, limit: 1$rate}}
time: {step: 1e-3, end: 1}
END
    "$MANYLINK" run inactive.yaml -o "inactive${rate:+_rate}.h5" --restart --quiet
    "$MANYLINK" table "inactive${rate:+_rate}.h5" >"inactive${rate:+_rate}.csv" 2>/dev/null
done
diff inactive.csv inactive_rate.csv || fail "a rate limit that does not act acts"

# Names and ranges of its numbers: quantities and parameters are not taken in their place, swept ends are in their ranges.
sed 's/^time/quantities: {u_error: 2*q}\ntime/' inactive.yaml >taken.yaml
expect 2 "$MANYLINK" plan taken.yaml
says err '`u_error` is the name of a number of controller `u`; take another name'
sed 's/equations, state/equations, parameters: {u_kp: 5}, state/' inactive.yaml >taken.yaml
expect 2 "$MANYLINK" plan taken.yaml
says err '`u_kp` is the name of a number of controller `u`; take another name'
sed 's/limit: 1,/limit: [-1, 2],/; $asweep: [{set: controllers.u.limit.low, values: [-1, 3]}]' inactive.yaml >range.yaml
expect 2 "$MANYLINK" plan range.yaml
says err 'is 3 but must be <= 0'
sed '/^sweep/d' range.yaml >range_set.yaml
expect 2 "$MANYLINK" plan range_set.yaml --set controllers.u.limit.low=3
says err 'low is 3 but must be <= 0'
expect 0 "$MANYLINK" plan range_set.yaml --set controllers.u.limit.low=-2

# A target that changes over time has no delay: the output is there.
sed 's/target: 1,/target: tanh((t - 1)\/0.1),/; s/^time/save: {trajectory: {every: 100, quantities: [u]}}\ntime/' inactive.yaml >tanh.yaml
expect 0 "$MANYLINK" run tanh.yaml --quiet

# The same numbers, swept, set, written, or of the resolved text.
for law in filtered built; do
    "$MANYLINK" run $law.rates.yaml -o set.h5 --restart --set controllers.u.kp=9 2>notes
    grep -q 'fixes this axis' notes || fail "--set fixes no axis: $(cat notes)"
    "$MANYLINK" run $law.rates.yaml -o named.h5 --restart --quiet --set define.u_kp=9
    sed 's/kp: 20/kp: 9/; /^sweep/d' $law.rates.yaml >written.yaml
    "$MANYLINK" run written.yaml -o written.h5 --restart --quiet
    "$PYTHON" - $law <<'END'
import sys

import h5py

swept, *others = (h5py.File(name + ".h5")["study/summary"] for name in (sys.argv[1] + ".rates", "set", "named", "written"))
for name in swept:
    if name.startswith("end_"):
        assert len({other[name][()].tobytes() for other in others} | {swept[name][0].tobytes()}) == 1, name
open("resolved.yaml", "wb").write(h5py.File(sys.argv[1] + ".rates.h5")["study/resolved"][()])
END
    "$MANYLINK" run resolved.yaml -o resolved.h5 --restart --quiet
    "$PYTHON" - $law <<'END'
import sys

import h5py

a, b = (h5py.File(name + ".h5")["study/trajectories"] for name in (sys.argv[1] + ".rates", "resolved"))
assert a["u"][()].tobytes() == b["u"][()].tobytes()
END
done

# A filter that begins beside its input, and limits that are set by their ends.
sed 's/{q: 0, w/{q: 0.1, w/' filtered.rates.yaml >beside.yaml
expect 0 "$MANYLINK" run beside.yaml -o beside.h5
grep -q 'beside.yaml:9:.*begin with a jump.*initial.u_filtered' err || fail "no notice: $(cat err)"
expect 0 "$MANYLINK" run beside.yaml -o beside.h5 --restart --set initial.u_filtered=0.1
! grep -q jump err || fail "a notice: $(cat err)"
expect 0 "$MANYLINK" run calculated.rates.yaml -o ends.h5 --set controllers.u.limit.high=2
sed '$asweep: [{set: controllers.u.kdd, values: [1, 2]}]' inactive.yaml >unknown.yaml
expect 2 "$MANYLINK" plan unknown.yaml
says err 'unknown.yaml:5:15: `controllers.u.kdd` is not a number of this study; the nearest number is `define.u_kd`'
sed -i 's/controllers.u.kdd, values: \[1/controllers.u.sample_time, values: [0/' unknown.yaml
expect 2 "$MANYLINK" plan unknown.yaml
says err 'u_sample_time is 0 but must be > 0'
