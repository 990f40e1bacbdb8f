# Tables that formulas call: curves and their derivatives against scipy's PchipInterpolator; systems, energies, forces and
# records by table; the same bits from kernels and shards; beyond the ends; other samples.
. "$SOURCE/tests/check.sh"
need_python

"$PYTHON" "$SOURCE/tests/cli/formula_tables.py" make
cat >curve.yaml <<'END'
manylink: 1
tables: {f: {file: odd.csv, x: "x", y: value}, up: {file: odd.csv, x: "x", y: angle, outside: hold}, coarse: {file: coarse.csv, x: t, y: s}, fine: {file: fine.csv, x: t, y: s}}
system: {type: equations, state: {x: 0}, rates: {x: 1}}
quantities: {f: 0*x, f0: f(x), f1: "f'(x)", f2: "f''(x)", f3: "f'''(x)", g0: up(x), g1: "up'(x)", off: coarse(t) - sin(t), less: fine(t) - sin(t)}
time: {step: 0.0125, end: 9.9875}
save: {trajectory: {every: 1, quantities: [x, f0, f1, f2, f3, g0, g1, off, less]}}
END
expect 2 "$MANYLINK" run curve.yaml
says err '`f` cannot be a name in formulas: it is a table'
sed -i 's/{f: 0\*x, /{/' curve.yaml
expect 0 "$MANYLINK" run curve.yaml

# A pendulum with a moment by table, and the same from energies and as forces of chains.
cat >rates.yaml <<'END'
manylink: 1
tables: {moment: {file: sine.csv, x: angle, y: s}}
system:
  type: equations
  parameters: {k: 1.5, c: 0.3}
  state: {x: 1, v: 0}
  rates: {x: v, v: -k*moment(x) + c*cos(t) - 0.1*moment(v)}
quantities: {q: "moment(x) + t"}
time: {end: 5, tick: 0.05}
integrator: {type: dop853, tolerance: 1e-13}
sweep: [{set: system.k, from: 1, to: 2, count: 33}]
events: [{name: up, when: "moment(x)", max: 9, keep: [v, "moment'(v)"]}]
analyse: {lyapunov: {exponents: all}, sensitivity: {of: end_state, to: [system.k, system.c, initial.x]}}
save: {trajectory: {quantities: [x, v, q], every: 1}}
END
cat >energies.yaml <<'END'
manylink: 1
tables: {well: {file: potential.csv, x: "x", y: u}}
system:
  type: equations
  parameters: {m: 2}
  coordinates: {x: 0.5, y: 0.2}
  kinetic: m*x_rate^2/2 + y_rate^2/2
  potential: m*well(x) + well(y - x)
time: {end: 5, step: 1e-3}
integrator: rk4
sweep: [{set: system.m, from: 1, to: 2, count: 16}]
analyse: {lyapunov: {exponents: all}}
END
sed -e 's/^  potential.*/  forces: {x: "well'"'"'(y - x) - m*well'"'"'(x)", y: "-well'"'"'(y - x)"}/' energies.yaml >forces.yaml
cat >arm.yaml <<'END'
manylink: 1
tables: {moment: {file: sine.csv, x: angle, y: s, outside: hold}, drag: {file: sine.csv, x: angle, y: s, outside: hold}}
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
initial: {angle: {upper: 0.5, lower: -0.3}}
forces:
  - {name: spring, type: formula, joint: lower, torque: -k*moment(angle.lower - z), parameters: {k: 3}, state: {z: 0.1}, rates: {z: moment(angle.upper)}}
  - {name: water, type: point_formula, segment: lower, at: 0.4, force: [-drag(velocity.x), -2*drag(velocity.y)]}
  - {name: drive, type: torque, joint: upper, value: {type: pulse, amplitude: 1, onset: 0.5, duration: 0.25}}
time: {end: 2, step: 1e-3}
sweep: [{set: forces.spring.k, from: 1, to: 4, count: 20}]
analyse: {lyapunov: {exponents: all}, sensitivity: {of: end_state, to: [forces.spring.k, forces.spring.z, initial.angle.upper]}}
END
sed 's/moment(/sin(/g; s/drag(/sin(/g; /^tables/d' arm.yaml >arm_sines.yaml

# A table of the sine of a sum, which is computed of the sines of the terms.
cat >sums.yaml <<'END'
manylink: 1
tables: {up: {file: odd.csv, x: "x", y: value, outside: hold}, moment: {file: sine.csv, x: angle, y: s}}
system:
  type: equations
  state: {a: 0.5, b: -0.3, va: 0, vb: 0.2}
  rates: {a: va, b: vb, va: -sin(a) - cos(a) - moment(sin(a - b)), vb: -sin(b) - cos(b) + moment(cos(a - b)) + 0*up(a)}
time: {end: 2, step: 1e-3}
sweep: [{set: initial.a, from: 0, to: 1, count: 16}]
analyse: {lyapunov: {exponents: all}}
END
sed 's/moment(/sin(/g; s/ + 0\*up(a)//; /^tables/d' sums.yaml >sums_sines.yaml
for name in rates energies forces arm arm_sines sums sums_sines; do
    expect 0 "$MANYLINK" run $name.yaml --kernel general --no-accuracy
