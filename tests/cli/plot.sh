# `plot`: scripts and data against h5py, refusals, gnuplot or none; and no text of a user is a command.
. "$SOURCE/tests/check.sh"
need gnuplot
need_python

mkdir temporary
TMPDIR=$PWD/temporary
export TMPDIR
title="It's \`touch owned\` {a}_b \"c\" @d \\\\n %s"
chain()
{
    cat <<END
manylink: 1
title: '$(echo "$title" | sed "s/'/''/g")'
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lo_w-er, length: 0.5, mass: 1}]}
forces: [{name: brake, type: damper, joint: lo_w-er, coefficient: 0.05}]
initial: {angle: 1}
time: {step: 1e-2, end: 0.5}
END
}

chain >single.yaml
cat >>single.yaml <<'END'
save: {trajectory: {every: 1, quantities: [angle, end_position]}}
END
{ chain && cat <<'END'; } >grid.yaml
sweep:
  - {set: initial.rate.upper, values: [0, 1, 1e14]}
  - {set: initial.angle.upper, from: 2, to: -2, count: 9}
  - {set: forces.brake.coefficient, from: 0.01, to: 10, count: 7, scale: log}
save: {trajectory: {every: 5, quantities: [angle], runs: {every: 10}}}
END
{ chain && cat <<'END'; } >irregular.yaml
sweep:
  - {set: initial.angle.upper, values: [-1, 0, 1, 5]}
  - {set: forces.brake.coefficient, from: 0.01, to: 10, count: 7, scale: log}
END
{ chain && cat <<'END'; } >line.yaml
sweep: [{set: initial.angle.upper, from: -2, to: 2, count: 9}]
END
{ chain && cat <<'END'; } >sample.yaml
sample: {method: sobol, count: 32, seed: 1, over: [{set: initial.rate.lo_w-er, from: 0.01, to: 1e5, scale: log},
  {set: forces.brake.coefficient, from: 0.01, to: 10, scale: log}]}
END
for study in single irregular line; do
    expect 0 "$MANYLINK" run --quiet $study.yaml
done
for study in grid sample; do
    expect 3 "$MANYLINK" run --quiet $study.yaml
done

# What is asked for and not there: the place, what there is, the nearest. Nothing is written.
refuses()
{
    text=$1
    shift
    expect 2 "$MANYLINK" plot "$@"
    says err "$text"
}
refuses 'did you mean `max_rate`? There are: energy_drift, max_rate' grid.h5 max_rat
refuses 'There are: energy_drift, max_rate, end_angle, end_rate, angle' grid.h5 max_rat
if grep -q stick err; then fail "offers a stick figure that cannot be drawn"; fi
refuses 'end_angle, end_rate, angle, end_position, stick' single.h5 sticks
refuses 'There are: run, segment, time, initial.rate.upper, initial.angle.upper, forces.brake' grid.h5 angle --at initial.rate.uper=1
refuses 'cannot draw `../runs/outcome`: the result has no such numbers' grid.h5 ../runs/outcome
refuses 'did you mean `initial.angle.upper`?' grid.h5 --at initial.angle.uper=1
refuses 'has no such axis' grid.h5 --x mass
refuses 'initial.angle.upper=a: `a` is neither a number nor a unit; a number is' grid.h5 --at initial.angle.upper=a
refuses 'it goes from -2 to 2' grid.h5 --at initial.angle.upper=100
refuses 'it must read PATH=VALUE' grid.h5 --at initial.angle.upper
refuses 'fixed more than once' grid.h5 --at initial.angle.upper=1 --at initial.angle.upper=2
refuses 'cannot draw over x initial.angle.upper: it is fixed' grid.h5 --at initial.angle.upper=1 --x initial.angle.upper
refuses 'x and y are the same' grid.h5 --x initial.angle.upper --y initial.angle.upper
refuses 'no such entry; there are: upper, lo_w-er' grid.h5 end_angle --at segment=none
refuses 'there is no run 189; they count from 0 to 188' grid.h5 --run 189
refuses 'a single number here' grid.h5 --run 0
refuses 'a single number here' grid.h5 angle --at time=0.2 --at segment=upper
refuses 'no finished run has a finite value of it here' grid.h5 --at initial.rate.upper=1e14
refuses 'saved are every 10th run up to 180' grid.h5 angle --run 5
refuses 'quantities: [end_position]' grid.h5 stick
refuses 'for curves' grid.h5 --from 1
refuses 'cannot draw that part of x: no value of time is between' single.h5 stick --from 7
refuses 'shows all of segment' single.h5 stick --at segment=upper
refuses '.png, .svg, .pdf, .eps or .tex' grid.h5 -o grid.jpg
refuses '--run many' grid.h5 --run many
refuses '--to late' single.h5 --to late
expect 2 "$MANYLINK" plot grid.yaml
says err "is not a manylink result"
expect 2 "$MANYLINK" plot none.h5
mkdir half.h5.parts
expect 1 "$MANYLINK" plot half.h5
says err "is not finished"
expect 1 "$MANYLINK" plot grid.h5 -o no/such/folder.png
says err "no/such/folder.png"
[ -z "$(find . -name '*.png' -o -name '*.jpg' -o -name '*.tmp')" ] || fail "a refusal left a picture"

