/* The chain's equations of motion: against independently computed numbers, and properties that any
 * chain must have. */
#include "check.h"
#include "reference/reference.h"

enum { MAX_N = REF_MAX_N };

static const int sizes[] = {1, 2, 3, 5, 8};
enum { N_SIZE = sizeof sizes / sizeof *sizes };

static const double pi_half = 1.5707963267948966;

/* A case of a static file: what is put in, and the numbers of one of its arrays. */
struct static_case {
    struct ref_chain chain;
    double x0[2 * MAX_N];
    const json_t *json;
};

static void read_case(const json_t *json, struct static_case *out)
{
    *out = (struct static_case){.chain = ref_chain(json_object_get(json, "params")), .json = json};
    (void)ref_numbers(json_object_get(json, "phi"), MAX_N, out->x0);
    (void)ref_numbers(json_object_get(json, "omega"), MAX_N, out->x0 + out->chain.n);
}

/* Error of what the engine says against sign times an array of the case. */
static double error_of(const struct static_case *sample, const char *key, double sign,
                       const double *found)
{
    double expected[MAX_N * MAX_N];
    int count = ref_numbers(json_object_get(sample->json, key), MAX_N * MAX_N, expected);
    for (int i = 0; i < count; i++)
        expected[i] *= sign;
    return count ? ref_error(count, found, expected) : (double)NAN;
}

static double largest(int n, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most > 0.0 ? most : 1.0;
}

static void terms_match_the_references(const struct static_case *sample,
                                       const struct ref_runs *runs)
{
    const struct ref_evaluation found = ref_evaluate(runs, 0);
    double state[2 * MAX_N], external[MAX_N], spring[MAX_N];
    int n = runs->chain.n;
    (void)ref_numbers(json_object_get(sample->json, "E_force"), MAX_N, external);
    (void)ref_numbers(json_object_get(sample->json, "E_spring"), MAX_N, spring);
    for (int i = 0; i < n; i++)
        external[i] += spring[i];
    for (int i = n - 2; runs->joint && i >= 0; i--)
        external[i] += external[i + 1];
    for (int q = 0; q < 2; q++)
        if (runs->joint)
            ref_to_joint(n, sample->x0 + q * n, state + q * n);
        else
            memcpy(state + q * n, sample->x0 + q * n, (size_t)n * sizeof *state);
    CHECK_ERROR(ref_error(2 * n, found.state, state), 5e-16);
    /* a pull along the segment is what rounding is relative to */
    CHECK_ERROR(ref_error(n, found.e, external) * largest(n, external) /
                    fmax(largest(n, external), largest(n, found.g)),
                5e-15);
    if (!runs->joint) {
        CHECK_ERROR(error_of(sample, "M", 1.0, found.m), 1e-15);
        CHECK_ERROR(error_of(sample, "C", 1.0, found.c), 1e-14);
        CHECK_ERROR(error_of(sample, "G", 1.0, found.g), 5e-15);
        CHECK_ERROR(error_of(sample, "Q", 1.0, found.q), 1e-15);
        CHECK_ERROR(error_of(sample, "D", 1.0, found.d), 1e-15);
    } else {
        double damping[MAX_N];
        for (int i = 0; i < n; i++)
            damping[i] = -runs->chain.b[i] * state[n + i];
        CHECK_ERROR(error_of(sample, "M_joint", 1.0, found.m), 2e-15);
        CHECK_ERROR(error_of(sample, "v_joint", -1.0, found.c), 1e-14);
        CHECK_ERROR(error_of(sample, "G_joint", -1.0, found.g), 5e-15);
        CHECK_ERROR(ref_error(n, found.q, runs->chain.tau), 2e-15);
        CHECK_ERROR(ref_error(n, found.d, damping), 2e-15);
    }
    const json_t *energy = json_object_get(sample->json, "energy");
    double kinetic = ref_number(energy, "kinetic"), gravity = ref_number(energy, "gravity");
    double of_spring = ref_number(energy, "spring"),
           of_force = ref_number(energy, "constant_force");
    double scale = kinetic + fabs(gravity) + of_spring + fabs(of_force);
    CHECK_ERROR(fabs(found.kinetic - kinetic) / kinetic, 5e-15);
    CHECK_ERROR(fabs(found.potential - gravity - of_spring - of_force) / scale, 5e-15);
}

static void accelerations_match_the_references(const struct static_case *sample,
                                               const struct ref_runs *runs)
{
    const struct ref_evaluation found = ref_evaluate(runs, 0);
    CHECK_ERROR(error_of(sample, runs->joint ? "alphadd" : "phidd", 1.0, found.qdd), 5e-14);
}

