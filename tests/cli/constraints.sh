# label: values
# Mechanisms with constraints: against the same in angles, closed loops in closed form, rolling and skating, scipy; derivatives,
# exponents, multipliers; starts that do not hold them.
. "$SOURCE/tests/check.sh"
need_python scipy
"$PYTHON" "$SOURCE/tests/cli/constraints.py" "$MANYLINK" || fail "constraints"

# Kernels that are made compute the same bits, in shards too.
if makes_kernels; then
    for kernel in general made; do
        expect 0 "$MANYLINK" run all.yaml --kernel $kernel -o $kernel.h5
    done
    says out "kernel made for it"
    same general.h5 made.h5
    for k in 0 1; do
        expect 0 "$MANYLINK" run all.yaml --kernel made --shard $k/2 -o shard$k.h5
    done
    expect 0 "$MANYLINK" merge shard0.h5 shard1.h5 -o merged.h5
    same general.h5 merged.h5
fi

# A coarse step is told as that of an energy is; splitting methods run where constraints leave no rates in q''.
cat >told.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {l: 1, g: 9.81}
  coordinates: {x: 0, y: -1}
  kinetic: (x'^2 + y'^2)/2
  potential: g*y
  constraints: [x^2 + y^2 = l^2]
  stabilisation: 0
initial: {x_rate: 7}
time: {step: 0.1, end: 20}
END
expect 0 "$MANYLINK" run told.yaml -o told.h5
says err "constraints drift, by"
says err "of the sizes of their terms"
expect 2 "$MANYLINK" run told.yaml --set integrator=yoshida8 -o told.h5
says err "yoshida8"
sed -e 's/x^2 + y^2 = l^2/x + y = -l/' -e 's/x_rate: 7/x_rate: 7, y_rate: -7/' told.yaml >line.yaml
expect 0 "$MANYLINK" run line.yaml --set integrator=yoshida8 --set time.end=2 -o line.h5

# Printed and read again, the same motion; J and what the multipliers solve are there.
expect 0 "$MANYLINK" show-equations told.yaml
says out "J^T multipliers"
says out '#   - ["2*x", "2*y"]'
cp out keys.yaml
"$PYTHON" - <<'END' >again.yaml
import yaml
study = yaml.safe_load(open("told.yaml"))
system = study["system"]
study["system"] = {**{k: system[k] for k in ("type", "parameters", "coordinates")}, **yaml.safe_load(open("keys.yaml"))}
print(yaml.safe_dump(study, sort_keys=False, width=500))
END
expect 0 "$MANYLINK" run again.yaml -o again.h5
for file in told again; do
    expect 0 "$MANYLINK" table $file.h5 --columns end_x,end_y,constraint_drift
    tail -n +2 out >$file.txt
done
cmp told.txt again.txt || fail "show-equations prints another motion"
expect 0 "$MANYLINK" show-equations told.yaml --latex
says out "J &= "

# A run that goes on from another one is the same alone: steps keep constraints less well than a start must.
cat >goes_on.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {l: 1, g: 9.81, f: 0}
  coordinates: {x: 0, y: -1}
  kinetic: (x'^2 + y'^2)/2
  potential: g*y
  dissipation: (x'^2 + y'^2)/10
  forces: {x: f*cos(2*pi*t)}
  constraints: [x^2 + y^2 = l^2]
time: {step: 0.02, end: 2}
sweep: [{set: system.f, from: 1, to: 9, count: 4, continue: forward}]
END
expect 0 "$MANYLINK" run goes_on.yaml --no-accuracy
for k in 1 3; do
    expect 0 "$MANYLINK" run goes_on.yaml --run $k --no-accuracy -o alone$k.h5
    expect 0 "$MANYLINK" evaluate goes_on.yaml --run $k
done
"$PYTHON" - <<'END' || fail "runs of a line alone"
import h5py
for run in 1, 3:
    ends = [h5py.File(name)["study/summary/end_x_rate"][...].ravel() for name in (f"alone{run}.h5", "goes_on.h5")]
    assert ends[0][0] == ends[1][run], (run, ends)
END

# Terms add up to M q'': forces of constraints are in E.
expect 0 "$MANYLINK" evaluate told.yaml --json
"$PYTHON" - <<'END' || fail "terms"
import json
out = json.load(open("out"))
assert abs(out["E"][1] - (9.81 + 49)) < 1e-12 and abs(out["qdd"][1] - 49) < 1e-12, out
END

# The study of the page.
awk '/^## Constraints/ { here = 1 } /^```$/ && on { exit } on { print } here && $0 == "```yaml" { on = 1 }' \
    "$SOURCE/docs/mechanisms.md" >page.yaml
expect 0 "$MANYLINK" run page.yaml --set time.end=1