# Without gnuplot: what to install, nothing written; script and data do without.
expect 1 env PATH=/nowhere "$MANYLINK" plot grid.h5
says err "apt-get install gnuplot-nox"
expect 0 env PATH=/nowhere "$MANYLINK" plot grid.h5 --script alone
[ -s alone/plot.gp ] || fail "no script without gnuplot"
[ -z "$(find . -name '*.png' -o -name '*.tmp')" ] || fail "a picture without gnuplot"

# A gnuplot that fails leaves the old picture, and what it said is told.
mkdir bin
printf '#!/bin/sh\necho half >"$4"\necho no ink >&2\nexit 3\n' >bin/gnuplot
chmod +x bin/gnuplot
echo old >grid.png
expect 1 env PATH="$PWD/bin:$PATH" "$MANYLINK" plot grid.h5
says err "no ink"
[ "$(cat grid.png)" = old ] || fail "a failure changed the picture"
rm grid.png
[ -z "$(find . -name '*.tmp')$(find temporary -mindepth 1)" ] || fail "temporary files are left"

checks()
{
    "$PYTHON" "$SOURCE/tests/results/check_plot.py" "$@" || fail "check_plot.py $*"
}
# draws FOLDER ARGUMENTS...: keeps the script.
draws()
{
    folder=$1
    shift
    expect 0 "$MANYLINK" plot "$@" --script "$folder"
}
in_script()
{
    grep -qF -e "$1" "$folder/plot.gp" || fail "$folder/plot.gp lacks: $1"
}
rate=initial.rate.upper angle=initial.angle.upper brake=forces.brake.coefficient
draws map grid.h5
checks map grid.h5 map end_angle_wrapped.lo_w-er $brake $angle $rate=1
draws drift grid.h5 energy_drift
checks map grid.h5 drift energy_drift $brake $angle $rate=1
in_script "initial.rate.upper = 1 rad/s"
draws turned grid.h5 max_rate --x $rate --y $brake --at $angle=1.1 --at segment=lo_w-er
in_script "initial.angle.upper = 1 rad; segment = lo_w-er"
draws gaps grid.h5 max_rate --y segment --x $angle --at $rate=0
checks map grid.h5 gaps max_rate $angle segment $rate=0 $brake=3
draws masked grid.h5 end_angle --x $angle --y $rate --at $brake=1e1
checks irregular grid.h5 masked end_angle $angle $rate $brake=6 segment=1
in_script "grey: 9 of 27 without a value"
draws wide irregular.h5
checks irregular irregular.h5 wide end_angle_wrapped.lo_w-er $brake $angle
expect 0 "$MANYLINK" run --quiet grid.yaml --set 'sweep.0.values=[0]' -o thin.h5
draws thin thin.h5 --x $rate --at $brake=0.1
checks irregular thin.h5 thin end_angle_wrapped.lo_w-er $rate $angle $brake=2
draws curves line.h5 end_angle
checks curves line.h5 curves summary/end_angle $angle -
in_script 'title "lo_w-er"'
draws one line.h5 end_angle --at segment=upper --from 0 --to 1.5
checks curves line.h5 one summary/end_angle $angle - segment=0
in_script "set xrange [0:1.5]"
draws fixed grid.h5 end_rate --at $rate=0 --at $brake=0.1
checks curves grid.h5 fixed summary/end_rate $angle - $rate=0 $brake=2
draws run grid.h5 end_angle --run 20
checks curves grid.h5 run summary/end_angle segment - $rate=0 $angle=2 $brake=6
draws sample sample.h5 end_rate --x $brake
checks curves sample.h5 sample summary/end_rate $brake -
in_script "set logscale x"
draws points sample.h5 max_rate --x $brake --y initial.rate.lo_w-er --at segment=lo_w-er
checks points sample.h5 points max_rate $brake initial.rate.lo_w-er segment=1
in_script '($3 == $3 ? $1 : NaN)' # a point without a value would be white
draws motion grid.h5 angle --run 20
checks curves grid.h5 motion trajectories/angle time - run=2
in_script "run = 20"
in_script "forces.brake.coefficient = 10 N m s/rad"
draws nearest grid.h5 angle --at $rate=0.4 --at $brake=0.5 --at $angle=-1
checks curves grid.h5 nearest trajectories/angle time - run=10
in_script "run = 100, the nearest that was saved"
in_script "$angle = -0.5 rad"
draws exact grid.h5 angle --at $rate=0 --at $angle=1.5 --at $brake=0.31622776601683794
in_script '"run = 10"'
draws family grid.h5 max_rate --y none --at $rate=1 --at segment=upper
checks curves grid.h5 family summary/max_rate $brake - $rate=1 segment=0
in_script "title \"$angle\""
draws diverged grid.h5 angle --run 180
in_script "not finished: diverged"
draws stick single.h5 stick
checks stick single.h5 stick 0
draws default single.h5
checks curves single.h5 default trajectories/angle time - run=0

