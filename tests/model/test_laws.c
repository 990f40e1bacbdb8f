/* Whatever forces there are: their derivatives against differences of whole runs, the same bits on
 * every instruction set, and energy where they have a potential. */
#include "model/forces/pchip.h"
#include "model/transition.h"

enum { N_OFFSET = 4, MAX_DIRECTION = 24, N_STEP = 40 };

static const double offsets[N_OFFSET] = {4e-4, -4e-4, 8e-4, -8e-4}; /* relative */

/* What a signal of a table follows: samples on the way of the runs, and some past them. */
enum { N_KNOT = 6 };

static const double knot_time[N_KNOT] = {0.9, 1.05, 1.1, 1.17, 1.3, 2.6};

static struct ml_breakpoints knots_through(const double value[N_KNOT], double cubic[N_KNOT - 1][4])
{
    ml_pchip(N_KNOT, knot_time, value, cubic);
    return (struct ml_breakpoints){
        .n = N_KNOT, .time = knot_time, .cubic = (const double(*)[4])cubic};
}

/* Lanes of one chain with one force: at rest in lane `run` is value `moved` of it, off by
 * offsets[run]. Must stay where it is. */
struct moved {
    struct ref_runs runs;
    double x0[2 * REF_MAX_N], *own;
    double cubic[N_KNOT - 1][4];
    struct ml_breakpoints breakpoints;
    int slot, n_own; /* slot: the one that moves, -1: none */
};

static void moved_values(const void *context, int64_t run, double *values)
{
    const struct moved *m = context;
    ref_values(&m->runs, 0, values);
    if (m->slot >= 0)
        values[m->slot] *= 1.0 + offsets[run % N_OFFSET];
}

/* `limit` stands for both ends. */
static bool is_limit_end(const struct ml_param *row)
{
    return row->flags & ML_LIMIT && strchr(row->name, '.');
}

/* A number that suits one of a force, near 1 where that is allowed; a signal lasts all the time.
 * `is_given`: also one that need not be; k: another one, another number. */
static double number_for(const struct ml_force_number *number, enum ml_signal_type signal,
                         bool is_given, int k)
{
    const struct ml_param param = ml_force_number_param(number);
    const bool is_signal = number->row->flags & ML_SIGNAL;
    if (is_signal && !ml_signal_param(number->row, (int)signal, number->signal).name)
        return (double)NAN;
    if (number->signal == ML_SIGNAL_ONSET || number->signal == ML_SIGNAL_DURATION)
        return 0.7 + 0.3 * (number->signal == ML_SIGNAL_DURATION);
    if (param.flags & ML_VECTOR || is_limit_end(number->row) ||
        (param.flags & ML_DERIVED && !is_signal && !is_given && !strchr(param.name, '.')))
        return (double)NAN;
    /* at joints that move each other limits make many kinks, which tests/cli/limited.sh has */
    const double size =
        number->row->flags & ML_LIMIT && !(number->row[1].flags & ML_LIMIT) ? 1e9 : 1.0;
    return fmin(fmax(size * (0.5 + 0.3 * (k * 5 % 7)), param.low), param.high);
}

/* Numbers of the force, with signals of that type. */
static void fill_own(struct moved *m, enum ml_signal_type signal, bool is_given)
{
    struct ml_force_number number[REF_MAX_FORCE_VALUES];
    const struct ml_force_use *use = &m->runs.forces[m->runs.ensemble.n_force - 1];
    (void)ml_force_numbers(use->type, m->runs.chain.n, number);
    for (int p = 0, k = -1; p < use->n_number; p++) {
        k += number[p].signal == ML_SIGNAL_VALUE && !(number[p].row->flags & ML_LIMIT);
        m->own[p] = number_for(&number[p], signal, is_given,
                               k + number[p].signal + (number[p].row->flags & ML_LIMIT ? 1 : 0));
    }
    m->breakpoints = knots_through((const double[]){0.2, 0.9, 1.0, 0.4, 0.4, -0.7}, m->cubic);
    for (int c = 0; c < use->n_signal; c++)
        m->runs.signals[c] = (struct ml_signal){signal, &m->breakpoints};
    m->n_own = use->n_number;
}

/* `variant` bit 0: joint angles; 1: zero to the right; 2: what need not be given is given; above:
 * the type of what is a signal. */
enum { N_VARIANT = 8 };

