# label: values
# Steps and ends of runs that are swept: every run is the same bits as a study of that run alone with its
# step or end, whatever method, events, shards and refilled lanes; what would need the same times in all runs
# is refused.
. "$SOURCE/tests/check.sh"
need python3
need_python

cat >step.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.7, mass: 2}]}
initial: {angle: {a: 1, b: 0.4}}
time: {start: 0.5, step: 0.01, steps: 300}
sweep:
  - {set: initial.angle.a, from: 0.5, to: 2.8, count: 5}
  - {set: time.step, from: 1e-3, to: 2e-2, count: 23, scale: log}
END
# A driven oscillator over the same number of periods of its drive, each with the same number of steps.
cat >driven.yaml <<'END'
manylink: 1
system: {type: duffing, delta: 0.2, gamma: 0.3}
initial: {x: 0.1}
time: {step: 2*pi/200, steps: 2000}
sweep:
  - set: [system.omega, time.step]
    values: [[0.8, 2*pi/200/0.8], [1, 2*pi/200], [1.2, 2*pi/200/1.2], [1.5, 2*pi/200/1.5], [2.5, 2*pi/200/2.5]]
events:
  - {name: up, when: x, crosses: 0, direction: up, max: 20, keep: [x, v]}
  - {name: beat, period: 1.7, max: 40, keep: [x]}
  - {name: over, when: x, crosses: 2.5, stop: true}
END
cat >end.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.7, mass: 2}]}
time: {steps: 1000, end: 2}
integrator: {type: tp86, summation: compensated}
sample: {count: 40, method: sobol, over: [{set: initial.angle.b, from: -1, to: 2}, {set: time.end, from: 0.5, to: 4}]}
END
# Enough batches for lanes to be filled up again.
cat >adaptive.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.7, mass: 2}]}
time: {end: 2}
integrator: {type: dopri54, tolerance: 1e-7}
sweep:
  - {set: initial.angle.a, from: 0.5, to: 2.8, count: 40}
  - {set: time.end, from: 0.3, to: 3, count: 43}
END
sed 's/dopri54/rodas4/; s/count: 4[03]/count: 7/' adaptive.yaml >implicit.yaml
sed 's/^sweep.*/events: [{name: up, when: angle.a, crosses: 0, max: 5, keep: [angle]}]\n&/; s/count: 4[03]/count: 7/' \
    adaptive.yaml >crossings.yaml

cat >members.py <<'END'
"""Some rows of a study's table against those of the runs by themselves, whose times are the study's."""
import csv
import subprocess
import sys

manylink, name = sys.argv[1:]


def table(study, result, *options):
    subprocess.run([manylink, "run", study, "-o", result, "--quiet", "--restart", *options], check=False, stderr=subprocess.DEVNULL)
    text = subprocess.run([manylink, "table", result], check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(text.splitlines()))