done
end=2
[ -z "$SANITIZE" ] || end=0.2
sed 's/^time.*/time: {end: '$end', tick: 0.05}\nintegrator: {type: rodas4, tolerance: 1e-7}/' arm.yaml >arm_stiff.yaml
expect 0 "$MANYLINK" run arm_stiff.yaml --kernel general --no-accuracy
for k in 0 1; do
    expect 0 "$MANYLINK" run rates.yaml --kernel general --no-accuracy --threads 1 --shard $k/2 -o part$k.h5
done
expect 0 "$MANYLINK" merge part0.h5 part1.h5 -o merged.h5
same rates.h5 merged.h5
if makes_kernels; then
    for name in rates energies arm arm_stiff sums; do
        expect 0 "$MANYLINK" run $name.yaml --kernel made --no-accuracy -o made.h5
        says out "kernel made for it"
        same $name.h5 made.h5
        rm made.h5
    done
fi
"$PYTHON" "$SOURCE/tests/cli/formula_tables.py" check

# Beyond the ends a run has no value, or the last one; a number there is told at once.
cat >leave.yaml <<'END'
manylink: 1
tables: {push: {file: sine.csv, x: angle, y: s}}
system: {type: equations, state: {x: 3, v: 1}, rates: {x: v, v: 0*x + push(x)}}
time: {end: 2, tick: 0.1}
integrator: {type: dop853, tolerance: 1e-9}
END
expect 3 "$MANYLINK" run leave.yaml
says out "1 diverged"
says out 'beyond table `push`?'
expect 2 "$MANYLINK" run leave.yaml --set "system.rates.v=push(2*pi)"
says err 'is outside of table `push`, which covers -4 to 4'
expect 0 "$MANYLINK" run leave.yaml --set tables.push.outside=hold -o held.h5
says out "1 finished"
expect 0 "$MANYLINK" show-equations leave.yaml --set "system.rates.v=push'(x)*v^2"
says out "push'(x)*v^2"
expect 0 "$MANYLINK" show-equations energies.yaml
says out "well'(y - x)"
says out '["m", "0"]'
cat >factors.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {a: 2, b: 3}
  define: {half: b/2}
  state: {x: 1}
  rates: {x: a*0.5*2*x + 3*(x + x)*x/a - 0.1*a*0.1 + half*2*x - 4*(-a)/3}
time: {step: 1e-3, end: 0.1}
END
expect 0 "$MANYLINK" show-equations factors.yaml
says out 'half: "0.5*b"'
says out 'x: "2*half*x + (a*x + 6*x^2/a) - 0.1*a*0.1 + 4*a/3"'

# The study is the same from its resolved text, and another one with other samples.
expect 0 "$MANYLINK" run energies.yaml
says out "finished already"
"$PYTHON" -c 'import h5py; print(h5py.File("energies.h5")["study/resolved"].asstr()[()])' >resolved.yaml
expect 0 "$MANYLINK" run resolved.yaml -o energies.h5
says out "finished already"
sed -i 's/^0\.0,.*/0.0,-1.0001/' potential.csv
expect 2 "$MANYLINK" run energies.yaml
says err "another study"
says err "# XXH3 (64 bits) of the file"

# What is wrong with a table or its use.
cat >wrong.yaml <<'END'
manylink: 1
tables:
  a: {file: none.csv, x: p, y: q}
  b: {file: odd.csv, x: X, y: value}
  c: {file: falls.csv, x: p, y: q}
  d: {file: sine.csv, x: angle, y: angle}
  e: {file: degrees.mot, x: hip, y: knee}
  x: {file: sine.csv, x: angle, y: s}
system: {type: equations, state: {x: 1, z: 1}, rates: {x: x, z: "a(z)"}}
time: {end: 1, step: 1e-3}
END
printf 'p,q\n0,1\n2,1\n1,1\n' >falls.csv
printf 'nRows=2\ninDegrees=yes\nendheader\ntime\thip\tknee\n0\t1\t2\n1\t2\t3\n' >degrees.mot
expect 2 "$MANYLINK" run wrong.yaml
says err "wrong.yaml:3:13: file is \`none.csv\`: No such file or directory"
says err "odd.csv:1:1: column \`X\` is missing; the columns are \`x\`, \`value\`, \`angle\`"
says err "falls.csv:4:1: p is 1 but must be greater than in the line before, 2"
says err "wrong.yaml:6:36: x and y are the same column"
says err "degrees.mot:1:1: the file is in degrees but does not name the columns with angles"
says err "wrong.yaml:9:35: \`x\` cannot be a name in formulas: it is a table"
says err "table \`a\` has a problem of its own"
sed -i '/^  [abcdex]:/d; s/^system.*/system: {type: equations, state: {x: 1}, rates: {x: g(x) + f(x > 1)}}/; s/^tables:/&\n  f: {file: sine.csv, x: angle, y: s}\n  g: {file: sine.csv, x: angle, y: c, outside: stop}/' wrong.yaml
expect 2 "$MANYLINK" run wrong.yaml
says err "outside is \`stop\` but must be one of: refuse, hold"
says err "a comparison is not a number"
sed -i 's/ f(x > 1)/ ff(x)/; s/stop/hold/' wrong.yaml
expect 2 "$MANYLINK" run wrong.yaml
says err 'there is no `ff` here; did you mean `f`?'
sed -i 's/ + ff(x)//' wrong.yaml
expect 0 "$MANYLINK" plan wrong.yaml
says err 'wrong.yaml:3:3: note: no formula calls table `f`'