static void moved_init(struct moved *m, const struct ml_kernels *k, int f, int n, int variant)
{
    struct ref_chain chain = {.n = n, .right = variant & 2, .g = {0.7, -9.81}};
    *m = (struct moved){.slot = -1};
    for (int i = 0; i < n; i++) {
        chain.m[i] = 1.0 + 0.3 * i;
        chain.l[i] = 0.6 + 0.1 * (i % 3);
        chain.d[i] = 0.25 + 0.02 * i;
        chain.inertia[i] = 0.03 + 0.004 * i;
        m->x0[i] = 0.9 - 0.25 * i;
        m->x0[n + i] = 1.5 - 0.8 * i;
    }
    ref_runs_init(&m->runs, k, &chain, variant & 1, ML_LANES, m->x0);
    m->own = ref_add_force(&m->runs, k->registry->forces[f]->name, n / 2, n - 1);
    fill_own(m, (enum ml_signal_type)(variant / N_VARIANT), variant & 4);
    ref_set_laws(&m->runs.ensemble, m->runs.laws);
    m->runs.ensemble.numbers.values = moved_values;
    m->runs.ensemble.numbers.context = m;
    m->runs.ensemble.time.step = 5e-3;
    m->runs.ensemble.time.start = 1.0;
}

/* What is looked at along: each number of the force, and some of the chain. */
static int directions(const struct moved *m, int *slot)
{
    const struct ml_ensemble *e = &m->runs.ensemble;
    const struct ml_system *system = e->model.system;
    const int n = e->model.n, first = e->numbers.n - m->n_own;
    int count = 0;
    slot[count++] = ml_slot_segment(system, 0, 0);
    slot[count++] = ml_slot_initial(&e->model, 0, 0);
    slot[count++] = ml_slot_initial(&e->model, 1, n - 1);
    const int stride = 1 + m->n_own / (MAX_DIRECTION - 4); /* some of many */
    for (int p = 0; p < m->n_own; p += stride)
        if (!isnan(m->own[p]) && m->own[p] != 0.0)
            slot[count++] = first + p;
    return count;
}

/* (f(h) - f(-h)) / 2h without the error h^2, of row i, from four lanes. *rough is how far those
 * with h and 2 h are apart. */
static double quotient(const struct bench *bench, int i, double value, double *rough)
{
    const double *row = bench->batch.x + i * ML_LANES;
    double near = (row[0] - row[1]) / (2.0 * offsets[0] * value);
    double far = (row[2] - row[3]) / (2.0 * offsets[2] * value);
    *rough = fabs(near - far);
    return (4.0 * near - far) / 3.0;
}

static void derivatives_are_those_of_runs(const struct ml_kernels *k, int f, int n, int variant,
                                          enum ml_solver_kind solver)
{
    static const double one = 1.0;
    struct moved m;
    struct bench all;
    struct ml_direction direction[MAX_DIRECTION];
    double values[64 + 8 * REF_MAX_N + REF_MAX_FORCE_VALUES];
    int slot[MAX_DIRECTION];
    moved_init(&m, k, f, n, variant);
    m.runs.ensemble.model.solver = solver;
    struct ml_ensemble with = m.runs.ensemble;
    const int n_direction = directions(&m, slot), n_x = ml_n_x(&with.model);
    for (int p = 0; p < n_direction; p++)
        direction[p] = (struct ml_direction){1, &slot[p], &one};
    with.model.n_sens = n_direction;
    with.derivatives.directions = direction;
    moved_values(&m, 0, values);
    bench_init(&all, &with, n_direction, "rk4", 1);
    bench_advance(&all, with.time.start, with.time.step, 0, N_STEP);
    for (int p = 0; p < n_direction; p++) {
        struct bench beside;
        double worst = 0.0, scale = 0.0, roughest = 0.0, rough;
        m.slot = slot[p];
        bench_init(&beside, &m.runs.ensemble, 0, "rk4", N_OFFSET);
        bench_advance(&beside, with.time.start, with.time.step, 0, N_STEP);
        for (int i = 0; i < n_x; i++) {
            double found = all.batch.x[(n_x * (1 + p) + i) * ML_LANES];
            double wanted = quotient(&beside, i, values[slot[p]], &rough);
            roughest = fmax(roughest, rough);
            scale = fmax(scale, fabs(wanted));
            worst = ref_worse(worst, fabs(found - wanted));
        }
        CHECK_CASE("%s %s n=%d variant %d, slot %d", k->isa, k->registry->forces[f]->name, n,
                   variant, slot[p] - (with.numbers.n - m.n_own));
        /* where a force sets in on the way, the runs have a kink, and differences err with it */
        scale = fmax(scale, 1e-3);
        CHECK_ERROR(worst / scale, roughest / scale > 2e-5 ? 5.0 * roughest / scale : 8e-8);
        bench_free(&beside);
    }
    bench_free(&all);
}

