/* Inverse dynamics from the tip inwards: against reference data, against the engine's own M, C and
 * G, and that the parts are a whole. */
#include "check.h"
#include "inverse/dynamics.h"
#include "reference/reference.h"

enum { N = REF_MAX_N };

/* One instant in joint coordinates, and its loads. */
struct frame {
    double angle[N], rate[N], acceleration[N];           /* of joints */
    double sine[N], cosine[N], turn[N], turn_of_turn[N]; /* of segments */
    double load[N][3], torque[ML_N_TORQUE][N], coupling[N * N], force[N][2];
};

static void sum_up(int n, const double *joint, double *segment)
{
    for (int i = 0; i < n; i++)
        segment[i] = joint[i] + (i > 0 ? segment[i - 1] : 0.0);
}

/* The lane that is looked at; numbers of the other lanes are 0, so that one of another lane would
 * show. */
enum { LANE = ML_LANES - 3 };

static void to_lane(int n, const double *from, double *rows)
{
    for (int i = 0; i < n; i++)
        rows[i * ML_LANES + LANE] = from[i];
}

static void from_lane(int n, const double *rows, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = rows[i * ML_LANES + LANE];
}

static void solve(const struct ml_segment_params *b, bool has_load, struct frame *f)
{
    static double work[ML_DYNAMICS_ROWS * N * ML_LANES], sine[N * ML_LANES], cosine[N * ML_LANES],
        turn[N * ML_LANES], turn_of_turn[N * ML_LANES], load[3 * N * ML_LANES], base[2 * ML_LANES],
        torque[ML_N_TORQUE][N * ML_LANES], coupling[N * N * ML_LANES], force[2 * N * ML_LANES];
    double angle[N];
    sum_up(b->n, f->angle, angle);
    sum_up(b->n, f->rate, f->turn);
    sum_up(b->n, f->acceleration, f->turn_of_turn);
    for (int i = 0; i < b->n; i++) {
        f->sine[i] = sin(angle[i]);
        f->cosine[i] = cos(angle[i]);
    }
    to_lane(b->n, f->sine, sine);
    to_lane(b->n, f->cosine, cosine);
    to_lane(b->n, f->turn, turn);
    to_lane(b->n, f->turn_of_turn, turn_of_turn);
    to_lane(3 * b->n, f->load[0], load);
    const struct ml_instants instants = {
        .sine = sine,
        .cosine = cosine,
        .rate = turn,
        .acceleration = turn_of_turn,
        .base = base,
        .load = has_load ? load : NULL,
    };
    struct ml_joint_loads out = {.coupling = coupling, .force = force};
    for (int p = 0; p < ML_N_TORQUE; p++) {
        out.torque[p] = torque[p];
        for (int i = 0; i < b->n * ML_LANES; i++)
            torque[p][i] = (double)NAN;
    }
    ml_inverse_dynamics(b, &instants, work, &out);
    for (int p = 0; p < ML_N_TORQUE; p++)
        from_lane(b->n, torque[p], f->torque[p]);
    from_lane(b->n * b->n, coupling, f->coupling);
    from_lane(2 * b->n, force, f->force[0]);
}

static void load(struct ml_segment_params *b, const struct ref_runs *runs)
{
    if (!ml_segment_params_init(b, &runs->ensemble))
        ref_stop("out of memory");
    ml_segment_params_load(b, &runs->ensemble, 0);
}

static void row(const json_t *object, const char *key, size_t k, int n, double *out)
{
    if (ref_numbers(json_array_get(json_object_get(object, key), k), n, out) != n)
        ref_stop("reference file: '%s' needs %d numbers", key, n);
}

/* Force of a case, at a distance from the segment's joint along it. */
static bool set_load(const json_t *params, const struct ml_segment_params *b, struct frame *f)
{
    const json_t *given = json_object_get(params, "fext");
    double force[2], angle = 0.0;
    memset(f->load, 0, sizeof f->load);
    if (!given)
        return false;
    int k = (int)ref_number(given, "k") - 1;
    double r = ref_number(given, "r");
    (void)ref_numbers(json_object_get(given, "F"), 2, force);
    for (int i = 0; i <= k; i++)
        angle += f->angle[i];
    CHECK(!b->is_down);
    f->load[k][0] = force[0];
    f->load[k][1] = force[1];
    f->load[k][2] = r * (cos(angle) * force[1] - sin(angle) * force[0]);
    return true;
}