rows = table(f"{name}.yaml", f"{name}.h5")
swept = [key for key in rows[0] if key.split(" ")[0].split(".")[0] in ("initial", "system", "time")]
assert any(key.startswith("time.") for key in swept), swept
assert len({row["end_time (s)"] for row in rows}) > 1
for row in rows[:: max(1, len(rows) // 7)]:
    sets = [option for key in swept for option in ("--set", f"{key.split(' ')[0]}={row[key]}")]
    (alone,) = table(f"{name}.yaml", "alone.h5", *sets)
    for key in alone:
        assert key == "run" or key in swept or alone[key] == row[key], (row["run"], key, row[key], alone[key])
END
for study in step driven end adaptive implicit crossings; do
    echo "$study"
    python3 members.py "$MANYLINK" $study
    expect 0 "$MANYLINK" verify $study.h5 --runs 2000
done

# A run written down by itself, with its step or with the end that follows from it.
expect 0 "$MANYLINK" table step.h5
mv out step.csv
for time in 'start: 0.5, step: 0.02, steps: 300' 'start: 0.5, step: 0.02, end: 0.5+300*0.02'; do
    sed "/^sweep/,\$d; s/^time.*/time: {$time}/; s/a: 1,/a: 2.8,/" step.yaml >plain.yaml
    expect 0 "$MANYLINK" run plain.yaml -o plain.h5 --restart
    expect 0 "$MANYLINK" table plain.h5
    [ "$(tail -1 out | cut -d, -f2-)" = "$(tail -1 step.csv | cut -d, -f4-)" ] || fail "differs: $(cat out; tail -1 step.csv)"
done
tail -1 step.csv | grep -q ',6.5,300,' || fail "not 300 steps of 0.02 s: $(tail -1 step.csv)"

# The same for every number of threads and instruction set, and from shards.
for isa in $(instruction_sets); do
    expect 0 env MANYLINK_ISA="$isa" "$MANYLINK" run step.yaml -o isa.h5 --threads 2 --restart
    same step.h5 isa.h5
done
for k in 0 1 2; do
    expect 0 "$MANYLINK" run adaptive.yaml --shard $k/3 -o shard.$k.h5
done
expect 0 "$MANYLINK" merge shard.0.h5 shard.1.h5 shard.2.h5 -o merged.h5
same adaptive.h5 merged.h5

# Halved for the error that the step leaves: of rk4 a sixteenth, in each run by its own step.
expect 0 "$MANYLINK" run step.yaml --set initial.angle.a=0.5 --accuracy 23 -o accurate.h5
says err 'observed order 4.0'

# The eigenvalues are those of each run's step.
sed 's/^sweep.*/forces: [{name: it, type: damper, joint: a, coefficient: 400}]\n&/' step.yaml >stiff.yaml
expect 0 "$MANYLINK" plan stiff.yaml
says err 'note: a step of 0.02 s is too large in run 114 for force `it` (damper)'
says out 'time      from 0.5 s on in 300 steps of each run'"'"'s own, as `time.step` is swept'

# What needs the same times in all runs.
refused()
{
    text=$1
    shift
    expect 2 "$MANYLINK" plan "$@"
    says err "$text"
}
sed 's/^sweep/save: {trajectory: {every: 10}}\nanalyse: {lyapunov: {}, effort: {}}\n&/' step.yaml >looked.yaml
refused 'samples of all runs share their times, but `time.step` is swept' looked.yaml
says err 'lyapunov needs the same time between observations in all runs'
says err 'effort needs the same time between observations in all runs'
expect 2 "$MANYLINK" compare end.yaml
says err 'runs end at times of their own'
expect 2 "$MANYLINK" report step.h5 -o page.html --motions 2
says err 'its runs have steps of their own'
expect 2 "$MANYLINK" run step.yaml --set save.trajectory.every=10 -o sampled.h5
says err 'step.yaml: cannot save trajectories: samples of all runs share their times'

# Times of events are those that no run has.
sed 's/^sweep/events: [{name: late, when: angle.a, crosses: 0, from: FROM}, {name: beat, period: PERIOD}]\n&/' step.yaml >late.yaml
sed 's/FROM/6/; s/PERIOD/0.02/' late.yaml >some.yaml
expect 0 "$MANYLINK" plan some.yaml
sed 's/FROM/6.6/; s/PERIOD/0.019/' late.yaml >none.yaml
refused 'from is not before the end of the run, 6.5 s' none.yaml
says err 'period is shorter than time.step, 0.02 s'

# One run of them has a motion, and is then a study like any other.
expect 0 "$MANYLINK" run step.yaml --run 114 -o one.h5
expect 0 "$MANYLINK" table one.h5
[ "$(tail -1 out | cut -d, -f4-)" = "$(tail -1 step.csv | cut -d, -f4-)" ] || fail "differs: $(cat out)"
expect 0 "$MANYLINK" export one.h5 -o one.csv
tail -1 one.csv | grep -q '^6.5,' || fail "the motion does not end at 6.5 s: $(tail -1 one.csv)"

# Runs that go on from each other along the frequency of their drive, each over whole periods.
cat >walk.yaml <<'END'
manylink: 1
system: {type: duffing, delta: 0.1, alpha: 1, beta: 0.1, gamma: 0.3}
time: {step: 2*pi/200, steps: 2000}
sweep:
  - {set: system.gamma, values: [0.2, 0.3]}
  - set: [system.omega, time.step]
    values: [[0.8, 2*pi/200/0.8], [0.9, 2*pi/200/0.9], [1, 2*pi/200], [1.2, 2*pi/200/1.2], [1.5, 2*pi/200/1.5]]
    continue: both
END
expect 0 "$MANYLINK" run walk.yaml
! grep -q 'phase' err || fail "tells of a phase that does not jump: $(cat err)"
expect 0 "$MANYLINK" verify walk.h5 --runs 20