static void every_instruction_set_gives_the_same_bits(int f, int n, int variant)
{
    struct transition first = {0};
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        struct moved m;
        struct bench bench;
        moved_init(&m, k, f, n, variant);
        const int n_x = ml_n_x(&m.runs.ensemble.model);
        bench_init(&bench, &m.runs.ensemble, n_x, "rk4", 1);
        bench_advance(&bench, m.runs.ensemble.time.start, m.runs.ensemble.time.step, 0, N_STEP);
        struct transition got = bench_lane(&bench, 0);
        struct transition bare = advance(&m.runs.ensemble, 0, m.runs.ensemble.time.start,
                                         m.runs.ensemble.time.step, N_STEP, 0, 0.0);
        CHECK_CASE("%s %s n=%d variant %d", k->isa, k->registry->forces[f]->name, n, variant);
        CHECK(!memcmp(got.x, bare.x, sizeof got.x)); /* by another kernel, where n has its own */
        if (i == 0)
            first = got;
        CHECK(isfinite(got.x[0]) && !memcmp(&got, &first, sizeof got));
        bench_free(&bench);
    }
}

/* Kinetic and potential energy of lane 0. */
static double energy_of(const struct bench *b)
{
    const struct ml_ensemble *e = &b->ensemble;
    const struct ml_batch *batch = &b->batch;
    e->model.system->energy.measure(&e->model, batch->constants, batch->x, batch->work,
                                    batch->energy.kinetic, batch->energy.potential, NULL);
    return batch->energy.kinetic[0] + batch->energy.potential[0];
}

static void conservative_forces_keep_the_energy(int f, int variant)
{
    const struct ml_kernels *k = ref_fastest();
    struct moved m;
    struct bench bench;
    moved_init(&m, k, f, 3, variant);
    if (!ml_force_use_is_conservative(&m.runs.forces[0]))
        return;
    bench_init(&bench, &m.runs.ensemble, 0, "rk4", 1);
    double before = energy_of(&bench);
    bench_advance(&bench, 0.0, 1e-4, 0, 10000);
    CHECK_CASE("energy %s variant %d", k->registry->forces[f]->name, variant);
    CHECK_ERROR(fabs(energy_of(&bench) - before), 1e-10);
    bench_free(&bench);
}

/* A single rod at an angle of 0.9 rad, turning at `rate`, with one force at its joint.
 *   values  of its numbers, without ends of limits, delays, samples and noise */
static void rod_init(struct ref_runs *runs, double x0[2], const char *type, const double *values,
                     double rate)
{
    struct ref_chain chain = {.n = 1, .m = {1.0}, .l = {1.0}, .d = {0.5}, .inertia = {0.1}};
    x0[0] = 0.9;
    x0[1] = rate;
    ref_runs_init(runs, ref_fastest(), &chain, false, 1, x0);
    double *own = ref_add_force(runs, type, 0, 0);
    const struct ml_force *force = runs->forces[0].type;
    for (int p = 0; p < force->n_param; p++) {
        const struct ml_param *row = &force->params[p];
        const bool has_value = row->name && !is_limit_end(row) && !(row->flags & ML_UNTOLD);
        own[p] = has_value ? *values++ : (double)NAN; /* no delay, no noise */
    }
    ref_set_laws(&runs->ensemble, runs->laws);
}

static double torque_of(const char *type, const double *values, double rate)
{
    struct ref_runs runs;
    double x0[2];
    rod_init(&runs, x0, type, values, rate);
    return ref_evaluate(&runs, 0).q[0];
}

static double pull_of(const char *type, const double *values, double rate)
{
    struct ref_runs runs;
    double x0[2];
    rod_init(&runs, x0, type, values, rate);
    return ref_evaluate(&runs, 0).e[0];
}

/* A torque that follows a signal.
 *   breakpoints  of a table */