/* A part of all instants against its rows in the file. */
struct part {
    const char *name;
    enum ml_torque part;
};

/* Largest error of n numbers, and largest of those that are right. */
struct deviation {
    double worst, scale;
};

static void compare(struct deviation *d, int n, const double *is, const double *should)
{
    for (int i = 0; i < n; i++) {
        d->worst = ref_worse(d->worst, fabs(is[i] - should[i]));
        d->scale = fmax(d->scale, fabs(should[i]));
    }
}

static void torques_are_those_of_the_reference(const char *file, const struct part *parts,
                                               int n_part, double bound)
{
    json_t *root = ref_load(file);
    const json_t *cases = json_object_get(root, "cases");
    for (size_t c = 0; c < json_array_size(cases); c++) {
        const json_t *one = json_array_get(cases, c), *params = json_object_get(one, "params");
        struct deviation torque = {0}, force = {0};
        double x0[2 * N] = {0.0}, should[2 * N];
        struct ref_chain chain = {.right = true};
        struct ref_runs runs;
        struct ml_segment_params b;
        struct frame f;
        CHECK_CASE("%s %s", file, ref_name(one));
        if (json_object_get(params, "n")) {
            chain = ref_chain(params);
        } else { /* the arm in the plane of a table */
            chain.n = ref_numbers(json_object_get(params, "m"), N, chain.m);
            (void)ref_numbers(json_object_get(params, "l"), N, chain.l);
            (void)ref_numbers(json_object_get(params, "d"), N, chain.d);
            (void)ref_numbers(json_object_get(params, "I"), N, chain.inertia);
        }
        ref_runs_init(&runs, ref_fastest(), &chain, true, 1, x0);
        load(&b, &runs);
        for (size_t k = 0; k < json_array_size(json_object_get(one, "t")); k++) {
            row(one, "alpha", k, b.n, f.angle);
            row(one, "alphad", k, b.n, f.rate);
            row(one, "alphadd", k, b.n, f.acceleration);
            solve(&b, set_load(params, &b, &f), &f);
            for (int p = 0; p < n_part; p++) {
                row(one, parts[p].name, k, b.n, should);
                compare(&torque, b.n, f.torque[parts[p].part], should);
            }
            if (!json_object_get(one, "joint_force"))
                continue;
            row(one, "joint_force", k, 2 * b.n, should);
            compare(&force, 2 * b.n, &f.force[0][0], should);
        }
        CHECK(torque.scale > 0.0);
        CHECK_ERROR(torque.worst / torque.scale, bound);
        CHECK_ERROR(force.worst / fmax(force.scale, 1.0), bound);
        ml_segment_params_free(&b);
    }
    json_decref(root);
}

static void reference_motions_take_their_torques(void)
{
    static const struct part three_links[] = {{"T", ML_TORQUE_ALL},
                                              {"T_inertia", ML_TORQUE_INERTIA},
                                              {"T_v", ML_TORQUE_VELOCITY},
                                              {"T_gravity", ML_TORQUE_GRAVITY},
                                              {"T_ext", ML_TORQUE_EXTERNAL}};
    static const struct part two_links[] = {{"T", ML_TORQUE_ALL},
                                            {"T_inertial_own", ML_TORQUE_OWN},
                                            {"T_centripetal", ML_TORQUE_CENTRIPETAL},
                                            {"T_coriolis", ML_TORQUE_CORIOLIS}};
    torques_are_those_of_the_reference("inverse_dynamics.json", three_links, 5, 5e-15);
    torques_are_those_of_the_reference("reaching_two_link.json", two_links, 4, 5e-15);
}

/* Between -1 and 1, the same on every machine. */
static double draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1.0;
}

static struct ref_chain draw_chain(int n, bool right, unsigned *seed)
{
    struct ref_chain chain = {.n = n, .right = right, .g = {draw(seed), -9.81}};
    for (int i = 0; i < n; i++) {
        chain.m[i] = 1.5 + draw(seed);
        chain.l[i] = 1.2 + draw(seed);
        chain.d[i] = draw(seed);
        chain.inertia[i] = 1.1 + draw(seed);
        chain.b[i] = 1.0 + draw(seed);
    }
    return chain;
}