static void static_cases_match(const struct ml_kernels *k, int solver, const json_t *file)
{
    const json_t *cases = json_object_get(file, "cases");
    for (size_t i = 0; i < json_array_size(cases); i++)
        for (int joint = 0; joint < 2; joint++) {
            struct static_case sample;
            struct ref_runs runs;
            read_case(json_array_get(cases, i), &sample);
            CHECK_CASE("%s %s %s %s", ref_name(sample.json), k->isa, k->solvers[solver].name,
                       joint ? "joint" : "segment");
            ref_runs_init(&runs, k, &sample.chain, joint, 1, sample.x0);
            runs.ensemble.model.solver = (enum ml_solver_kind)solver;
            terms_match_the_references(&sample, &runs);
            accelerations_match_the_references(&sample, &runs);
        }
}

/* T = M alphadd + v + G, each part by itself, along given motions. */
static void inverse_dynamics_parts_match_the_references(const struct ml_kernels *k,
                                                        const json_t *file)
{
    enum { MAX_INSTANTS = 64 };
    const json_t *cases = json_object_get(file, "cases");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *json = json_array_get(cases, i);
        struct ref_chain chain = ref_chain(json_object_get(json, "params"));
        int n = chain.n;
        double alpha[3][MAX_INSTANTS * MAX_N] = {{0}}, torque[3][MAX_INSTANTS * MAX_N] = {{0}};
        const char *motion[] = {"alpha", "alphad", "alphadd"};
        const char *parts[] = {"T_inertia", "T_v", "T_gravity"};
        double x0[MAX_INSTANTS * 2 * MAX_N], found[3][MAX_INSTANTS * MAX_N] = {{0}};
        int count = 0;
        for (int part = 0; part < 3; part++) {
            count =
                ref_numbers(json_object_get(json, motion[part]), MAX_INSTANTS * MAX_N, alpha[part]);
            CHECK(count == ref_numbers(json_object_get(json, parts[part]), MAX_INSTANTS * MAX_N,
                                       torque[part]));
        }
        int n_instant = count / n;
        CHECK(n_instant > 0);
        for (int r = 0; r < n_instant; r++)
            for (int q = 0; q < 2; q++)
                for (int j = 0; j < n; j++)
                    x0[(2 * r + q) * n + j] =
                        alpha[q][r * n + j] + (j ? x0[(2 * r + q) * n + j - 1] : 0.0);
        struct ref_runs runs;
        ref_runs_init(&runs, k, &chain, true, n_instant, x0);
        for (int r = 0; r < n_instant; r++) {
            const struct ref_evaluation at = ref_evaluate(&runs, r);
            for (int j = 0; j < n; j++) {
                double inertia = 0.0;
                for (int p = 0; p < n; p++)
                    inertia += at.m[j * n + p] * alpha[2][r * n + p];
                found[0][r * n + j] = inertia;
                found[1][r * n + j] = -at.c[j];
                found[2][r * n + j] = -at.g[j];
            }
        }
        CHECK_CASE("%s %s", ref_name(json), k->isa);
        CHECK_ERROR(ref_error(count, found[0], torque[0]), 1e-15);
        CHECK_ERROR(ref_error(count, found[1], torque[1]), 5e-15);
        CHECK_ERROR(ref_error(count, found[2], torque[2]), 1e-15);
    }
}

/* A chain of n unlike segments with torques and dampers, somewhere in the middle of a motion. */
static struct ref_chain unlike_segments(int n)
{
    struct ref_chain chain = {.n = n, .g = {0.0, -9.81}};
    for (int i = 0; i < n; i++) {
        chain.m[i] = 0.4 + 0.3 * ((5 * i + 2) % 7);
        chain.l[i] = 0.3 + 0.1 * ((3 * i + 1) % 5);
        chain.d[i] = chain.l[i] * (0.35 + 0.1 * (i % 3));
        chain.inertia[i] = 0.09 * chain.m[i] * chain.l[i] * chain.l[i];
        chain.b[i] = 0.02 * (1 + i % 4);
        chain.tau[i] = 1.5 - 0.7 * (i % 5);
    }
    return chain;
}

static void in_motion(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        x[i] = 2.5 * sin(1.7 * i + 0.4);
        x[n + i] = 4.0 * cos(2.3 * i + 1.1);
    }
}

static struct ref_evaluation evaluate(const struct ml_kernels *k, const struct ref_chain *chain,
                                      const double *x)
{
    struct ref_runs runs;
    ref_runs_init(&runs, k, chain, false, 1, x);
    return ref_evaluate(&runs, 0);
}

