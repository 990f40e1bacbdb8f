# label: values
# Potentials with rates, and the Lagrangian as a whole: a charge in a magnetic field against its closed form, with a
# potential that depends on time too; a relativistic oscillator against its energy; a spring pendulum against its energies.
. "$SOURCE/tests/check.sh"
need_python

cat >charge.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {B: 2}
  coordinates: {x: 1, y: 0}
  kinetic: (x'^2 + y'^2)/2
  potential: -B/2*(x*y' - y*x')
initial: {y_rate: 1}
time: {end: 1}
integrator: {type: dop853, tolerance: 1e-12}
save: {trajectory: {every: 100, quantities: [energy, kinetic_energy, potential_energy, p_x, p_y]}}
END
sed "s|-B/2|-B*exp(-0*t)/2|" charge.yaml >timed.yaml
sed "/kinetic:/d; s|potential:.*|lagrangian: (x'^2 + y'^2)/2 + B/2*(x*y' - y*x')|" charge.yaml >whole.yaml
cat >moving.yaml <<'END'
manylink: 1
system: {type: equations, coordinates: {x: 0}, lagrangian: "-sqrt(1 - x'^2) - x^2/2"}
initial: {x_rate: 0.6}
integrator: {type: dop853, tolerance: 1e-12}
time: {end: 3}
save: {trajectory: {every: 100, quantities: [energy, p_x]}}
END
cat >energies.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {m: 0.7, k: 60, rest: 0.5, g: 9.81}
  coordinates: {r: 0.7, a: 60deg}
  define: {px: r*sin(a), py: -r*cos(a)}
  kinetic: m/2*(px'^2 + py'^2)
  potential: k/2*(r - rest)^2 + m*g*py
initial: {r_rate: 0.3, a_rate: 1}
integrator: {type: dop853, tolerance: 1e-12}
time: {end: 3}
END
sed "/kinetic:/d; s|potential:.*|lagrangian: m/2*(px'^2 + py'^2) - k/2*(r - rest)^2 - m*g*py|" energies.yaml >spring.yaml
for study in charge timed whole moving energies spring; do
    expect 0 "$MANYLINK" run $study.yaml
done
for study in energies spring; do
    expect 0 "$MANYLINK" run $study.yaml --set initial.energy=2 -o $study.scaled.h5
done
cat >check.py <<'PY'
import h5py, numpy as np
def end(name, *quantities):
    with h5py.File(f"{name}.h5") as file:
        return np.array([file[f"study/summary/end_{q}"][()].item() for q in quantities])
for name in "charge", "timed", "whole":
    assert np.abs(end(name, "x", "y") - [1 + (1 - np.cos(2))/2, np.sin(2)/2]).max() < 1e-12, name
for name in "charge", "whole":
    with h5py.File(f"{name}.h5") as file:
        assert np.abs(file["study/trajectories/energy"][()] - 0.5).max() < 4e-15
        assert np.abs(file["study/trajectories/potential_energy"][()]).max() == 0
        assert file["study/trajectories/p_y"][0, 0] == 2
x, v = end("moving", "x", "x_rate")
assert abs(1/np.sqrt(1 - v*v) + x*x/2 - 1.25) < 1e-11
with h5py.File("moving.h5") as file:
    assert np.abs(file["study/trajectories/energy"][()] - 1.25).max() < 1e-11
for scaled in "", ".scaled":
    q = "r", "a", "r_rate", "a_rate"
    assert np.abs(end("spring" + scaled, *q) - end("energies" + scaled, *q)).max() < 1e-12
PY
expect 0 "$PYTHON" check.py
expect 2 "$MANYLINK" plan whole.yaml --set system.kinetic=1
says err "kinetic excludes \`lagrangian\`"
expect 2 "$MANYLINK" plan whole.yaml --set system.G=1
says err "excludes \`kinetic\` and \`lagrangian\`"
