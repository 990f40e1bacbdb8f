# Reports of a gait over several trials and both legs: means, standard deviations over cycles, trials and runs, differences
# and curves are those of numpy on the cycles of the results; the picture has them, and trials of different bodies are refused.
. "$SOURCE/tests/check.sh"
need gnuplot
need_python

cp "$SOURCE/tests/cli/gait_report.py" .
"$PYTHON" gait_report.py write
cat >leg.yaml <<'YAML'
manylink: 1
system:
  type: chain
  angles: joint
  segments: [{name: thigh, length: 0.41, mass: 7}, {name: shank, length: 0.42, mass: 3.25}, {name: foot, length: 0.2, mass: 1}]
motion: {file: right1.csv}
forces: [{name: plate, type: load, segment: foot, at: 0.05, file: right1.csv, force: [fx, fy]}]
inverse: {filter: {type: butterworth, order: 2, cutoff: 6}, keep: [cycle_torque, cycle_power], cycles: {of: plate}, per_mass: 70}
YAML
inverse()
{
    trial=$1 out=$2
    shift 2
    expect 0 "$MANYLINK" inverse leg.yaml --set "motion.file=$trial.csv" --set "forces.plate.file=$trial.csv" "$@" -o "$out.h5"
}
gait()
{
    expect 0 "$MANYLINK" gait "$@"
}
for trial in right1 right2 right3 left1 left2 slow; do
    inverse $trial $trial
done
gait right1.h5 right2.h5 right3.h5 --left left1.h5 --left left2.h5 --json --curves both.csv
cp out both.json
gait right1.h5 --json --curves one.csv
cp out one.json
gait right1.h5 right2.h5 --left left1.h5 --curves curves.mat
says out "right  5 cycles: 3 of right1.h5, 2 of right2.h5"
says out "left   4 cycles: 4 of left1.h5"
says out "right - left  index %"
says out "A2 (J/kg)"
says out "A2 (W/kg)"
says err "note: times of steps and of double support are missing: they need the strikes of both legs on one clock"
# Both legs of one motion: times of support and of steps.
for side in right left; do
    columns="{thigh: ${side}_thigh, shank: ${side}_shank, foot: ${side}_foot}"
    force="[${side}_fx, ${side}_fy]"
    expect 0 "$MANYLINK" inverse leg.yaml --set "motion={file: walk.csv, columns: $columns}" --set "forces=[{name: plate, type: load, segment: foot, at: 0.05, file: walk.csv, force: $force}]" -o "walk_$side.h5"
done
gait walk_right.h5 --left walk_left.h5 --json
! grep -q 'are missing' err || fail "a note: $(cat err)"
cp out walk.json
"$PYTHON" gait_report.py steps walk.json
gait walk_right.h5
! grep -q 'double support' out || fail "double support of one leg"
# A sample of bodies is pooled body by body; trials have the same bodies.
sample='sample={method: sobol, count: 8, over: [{set: system.segments.foot.mass, scale_by: {from: 0.8, to: 1.2}}]}'
for trial in right1 right2 left1; do
    inverse $trial ${trial}s --set "$sample"
done
gait right1s.h5 right2s.h5 --left left1s.h5 --json --curves bodies.csv
cp out bodies.json
"$PYTHON" gait_report.py check both one bodies
gait right1s.h5 right2s.h5 --left left1s.h5
says out "runs: of the mean, over 8 runs"

# The same parts of lengths that markers give, which differ a little, are the same bodies.
parts='sample={method: sobol, count: 4, over: [{set: system.segments.thigh.length, scale_by: {from: 0.95, to: 1.05}}]}'
inverse right1 part1 --set "$parts"
sed 's/0\.41,/0.413,/; s/right1/right2/g' leg.yaml >longer.yaml
expect 0 "$MANYLINK" inverse longer.yaml --set "$parts" -o part2.h5
gait part1.h5 part2.h5
says out "over 4 runs"
# Instants that jump from cycle to cycle: their mean is that of no peak.
"$PYTHON" - <<'END'
import shutil

import h5py

shutil.copy("right1.h5", "jumps.h5")
with h5py.File("jumps.h5", "a") as file:
    at = file["study/inverse/cycle_max_torque_at"]
    at[0] = [1, 99, 2][:at.shape[1]]
    file["study/inverse/cycle_min_torque_at"][1] = [99, 2, 1.5]