static double torque_at(double t, enum ml_signal_type type, const double rows[ML_SIGNAL_ROWS],
                        const struct ml_breakpoints *breakpoints)
{
    static const double some[ML_SIGNAL_ROWS] = {0.0, (double)NAN}; /* and no limit */
    struct ref_runs runs;
    double x0[2];
    rod_init(&runs, x0, "torque", some, 0.0);
    memcpy(runs.force_values, rows, ML_SIGNAL_ROWS * sizeof *rows);
    runs.signals[0] = (struct ml_signal){type, breakpoints};
    ref_set_laws(&runs.ensemble, runs.laws);
    runs.ensemble.time.start = t;
    return ref_evaluate(&runs, 0).q[0];
}

static void signals_are_what_they_say(void)
{
    const double rows[ML_SIGNAL_ROWS] = {
        [ML_SIGNAL_FROM] = -1.0,    [ML_SIGNAL_TO] = 3.0,         [ML_SIGNAL_ONSET] = 0.5,
        [ML_SIGNAL_DURATION] = 2.0, [ML_SIGNAL_MEAN] = 0.7,       [ML_SIGNAL_AMPLITUDE] = 1.5,
        [ML_SIGNAL_PHASE] = 0.3,    [ML_SIGNAL_FREQUENCY] = 1.25,
    };
    for (int k = 0; k <= 40; k++) {
        const double t = -0.5 + 0.1 * k, s = fmin(fmax((t - 0.5) / 2.0, 0.0), 1.0);
        const double jerk = s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
        const double sine = 0.7 + 1.5 * sin(2.0 * acos(-1.0) * 1.25 * t + 0.3);
        const bool is_edge = fabs(t - 0.5) < 1e-9 || fabs(t - 2.5) < 1e-9;
        CHECK_CASE("course at %g s", t);
        CHECK_ERROR(fabs(torque_at(t, ML_RAMP_SIGNAL, rows, NULL) - (4.0 * s - 1.0)), 2e-15);
        CHECK_ERROR(fabs(torque_at(t, ML_MINIMUM_JERK_SIGNAL, rows, NULL) - (4.0 * jerk - 1.0)),
                    5e-15);
        CHECK_ERROR(fabs(torque_at(t, ML_SINE_SIGNAL, rows, NULL) - sine), 2e-14);
        CHECK(is_edge ||
              torque_at(t, ML_PULSE_SIGNAL, rows, NULL) == (t > 0.5 && t < 2.5 ? 1.5 : 0.0));
    }
}

/* Values of scipy.interpolate.PchipInterpolator (1.10.1) times the scale: within each piece, at
 * samples, and a little past both ends, where the outer pieces go on. */
static void a_table_is_what_it_says(void)
{
    static const double rows[ML_SIGNAL_ROWS] = {[ML_SIGNAL_SCALE] = -2.5};
    static const double expected[][2] = {
        {0.89, 0.13202962962962958},  {0.9, 0.20000000000000001},  {1.0, 0.73425925925925917},
        {1.05, 0.90000000000000002},  {1.08, 0.97739999999999994}, {1.1, 1},
        {1.15, 0.51895043731778501},  {1.17, 0.40000000000000002}, {1.2, 0.40000000000000002},
        {1.3, 0.40000000000000002},   {2.0, 0.067683204369595046}, {2.6, -0.70000000000000007},
        {2.61, -0.71620705507510196},
    };
    double cubic[N_KNOT - 1][4];
    const struct ml_breakpoints breakpoints =
        knots_through((const double[]){0.2, 0.9, 1.0, 0.4, 0.4, -0.7}, cubic);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const double t = expected[i][0];
        CHECK_CASE("table at %g s", t);
        CHECK_ERROR(fabs(torque_at(t, ML_TABLE_SIGNAL, rows, &breakpoints) + 2.5 * expected[i][1]),
                    2e-15);
    }
}

/* The integral of a controller's error after 0.1 s. */
static double integral_of(const double *values)
{
    struct ref_runs runs;
    double x0[2];
    rod_init(&runs, x0, "pid", values, 0.0);
    return advance(&runs.ensemble, 0, 0.0, 1e-3, 100, 0, 0.0).x[2];
}