/* M a'' - C - G - D in joint angles, against the recursion and the sums of its parts. */
static void recursion_and_matrices_agree(int n, bool right)
{
    unsigned seed = 7u + (unsigned)n;
    double x0[2 * N];
    CHECK_CASE("%d segments, zero %s", n, right ? "right" : "down");
    for (int draws = 0; draws < 20; draws++) {
        const struct ref_chain chain = draw_chain(n, right, &seed);
        struct ref_runs runs;
        struct ml_segment_params b;
        struct frame f;
        double whole[N] = {0.0}, inertia[N] = {0.0}, velocity[N], gravity[N], sum[N];
        for (int i = 0; i < n; i++) {
            f.angle[i] = 3.0 * draw(&seed);
            f.rate[i] = 4.0 * draw(&seed);
            f.acceleration[i] = 9.0 * draw(&seed);
        }
        sum_up(n, f.angle, x0);
        sum_up(n, f.rate, x0 + n);
        ref_runs_init(&runs, ref_fastest(), &chain, true, 1, x0);
        const struct ref_evaluation e = ref_evaluate(&runs, 0);
        load(&b, &runs);
        solve(&b, false, &f);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                inertia[i] += e.m[i * n + j] * f.acceleration[j];
            velocity[i] = -e.c[i];
            gravity[i] = -e.g[i];
            whole[i] = inertia[i] + velocity[i] + gravity[i] - e.d[i];
            sum[i] = f.torque[ML_TORQUE_OWN][i];
            for (int j = 0; j < n; j++)
                sum[i] += f.coupling[i * n + j];
            CHECK_ERROR(fabs(f.coupling[i * n + i]), 0.0);
        }
        CHECK_ERROR(ref_error(n, f.torque[ML_TORQUE_ALL], whole), 1e-14);
        CHECK_ERROR(ref_error(n, f.torque[ML_TORQUE_INERTIA], inertia), 1e-14);
        CHECK_ERROR(ref_error(n, sum, inertia), 1e-14);
        CHECK_ERROR(ref_error(n, f.torque[ML_TORQUE_GRAVITY], gravity), 1e-14);
        ml_segment_params_free(&b);
        if (n == 1) /* nothing but rounding */
            continue;
        CHECK_ERROR(ref_error(n, f.torque[ML_TORQUE_VELOCITY], velocity), 2e-14);
        for (int i = 0; i < n; i++)
            sum[i] = f.torque[ML_TORQUE_CENTRIPETAL][i] + f.torque[ML_TORQUE_CORIOLIS][i];
        CHECK_ERROR(ref_error(n, sum, velocity), 2e-14);
    }
}

/* With joint j alone in motion there is nothing for a second joint's rate to couple to. */
static void one_moving_joint_has_no_coriolis_torque(void)
{
    unsigned seed = 3;
    const double x0[6] = {0.0};
    const struct ref_chain chain = draw_chain(3, true, &seed);
    struct ref_runs runs;
    struct ml_segment_params b;
    struct frame f = {.angle = {0.3, 0.7, -1.1}};
    CHECK_CASE("one joint");
    ref_runs_init(&runs, ref_fastest(), &chain, true, 1, x0);
    load(&b, &runs);
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++)
            f.rate[i] = i == j ? 2.0 : 0.0;
        solve(&b, false, &f);
        for (int i = 0; i < 3; i++)
            CHECK(f.torque[ML_TORQUE_CORIOLIS][i] == 0.0);
        CHECK(fabs(f.torque[ML_TORQUE_CENTRIPETAL][(j + 1) % 3]) > 1e-3);
    }
    ml_segment_params_free(&b);
}

int main(void)
{
    static const int sizes[] = {1, 2, 3, 5, 8};
    reference_motions_take_their_torques();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int right = 0; right < 2; right++)
            recursion_and_matrices_agree(sizes[i], right);
    one_moving_joint_has_no_coriolis_torque();
    return check_done();
}