END
gait jumps.h5 --changed
says err "note: right leg, largest moment of hip: its instants differ by 56.3 % of the cycle (sd)"
says err "note: right leg, smallest moment of knee: its instants differ by 56.1 % of the cycle (sd)"
# The picture, with a norm of three rows.
printf 'percent,right/torque/shank/mean,torque/shank/sd\n0,1,0.5\n50,-2,0.5\n100,4,0.5\n' >norm.csv
gait right1.h5 right2.h5 --left left1.h5 --norm norm.csv --curves drawn.csv --script drawn -o gait.svg
"$PYTHON" gait_report.py norm drawn.csv drawn
# The same, as spreadsheets write it: a byte order mark, a line above the names, quotes, semicolons, decimal commas, a
# column of words, and a unit.
printf '\357\273\277our controls\r\n"percent";"group";"right/torque/shank/mean [N mm]";"torque/shank/sd"\r\n0;a;1000;0,5\r\n50;b;-2000;0,5\r\n100;c;4000;0,5\r\n' >norm.csv
gait right1.h5 right2.h5 --left left1.h5 --norm norm.csv --script sheet
cmp drawn/data.bin sheet/data.bin || fail "the norm of a spreadsheet is another"
gait right1.h5 --norm "$SOURCE/studies/gait_norm.csv" --script published
"$PYTHON" gait_report.py published "$SOURCE/studies/gait_norm.csv" published
gait right1s.h5 right2s.h5 --script many
says many/plot.gp "over 8 runs"

# Doubts, and trials that do not belong together.
gait right1.h5 right2.h5 right3.h5 slow.h5
says err "note: slow.h5: its cycles take 1.43 s, those of all trials 1.16 s"
inverse right3 sharp --set 'inverse.filter={type: butterworth, order: 4, cutoff: 8.5}'
gait right1.h5 right2.h5 sharp.h5
says err "note: sharp.h5: its numbers are smoothed by \`type: butterworth, order: 4, cutoff: 8.5\`, those of right1.h5 by \`type: butterworth, order: 2, cutoff: 6\`"
sed 's/filter: {[^}]*}/spline: {smoothing: gcv}/' leg.yaml >spline.yaml
expect 0 "$MANYLINK" inverse spline.yaml -o spline.h5
gait right2.h5 --left spline.h5
says err "note: spline.h5: its numbers are smoothed by \`smoothing: gcv\`, those of right2.h5 by"
inverse right2 soft --set forces.plate.filter=20
gait right1.h5 soft.h5
says err "cutoff: 6, load filter: 20\`, those of right1.h5 by \`type: butterworth, order: 2, cutoff: 6\`; peaks"

# One recording has one clock, by the full path of its file: a name alone is that of trials in other folders too.
mkdir -p one other
cp right1.csv one/walk.csv
cp right2.csv other/walk.csv
for folder in one other; do
    cp leg.yaml $folder
    (cd $folder && "$MANYLINK" inverse leg.yaml --set motion.file=walk.csv --set forces.plate.file=walk.csv -o leg.h5 -q) >out 2>err || fail "$(cat err)"
