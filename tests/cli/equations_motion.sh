# label: values
# Equations of motion as matrices and from energies: the double pendulum of the system `chain`, with a PID too; the
# cart and pole in C of examples/; a computer algebra system's Lagrange equations; energies, momenta, exponents.
. "$SOURCE/tests/check.sh"
need_python sympy
mkdir build
"$CC" -std=c17 -O2 -ffp-contract=off -shared -fPIC -I"$SOURCE/include" -o build/cart_pole.so \
    "$SOURCE/examples/cart_pole/cart_pole.c" -lm
"$PYTHON" "$SOURCE/tests/cli/equations_motion.py" "$MANYLINK" || fail "equations of motion"

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
    for kernel in general made; do
        expect 0 "$MANYLINK" run swept_momenta.yaml --kernel $kernel -o swept_$kernel.h5
    done
    same swept_general.h5 swept_made.h5
fi

# Sines from stage to stage: of rods that turn slowly, too fast for that in some lanes or all, and by angles that need
# an exact reduction; of joint angles, whose sums have sines; with energies that kernels measure.
if makes_kernels; then
    cat >turned.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {m: 1.2, l: 0.8, g: 9.81, k: 2}
  coordinates: {a: 1, c: 0.5, s: {value: 0.2, unit: m}}
  kinetic: m*l^2*(2/3*a'^2 + (a' + c')^2/6 + cos(c)*a'*(a' + c')/2) + m*s'^2 + m*l*cos(a + c)*s'*a'/9
  potential: -m*g*l*(3*cos(a) + cos(a + c))/2 + k*s^2/2
time: {step: 2e-3, end: 1}
sweep:
  - {set: initial.a_rate, values: [0, 3, 20, 45, 60, 90, 4000]}
  - {set: initial.c, values: [0.5, 1.2, 99999.7, 2e5, -3e7]}
save: {trajectory: {every: 50, quantities: [a, c, s, energy]}}
END
    "$MANYLINK" show-code turned.yaml | sed -n '/equations_bare(/,/^}/p' >code
    [ "$(grep -c sincos code)" = 2 ] && [ "$(grep -c sincos_of code)" = 2 ] || fail "angles: $(cat code)"
    for exponents in "" analyse.lyapunov.exponents=all; do
        for kernel in general made; do
            expect 0 "$MANYLINK" run turned.yaml --kernel $kernel ${exponents:+--set $exponents} --restart \
                --failed-runs-ok --no-accuracy -o turned-$kernel.h5
        done
        same turned-general.h5 turned-made.h5
    done
fi

# Terms by name, at a terminal; blanks and a matrix of which half is given make no other study.
expect 0 "$MANYLINK" evaluate pendulum_energies.yaml
says out "q''"
says out "upper"
expect 0 "$MANYLINK" run pendulum_matrix.yaml -o own.h5
"$PYTHON" - <<'END' >again.yaml
import yaml
study = yaml.safe_load(open("pendulum_matrix.yaml"))
study["system"]["mass"] = [[" a"], ["c * cos( upper-lower )", "b"]]
print(yaml.safe_dump(study, sort_keys=False, width=500))
END
expect 0 "$MANYLINK" run again.yaml -o own.h5
says out "finished already"

# Methods for x'' = F(x, t) where no formula depends on a rate; a mass matrix that is singular on the way.
cat >oscillators.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {m: 2, k: 3}
  coordinates: {x: 1, y: -0.5}
  kinetic: m/2*x'^2 + x'*y'/5 + y'^2
  potential: k/2*x^2 + (y - x)^4
time: {step: 0.05, end: 50}
integrator: yoshida8
END
expect 0 "$MANYLINK" run oscillators.yaml -o oscillators.h5
expect 2 "$MANYLINK" run oscillators.yaml --set "system.dissipation=y'^2" -o damped.h5
says err "yoshida8"
cat >singular.yaml <<'END'
manylink: 1
system: {type: equations, coordinates: {x: 1}, kinetic: "x*x'^2/2", potential: "10*x"}
time: {step: 1e-3, end: 3}
END
expect 3 "$MANYLINK" run singular.yaml -o singular.h5
says out "1 singular_mass"

# An energy that is not a number on the way, between others that are, is no small drift.
cat >gap.yaml <<'END'
manylink: 1
system: {type: equations, coordinates: {x: 0}, kinetic: "x'^2/2", potential: "x^2/2 + 0*log(1 - x)"}
initial: {x_rate: 1.5}
time: {step: 1e-3, end: 10}
END
for kernel in general made; do
    expect 0 "$MANYLINK" run gap.yaml --kernel $kernel -o gap.h5 --restart
    "$PYTHON" -c 'import h5py; drift = h5py.File("gap.h5")["study/summary/energy_drift"][()]; assert drift != drift, drift'
done

# The study of the page about mechanisms.
block yaml docs/mechanisms.md >page.yaml
expect 0 "$MANYLINK" run page.yaml --set time.end=1