static void laws_are_what_they_say(void)
{
    const double none = (double)NAN;
    const double pid[] = {1.0, 30.0, 3.0, 2.0, none}, held[] = {1.0, 30.0, 3.0, 2.0, 1.5};
    const double above[] = {none, 0.5, 10.0, 0.2}, below[] = {1.0, 1.2, 10.0, 0.2};
    const double within[] = {0.0, 1.2, 10.0, 0.2};
    CHECK_CASE("torques");
    CHECK_ERROR(fabs(torque_of("pid", pid, 0.7) - (30.0 * 0.1 - 2.0 * 0.7)), 1e-14);
    CHECK(torque_of("pid", held, 0.7) == 1.5);
    CHECK(torque_of("pid", held, 3.0) == -1.5);
    const double far[] = {9.0, 1.0, 3.0, 0.0, none}, wound[] = {9.0, 1.0, 3.0, 0.0, 0.5};
    CHECK_ERROR(fabs(integral_of(far) - 0.8), 0.01); /* 8.1 rad for 0.1 s, falling */
    CHECK(integral_of(wound) == 0.0);
    CHECK_ERROR(fabs(torque_of("joint_limit", above, 1.5) + 10.0 * 0.4 * 1.3), 1e-14);
    CHECK(torque_of("joint_limit", above, -10.0) == 0.0); /* it does not hold back */
    CHECK_ERROR(fabs(torque_of("joint_limit", below, -1.5) - 10.0 * 0.1 * 1.3), 1e-14);
    CHECK(torque_of("joint_limit", within, 1.5) == 0.0);
    /* the tip is at -cos 0.9 and moves along (cos 0.9, sin 0.9) */
    const double floor[] = {-0.5, 200.0, 1.5, 0.3, 0.4, 0.01},
                 deep[] = {-0.7, 200.0, 1.5, 0.3, 0.4, 0.01};
    const double s = sin(0.9), c = cos(0.9), up = 200.0 * pow(c - 0.5, 1.5) * (1.0 + 0.3 * 2.0 * s);
    const double across = 0.4 * up * 2.0 * c / hypot(2.0 * c, 0.01);
    CHECK_ERROR(fabs(pull_of("ground", floor, -2.0) - (across * c + up * s)), 5e-14);
    CHECK(pull_of("ground", deep, -2.0) == 0.0 && pull_of("ground", floor, 5.0) == 0.0);
    /* as the law has it, where it slides, and stuck: w_0 T / sqrt(F_s^2 - T^2) under T */
    const double rubs[] = {2.0, 3.0, 0.4, 0.5, 0.01}, dry[] = {2.0, none, 0.4, 0.0, 0.01};
    const double level = 2.0 + exp(-0.09 / 0.16);
    CHECK_ERROR(fabs(torque_of("friction", rubs, 0.3) + level * 0.3 / hypot(0.3, 0.01) + 0.15),
                1e-14);
    CHECK_ERROR(fabs(torque_of("friction", dry, -0.3) - 2.0 * 0.3 / hypot(0.3, 0.01)), 1e-14);
    CHECK_ERROR(fabs(torque_of("friction", dry, 0.01 / sqrt(3.0)) + 1.0), 1e-14);
}

static void contacts_are_what_they_say(void)
{
    const double none = (double)NAN, s = sin(0.9), c = cos(0.9);
    /* the floor of `ground` as a line; 0.8 along the rod at rate -2, the normal not of length 1 */
    const double as_floor[] = {none, none,  3.0, -0.5, none, 0.0, 4.0,
                               none, 200.0, 1.5, 0.3,  0.4,  0.01};
    const double floor[] = {-0.5, 200.0, 1.5, 0.3, 0.4, 0.01};
    CHECK_CASE("contacts");
    CHECK_ERROR(fabs(pull_of("contact", as_floor, -2.0) - pull_of("ground", floor, -2.0)), 2e-13);
    const double wall[] = {0.8, none, 0.1, 7.0, none, -3.0, 0.0, none, 50.0, 1.0, 0.2, 0.0, 0.1};
    const double depth = 0.8 * s - 0.1, sinking = 0.8 * 2.0 * c; /* the wall is beyond x = 0.1 */
    CHECK_ERROR(
        fabs(pull_of("contact", wall, 2.0) + 50.0 * depth * (1.0 + 0.2 * sinking) * 0.8 * c),
        1e-13);
    /* the end moves around the base, along any circle around that: no torque but by friction */
    const double outside[] = {none, none, 0.0, 0.0, none, none, none,
                              1.2,  60.0, 2.0, 0.3, 0.4,  0.01};
    const double bowl[] = {none, none, 0.0, 0.0, none, none, none, -0.9, 60.0, 2.0, 0.3, 0.4, 0.01};
    const double part = 2.0 / hypot(2.0, 0.01);
    CHECK_ERROR(fabs(pull_of("contact", outside, 2.0) + 0.4 * 60.0 * 0.2 * 0.2 * part), 1e-13);
    CHECK_ERROR(fabs(pull_of("contact", bowl, -2.0) - 0.4 * 60.0 * 0.1 * 0.1 * part), 1e-13);
    /* beside it: a ball at (0, 0.1) of radius 1, pushed off along the line to its middle */
    const double ball[] = {none, none, 0.0, -0.1, none, none, none, 1.0, 60.0, 1.0, 0.0, 0.0, 0.01};
    const double away = hypot(s, 0.1 - c);
    const double push = 60.0 * (1.0 - away);
    CHECK_ERROR(fabs(pull_of("contact", ball, 0.0) - push * (s * c + (0.1 - c) * s) / away), 1e-13);
}