done
gait one/leg.h5 --left other/leg.h5
says err "times of steps and of double support are missing"
"$PYTHON" -c 'import h5py, shutil; shutil.copy("right2.h5", "bare.h5"); del h5py.File("bare.h5", "a")["study/provenance/options"]'
gait right1.h5 bare.h5 --changed
cp right1.h5 copy.h5
expect 2 "$MANYLINK" gait right1.h5 copy.h5
says err "copy.h5: cannot pool the trial with right1.h5: both have the cycle from"
gait right1.h5 right2.h5
! grep -q smoothed err || fail "a note about trials with the same filter: $(cat err)"
gait right1.h5 slow.h5 --quiet
[ ! -s err ] || fail "a note with --quiet: $(cat err)"
refuse()
{
    said=$1
    shift
    expect 2 "$MANYLINK" gait "$@"
    says err "$said"
}
inverse right1 heavy --set system.segments.shank.mass=4
refuse "heavy.h5: cannot report the trial with right1.h5: \`mass\` of shank is 4, there 3.25, more than 1 % apart" right1.h5 heavy.h5
gait right1.h5 --left heavy.h5
refuse "heavy.h5: cannot report the trial with left1.h5: \`mass\` of shank is 4, there 3.25" right1.h5 --left left1.h5 --left heavy.h5
inverse right1 moon --set system.gravity=1.6
refuse "\`gravity.y\` is -1.6, there -9.81" right1.h5 moon.h5
refuse "cannot report ./right1.h5 twice: leave a file out" right1.h5 --left ./right1.h5
printf 'percent,torque/shank/mean\n0,1,5\n100,2,7\n' >comma.csv
refuse "comma.csv:2:1: the lines have other numbers of columns than line 1 has names (2)" right1.h5 --norm comma.csv -o no.png
inverse right1 long --set system.segments.shank.length=0.44
refuse "\`length\` of shank is 0.44, there 0.42, more than 3 % apart" right1.h5 long.h5
inverse right1 other --set inverse.per_mass=72
refuse "\`per_mass\` is 72, there 70" right1.h5 --left other.h5
sed '/^inverse/s/, per_mass: 70//' leg.yaml >whole.yaml
expect 0 "$MANYLINK" inverse whole.yaml --set motion.file=right2.csv --set forces.plate.file=right2.csv -o whole.h5
refuse "cycle_max_torque is in N m, not in N m/kg; give both studies the same \`inverse.per_mass\`" right1.h5 whole.h5
inverse right1 zero --set system.zero=right
refuse "its angles have \`zero: right\`, there \`zero: down\`" right1.h5 zero.h5
inverse right1 none --set 'inverse={}'
refuse "none.h5: cannot report a gait: the result has no cycles; give its study" right1.h5 none.h5
"$PYTHON" -c 'import h5py, shutil; shutil.copy("right2.h5", "old.h5"); del h5py.File("old.h5", "a")["study/inverse/burst_power"]'
refuse "old.h5: cannot report a gait: the result has cycles, but no inverse/burst_power; compute it again" right1.h5 old.h5 --changed
refuse "right1s.h5: cannot report the trial with right1.h5: their runs differ, in \`number of runs\`" right1.h5 right1s.h5
inverse right1 drawn --set "${sample%1.2*}1.3}}]}"
refuse "their runs differ, in \`system.segments.foot.mass\`; give both studies the same \`sweep\` or \`sample\`" right1s.h5 drawn.h5
refuse "--curves c.txt: the name ends in none of .csv" right1.h5 --curves c.txt
refuse "--norm is for a picture: give -o PICTURE" right1.h5 --norm norm.csv
printf 'percent,torque/shank/mean\n0,1\n90,2\n' >short.csv
refuse "short.csv: cannot draw the norm: its column \`percent\` goes from 0 to 90, not from 0 to 100" right1.h5 --norm short.csv -o no.png
printf 'percent,torque/shank/mean,torque/shank/sd\n0,1,1\n100,2,-1\n' >below.csv
refuse "below.csv: cannot draw the norm: its column \`torque/shank/sd\` has -1, but a standard deviation is not below 0" right1.h5 --norm below.csv -o no.png
printf 'percent,torque/shin/mean\n0,1\n100,2\n' >shin.csv
refuse "shin.csv: cannot draw the norm: it has no numbers of a curve; name its columns as a report does: percent, angle/thigh/mean" \
    right1.h5 --norm shin.csv -o no.png
printf 'percent,torque/shank/mean\n0,1\n100\n' >ragged.csv
refuse "ragged.csv:3:1: the line has 1 column but the first line names 2" right1.h5 --norm ragged.csv -o no.png
printf 'percent,torque/shank/mean\n0,one\n100,2\n' >word.csv
refuse "word.csv:2:3: torque/shank/mean is \`one\`" right1.h5 --norm word.csv -o no.png
printf 'percent,torque/shank/mean\n0,1\n50,2\n50,2\n' >twice.csv
refuse "twice.csv:4:1: percent is 50 but must be greater than in the line before, 50" right1.h5 --norm twice.csv -o no.png
printf 'torque/shank/mean\n1\n2\n' >nameless.csv
refuse "nameless.csv:1:1: column \`percent\` is missing; the columns are" right1.h5 --norm nameless.csv -o no.png
refuse "right1.h5:1:1: this is an HDF5 file" right1.h5 --norm right1.h5 -o no.png
mkdir -p folder
refuse "folder: Is a directory" right1.h5 --norm folder -o no.png
refuse "nowhere.csv: " right1.h5 --norm nowhere.csv -o no.png
[ ! -e no.png ] || fail "a picture without its norm"
refuse "missing.h5" right1.h5 missing.h5
sed 's/foot/sole/' leg.yaml >sole.yaml
sed 's,angle/foot,angle/sole,' right1.csv >sole.csv
expect 0 "$MANYLINK" inverse sole.yaml --set motion.file=sole.csv -o sole.h5
refuse "sole.h5: cannot report the trial with right1.h5: joint 3 of 3 is \`sole\`, not \`foot\`" right1.h5 sole.h5

# A norm in other units, or of some curves, is told; units of curves by mass are known.
printf 'percent,angle/shank/mean,torque/shank/mean [Nmm/kg]\n0,-20,400\n100,-60,500\n' >units.csv
gait right1.h5 --norm units.csv -o units.png
says err "units.csv: the largest angle of the norm is 60, that of the report"
says err "units.csv: the norm has no curve of power, and no band of it is drawn; its columns are named power/thigh/mean and power/thigh/sd"
[ "$(grep -c "in another unit" err)" = 1 ] || fail "a note about moments, which are in their unit: $(cat err)"
