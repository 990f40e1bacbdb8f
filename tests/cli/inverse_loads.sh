# `inverse` with what acts from outside over time, and a base that moves: torques are those of an independent
# balance of momenta.
. "$SOURCE/tests/check.sh"
need_python

"$PYTHON" "$SOURCE/tests/cli/inverse_loads.py" "$MANYLINK" "$SOURCE/tests/reference" || exit $?

# A base without derivatives: they are those of the spline, smoothed by the filter as angles are.
cat >leg.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: leg, length: 0.8, mass: 9}]}
YAML
"$PYTHON" - >motion.csv <<'PY'
import math
print("base/y,time,angle/leg,base/x")
for k in range(121):
    t = k / 100
    print(f"{0.9 + 0.03 * math.cos(11 * t)},{t},{0.4 * math.sin(5 * t)},{1.3 * t + 0.02 * math.sin(11 * t)}")
PY
expect 0 "$MANYLINK" inverse leg.yaml --motion motion.csv -o splined.h5
! grep base err || fail "a word about a good base"
expect 0 "$MANYLINK" inverse leg.yaml --motion motion.csv -o filtered.h5 \
    --set 'inverse={filter: {type: butterworth, order: 2, cutoff: 6}}'
"$PYTHON" "$SOURCE/tests/cli/inverse_base.py" splined.h5 filtered.h5 motion.csv || exit $?
expect 0 "$MANYLINK" verify filtered.h5

# Millimetres, noise, and half of a base.
awk -F, -v OFS=, 'NR > 1 { $1 *= 1000; $4 *= 1000 } 1' motion.csv >mm.csv
expect 0 "$MANYLINK" inverse leg.yaml --motion mm.csv -o mm.h5
says err "mm.csv: \`base\` goes to 1.57e+03 m: in mm? positions are in m"
awk -F, -v OFS=, 'NR > 1 { $1 += NR % 2 * 0.002 } 1' motion.csv >noise.csv
expect 0 "$MANYLINK" inverse leg.yaml --motion noise.csv -o noise.h5
says err "noise.csv: of the power of the acceleration of \`base/y\` 100.0 % is above 10 Hz"
cut -d, -f2-4 motion.csv >half.csv
expect 2 "$MANYLINK" inverse leg.yaml --motion half.csv -o half.h5
says err "half.csv:1:1: column \`base/y\` is missing: of a base that moves x and y are given"
sed 1s/base/base_rate/g motion.csv >rates.csv
expect 2 "$MANYLINK" inverse leg.yaml --motion rates.csv -o half.h5
says err "rates.csv:1:1: column \`base/x\` is missing: of a base that moves x and y are given"
[ ! -e half.h5 ] || fail "bad input left a file"