static void a_mirror_image_accelerates_the_other_way(const struct ml_kernels *k, int n)
{
    struct ref_chain chain = unlike_segments(n);
    double x[2 * MAX_N], there[MAX_N];
    in_motion(n, x);
    const struct ref_evaluation here = evaluate(k, &chain, x);
    for (int i = 0; i < 2 * n; i++)
        x[i] = -x[i];
    for (int i = 0; i < n; i++)
        chain.tau[i] = -chain.tau[i];
    const struct ref_evaluation mirror = evaluate(k, &chain, x);
    for (int i = 0; i < n; i++)
        there[i] = -mirror.qdd[i];
    CHECK_CASE("mirror n=%d %s", n, k->isa);
    CHECK(!memcmp(there, here.qdd, (size_t)n * sizeof *there)); /* the sine is odd to the bit */
    CHECK(mirror.kinetic == here.kinetic && mirror.potential == here.potential);
}

static void without_gravity_no_direction_is_special(const struct ml_kernels *k, int n)
{
    struct ref_chain chain = unlike_segments(n);
    double x[2 * MAX_N];
    chain.g[1] = 0.0;
    in_motion(n, x);
    const struct ref_evaluation here = evaluate(k, &chain, x);
    for (int i = 0; i < n; i++)
        x[i] += 0.75;
    const struct ref_evaluation turned = evaluate(k, &chain, x);
    CHECK_CASE("turned n=%d %s", n, k->isa);
    CHECK_ERROR(ref_error(n, turned.qdd, here.qdd), 2e-14);
    CHECK_ERROR(fabs(turned.kinetic - here.kinetic) / here.kinetic, 1e-15);
}

static void both_zero_directions_describe_the_same_motion(const struct ml_kernels *k, int n)
{
    struct ref_chain chain = unlike_segments(n);
    double x[2 * MAX_N];
    chain.g[0] = 3.0;
    in_motion(n, x);
    const struct ref_evaluation down = evaluate(k, &chain, x);
    chain.right = true;
    for (int i = 0; i < n; i++)
        x[i] -= pi_half;
    const struct ref_evaluation right = evaluate(k, &chain, x);
    CHECK_CASE("zero n=%d %s", n, k->isa);
    CHECK_ERROR(ref_error(n, right.qdd, down.qdd), 2e-14);
    CHECK_ERROR(ref_error(n, right.g, down.g), 1e-15);
    CHECK_ERROR(fabs(right.potential - down.potential) / down.kinetic, 1e-15);
}

/* Energy flows from the velocities and accelerations of the centres of mass, so nothing is shared
 * with the engine's M and G. */
static void joint_power_is_the_change_of_energy(const struct ml_kernels *k, int n)
{
    const struct ref_chain chain = unlike_segments(n);
    double x[2 * MAX_N], power = 0.0, change = 0.0, scale = 0.0;
    double v[2] = {0.0, 0.0}, a[2] = {0.0, 0.0}; /* of the proximal joint */
    in_motion(n, x);
    const struct ref_evaluation now = evaluate(k, &chain, x);
    for (int i = 0; i < n; i++) {
        double omega = x[n + i], relative = omega - (i ? x[n + i - 1] : 0.0);
        double u[2] = {sin(x[i]), -cos(x[i])}, normal[2] = {cos(x[i]), sin(x[i])};
        double ctx = chain.inertia[i] * omega * now.qdd[i];
        for (int c = 0; c < 2; c++) {
            double dv = omega * normal[c];
            double da = now.qdd[i] * normal[c] - omega * omega * u[c];
            ctx += chain.m[i] * (v[c] + chain.d[i] * dv) * (a[c] + chain.d[i] * da - chain.g[c]);
            v[c] += chain.l[i] * dv;
            a[c] += chain.l[i] * da;
        }
        change += ctx;
        scale += fabs(ctx);
        power += (chain.tau[i] - chain.b[i] * relative) * relative;
    }
    CHECK_CASE("power n=%d %s", n, k->isa);
    CHECK_ERROR(fabs(change - power) / scale, 1e-14);
}

int main(void)
{
    json_t *static_files[N_SIZE], *inverse = ref_load("inverse_dynamics.json");
    for (int f = 0; f < N_SIZE; f++) {
        char name[32];
        (void)snprintf(name, sizeof name, "static_n%d.json", sizes[f]);
        static_files[f] = ref_load(name);
    }
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        inverse_dynamics_parts_match_the_references(k, inverse);
        for (int f = 0; f < N_SIZE; f++) {
            for (int solver = 0; solver < ML_N_SOLVER; solver++)
                static_cases_match(k, solver, static_files[f]);
            a_mirror_image_accelerates_the_other_way(k, sizes[f]);
            without_gravity_no_direction_is_special(k, sizes[f]);
            both_zero_directions_describe_the_same_motion(k, sizes[f]);
            joint_power_is_the_change_of_energy(k, sizes[f]);
        }
    }
    for (int f = 0; f < N_SIZE; f++)
        json_decref(static_files[f]);
    json_decref(inverse);
    return check_done();
}