expect 0 "$MANYLINK" run --quiet single.yaml -o shells.h5 --set initial.rate=1 --set save={} \
    --set 'analyse={lyapunov: {}}' \
    --set 'sample={method: sobol, count: 20, over: [{set: initial.energy, from: 0, to: 20}]}'
draws shells shells.h5 lyapunov_spectrum --x initial.energy
checks curves shells.h5 shells summary/lyapunov_spectrum initial.energy lyapunov_error

# Of an axis that moves several quantities the first is drawn along, if its values are in order.
expect 0 "$MANYLINK" run --quiet line.yaml -o together.h5 --set save={} --set \
    'sweep=[{name: push, set: [initial.rate.upper, initial.rate.lo_w-er], values: [[1, 2], [5, 9], [8, 3]]}]'
draws together together.h5 max_rate
checks curves together.h5 together summary/max_rate initial.rate.upper -
draws member together.h5 max_rate --run 1
in_script "initial.rate.upper = 5 rad/s"

# Long labels have room.
expect 0 "$MANYLINK" run --quiet line.yaml -o slopes.h5 --set 'analyse={sensitivity: {of: [end_state, max_rate],
    to: [system.segments.upper.inertia, initial.rate.upper, system.segments.lo_w-er.mass, system.segments.lo_w-er.inertia, system.gravity]}}'
draws slopes slopes.h5 sensitivity --run 3
in_script "set lmargin at screen 0.3"
draws legend slopes.h5 sensitivity --at output=angle.upper
in_script "set bmargin 9"
draws bar slopes.h5 sensitivity
in_script "set rmargin at screen 0.5"

checks add line.h5
checks add single.h5
expect 1 "$MANYLINK" plot line.h5 lyapunov_spectrum
says err "was changed by another program"
draws spectrum line.h5 lyapunov_spectrum --changed
checks curves line.h5 spectrum summary/lyapunov_spectrum $angle lyapunov_error
draws max line.h5 lyapunov_max --changed
checks curves line.h5 max summary/lyapunov_max $angle lyapunov_error
draws sum line.h5 lyapunov_sum --changed
checks curves line.h5 sum summary/lyapunov_sum $angle -
draws attribute line.h5 max_rate --changed
checks curves line.h5 attribute summary/max_rate $angle end_rate_errors
draws name line.h5 end_rate --at segment=upper --changed
checks curves line.h5 name summary/end_rate $angle end_rate_errors segment=0
draws second line.h5 lyapunov_spectrum --at exponent=2 --changed
checks curves line.h5 second summary/lyapunov_spectrum $angle lyapunov_error exponent=1
draws history line.h5 lyapunov_history --run 3 --changed
checks curves line.h5 history summary/lyapunov_history time - $angle=3
in_script "set logscale x"
in_script "run 3; initial.angle.upper = -0.5 rad"
draws over single.h5 lyapunov_spectrum --changed
checks curves single.h5 over summary/lyapunov_spectrum exponent lyapunov_error

# What gnuplot makes of them.
# A shard has other rows than the whole study, and the same runs.
expect 3 "$MANYLINK" run grid.yaml --shard 1/2 -o shard.h5 -q
n_same=0
for run in 0 10 20 30 40 50 60 70 80 90; do
    "$MANYLINK" plot shard.h5 angle --run $run --script shard-angle >out 2>err || continue
    expect 0 "$MANYLINK" plot grid.h5 angle --run $run --script grid-angle
    [ "$(grep '^set title' shard-angle/plot.gp)" = "$(grep '^set title' grid-angle/plot.gp)" ] ||
        fail "the shard tells other values of run $run"
    expect 0 "$MANYLINK" plot shard.h5 end_angle --run $run --script shard-end
    expect 0 "$MANYLINK" plot grid.h5 end_angle --run $run --script grid-end
    cmp shard-end/data.bin grid-end/data.bin || fail "the shard shows another run than run $run"
    n_same=$((n_same + 1))
done
[ $n_same -gt 2 ] || fail "no run of the shard was drawn"

begins()
{
    [ "$(head -c 4 "$1" | tr -d '\211')" = "$2" ] || fail "$1 does not begin with $2"
}
expect 0 "$MANYLINK" plot grid.h5
says out grid.png
begins grid.png PNG
expect 0 "$MANYLINK" plot single.h5 stick --changed
begins single-stick.png PNG
expect 0 "$MANYLINK" plot sample.h5 --x initial.rate.lo_w-er --y $brake -o "it's a  \"picture\" \`touch owned\`.svg"
begins it*.svg '<?xm'
expect 0 "$MANYLINK" plot line.h5 end_angle -o line.pdf --changed
begins line.pdf %PDF
for script in */plot.gp; do
    gnuplot -c "$script" from_script.png >messages 2>&1 || fail "$script: $(cat messages)"
    grep -q '^set terminal .* noenhanced ' "$script" || fail "$script draws markup"
    [ ! -s messages ] || fail "$script: $(cat messages)"
    begins from_script.png PNG
    rm from_script.png
done
[ ! -e owned ] || fail "a title was run as a command"
[ -z "$(find . -name '*.tmp')$(find temporary -mindepth 1)" ] || fail "temporary files are left"