/* Three segments with one force at all joints. */
static void arm_init(struct ref_runs *runs, double x0[6], const char *type, bool joint)
{
    struct ref_chain chain = {.n = 3,
                              .g = {0.3, -9.81},
                              .m = {1.0, 1.3, 0.6},
                              .l = {0.7, 0.6, 0.4},
                              .d = {0.3, 0.25, 0.2},
                              .inertia = {0.03, 0.04, 0.01}};
    const double start[6] = {0.4, -0.3, 0.9, 0.5, -0.8, 1.1};
    memcpy(x0, start, sizeof start);
    ref_runs_init(runs, ref_fastest(), &chain, joint, 1, x0);
    (void)ref_add_force(runs, type, 0, 0);
    ref_set_laws(&runs->ensemble, runs->laws);
}

/* The equilibrium's angle i and its rate at 0.5 s: a ramp from 0 to 0.2 (i + 1) in 2 s. */
static void impedance_signal(struct ref_runs *runs, int first, int i)
{
    double *rows = runs->force_values + first + i * ML_SIGNAL_ROWS;
    runs->signals[i].type = ML_RAMP_SIGNAL;
    rows[ML_SIGNAL_FROM] = 0.0;
    rows[ML_SIGNAL_TO] = 0.2 * (i + 1);
    rows[ML_SIGNAL_ONSET] = 0.0;
    rows[ML_SIGNAL_DURATION] = 2.0;
}

static void an_impedance_is_what_it_says(void)
{
    const double share = 0.7, k[9] = {30, 10, 1, 8, 25, 2, 0, 3, 9},
                 b[9] = {2, 0.5, 0, 0.4, 1.5, 0.1, 0, 0.2, 0.8};
    const double alpha[3] = {0.4, -0.7, 1.2}, rate[3] = {0.5, -1.3, 1.9};
    for (int joint = 0; joint < 2; joint++) {
        struct ref_runs runs;
        double x0[6];
        arm_init(&runs, x0, "impedance", joint);
        runs.force_values[0] = share;
        const int stiffness = 2 + ML_FEEDBACK_N_PARAM;
        memcpy(runs.force_values + stiffness, k, sizeof k);
        memcpy(runs.force_values + stiffness + 9, b, sizeof b);
        for (int i = 0; i < 3; i++)
            impedance_signal(&runs, stiffness + 18, i);
        runs.ensemble.time.start = 0.5;
        struct ref_evaluation found = ref_evaluate(&runs, 0);
        double torque[4] = {0.0};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double to = joint || j == 0 ? 0.2 * (j + 1) : 0.2;
                torque[i] += k[3 * i + j] * (0.25 * to - alpha[j]) +
                             b[3 * i + j] * (share * 0.5 * to - rate[j]);
            }
        CHECK_CASE("impedance, %s angles", joint ? "joint" : "segment");
        for (int i = 0; i < 3; i++)
            CHECK_ERROR(fabs(found.q[i] - (joint ? torque[i] : torque[i] - torque[i + 1])), 3e-14);
    }
}

/* With the right model each angle's error is that of e'' + kd e' + kp e = 0.
 *   type   of signal: of smallest jerk, or a table, whose numbers are scipy's (1.10.1) */
static void a_computed_torque_makes_errors_oscillators(bool joint, enum ml_signal_type type)
{
    static const double time[] = {0.0, 0.6, 1.0}, value[] = {0.2, 1.0, 0.9};
    const bool is_table = type == ML_TABLE_SIGNAL;
    const double first = is_table ? 0.2 : 0.0, speed = is_table ? 2.2833333333333337 : 0.0;
    double cubic[2][4];
    ml_pchip(3, time, value, cubic);
    const struct ml_breakpoints breakpoints = {
        .n = 3, .time = time, .cubic = (const double(*)[4])cubic};
    const double kp = 30.0, kd = 4.0, t = 0.5, decay = kd / 2.0;
    const double omega = sqrt(kp - decay * decay), s = t / 0.8;
    const double jerk = s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
    const double last = is_table ? 0.97245370370370376 : jerk;
    struct ref_runs runs;
    double x0[6];
    arm_init(&runs, x0, "computed_torque", joint);
    runs.force_values[0] = kp;
    runs.force_values[1] = kd;
    for (int i = 0; i < 3; i++) {
        const int target = 4 + ML_FEEDBACK_N_PARAM;
        impedance_signal(&runs, target, i);
        runs.signals[i] = (struct ml_signal){type, &breakpoints};
        runs.force_values[target + i * ML_SIGNAL_ROWS + ML_SIGNAL_DURATION] = 0.8;
        runs.force_values[target + i * ML_SIGNAL_ROWS + ML_SIGNAL_SCALE] = 0.2 * (i + 1);
    }
    struct transition end = advance(&runs.ensemble, 0, 0.0, 5e-4, 1000, 0, 0.0);
    CHECK_CASE("computed torque, %s angles, course %d", joint ? "joint" : "segment", (int)type);
    for (int i = 0; i < 3; i++) {
        const bool is_relative = joint && i > 0;
        const double scale = 0.2 * (i + 1);
        double e0 = scale * first - (x0[i] - (is_relative ? x0[i - 1] : 0.0));
        double rate0 = scale * speed - (x0[3 + i] - (is_relative ? x0[2 + i] : 0.0));
        double e =
            exp(-decay * t) * (e0 * cos(omega * t) + (rate0 + decay * e0) / omega * sin(omega * t));
        double found = end.x[i] - (is_relative ? end.x[i - 1] : 0.0);
        CHECK_ERROR(fabs(scale * last - e - found), 4e-12);
    }
}

/* Types of signal that a force can have; 1 without: it is constant. */
static int signal_types(const struct ml_force *force)
{
    return ml_force_signals(force, 1) > 0 ? ML_N_SIGNAL_TYPE : 1;
}

/* Both choices of the angles, what need not be given with and without: for what takes long. */
static bool is_typical(int variant) { return variant % N_VARIANT == 2 || variant % N_VARIANT == 5; }

static void check_force(int f, int variant)
{
    const struct ml_kernels *fastest = ref_fastest();
    derivatives_are_those_of_runs(fastest, f, 2, variant, ML_SOLVER_interleaved);
    every_instruction_set_gives_the_same_bits(f, 2, variant);
    if (!is_typical(variant))
        return;
    derivatives_are_those_of_runs(fastest, f, 3, variant, ML_SOLVER_interleaved);
    derivatives_are_those_of_runs(fastest, f, 7, variant, ML_SOLVER_recursive);
    every_instruction_set_gives_the_same_bits(f, 3, variant);
    every_instruction_set_gives_the_same_bits(f, 7, variant);
    conservative_forces_keep_the_energy(f, variant);
}

int main(void)
{
    const struct ml_kernels *fastest = ref_fastest();
    laws_are_what_they_say();
    contacts_are_what_they_say();
    signals_are_what_they_say();
    a_table_is_what_it_says();
    an_impedance_is_what_it_says();
    for (int joint = 0; joint < 2; joint++) {
        a_computed_torque_makes_errors_oscillators(joint, ML_MINIMUM_JERK_SIGNAL);
        a_computed_torque_makes_errors_oscillators(joint, ML_TABLE_SIGNAL);
    }
    for (int f = 0; fastest->registry->forces[f]; f++)
        for (int variant = 0; variant < N_VARIANT * signal_types(fastest->registry->forces[f]);
             variant++)
            if (variant < N_VARIANT || is_typical(variant))
                check_force(f, variant);
    return check_done();
}
