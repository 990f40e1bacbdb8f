/* Inverse dynamics with all that acts on the segments and in the joints, by three routes: the
 * recursion with the laws' loads, the engine's own M, C, G, D, E and Q, and the balance of forces
 * and moments of all from a joint on, with the laws as docs/forces.md has them. */
#include <string.h>

#include "check.h"
#include "engine/assess/evaluate.h"
#include "inverse/inverse_solver.h"
#include "manylink/study.h"
#include "reference/reference.h"
#include "study.h"

enum { N = 5, N_TIME = 11, MOST_TEXT = 4096, MOST_FORCES = 5 };

struct vector {
    double x, y;
};

/* A chain with its numbers, and what it does at N_TIME instants, of absolute angles. */
struct arm {
    int n;
    bool is_down, is_joint;
    double mass[N], length[N], com[N], inertia[N], damping[N];
    double angle[N_TIME][N], rate[N_TIME][N], acceleration[N_TIME][N];
};

static const struct vector gravity = {0.8, -9.81};

/* Forces of the study: on the last segment unless said otherwise. */
static const struct {
    double at, stiffness, rest_length;
    struct vector anchor;
} rope = {0.3, 40.0, 0.25, {0.4, -0.7}};
static const struct {
    double at, stiffness;
    struct vector anchor, axis;
} rail = {1.7, 25.0, {-0.2, 0.3}, {3.0, 4.0}}; /* on the first */
static const struct {
    double at;
    struct vector force;
} hand = {0.45, {3.0, -5.0}}, push = {-0.1, {-2.0, 1.5}}; /* push: on the middle */
static const struct {
    double level, stiffness, exponent, damping, friction, slip_speed;
} floor_ = {0.1, 300.0, 1.5, 0.4, 0.6, 0.2};
static const struct {
    double lower, upper, stiffness, damping;
} limit = {-0.2, 0.3, 7.0, 0.1}; /* of the first and the last joint */

/* Between -1 and 1, the same on every machine. */
static double draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1.0;
}

static struct arm draw_arm(int n, bool is_down, bool is_joint)
{
    struct arm arm = {.n = n, .is_down = is_down, .is_joint = is_joint};
    unsigned seed = 5u + (unsigned)n;
    for (int i = 0; i < n; i++) {
        arm.mass[i] = 1.5 + draw(&seed);
        arm.length[i] = 0.7 + 0.3 * draw(&seed);
        arm.com[i] = 0.3 * draw(&seed);
        arm.inertia[i] = 0.2 + 0.1 * draw(&seed);
        arm.damping[i] = i == n - 1 ? 0.6 : 0.0;
    }
    for (int k = 0; k < N_TIME; k++)
        for (int i = 0; i < n; i++) {
            arm.angle[k][i] = 3.0 * draw(&seed);
            arm.rate[k][i] = 4.0 * draw(&seed);
            arm.acceleration[k][i] = 9.0 * draw(&seed);
        }
    return arm;
}

/* Of a row of absolute angles what the study has. */
static double as_given(const struct arm *arm, const double *absolute, int i)
{
    return absolute[i] - (arm->is_joint && i > 0 ? absolute[i - 1] : 0.0);
}

static int write_row(char *text, int used, const struct arm *arm, const char *name,
                     const double *absolute)
{
    used += snprintf(text + used, (size_t)(MOST_TEXT - used), "  %s: [", name);
    for (int i = 0; i < arm->n; i++)
        used += snprintf(text + used, (size_t)(MOST_TEXT - used), "%s%.17g", i ? ", " : "",
                         as_given(arm, absolute, i));
    return used + snprintf(text + used, (size_t)(MOST_TEXT - used), "]\n");
}

static int put_chain(char *text, const struct arm *arm)
{
    int used = snprintf(text, MOST_TEXT,
                        "manylink: 1\nsystem:\n  type: chain\n  zero: %s\n  angles: %s\n"
                        "  gravity: [%.17g, %.17g]\n  segments:\n",
                        arm->is_down ? "down" : "right", arm->is_joint ? "joint" : "segment",
                        gravity.x, gravity.y);
    for (int i = 0; i < arm->n; i++)
        used += snprintf(text + used, (size_t)(MOST_TEXT - used),
                         "    - {name: s%d, mass: %.17g, length: %.17g, com: %.17g, "
                         "inertia: %.17g}\n",
                         i, arm->mass[i], arm->length[i], arm->com[i], arm->inertia[i]);
    return used;
}

static int write_forces(char *text, int used, const struct arm *arm)
{
    const int last = arm->n - 1;
    used += snprintf(
        text + used, (size_t)(MOST_TEXT - used),
        "forces:\n"
        "  - {type: damper, joint: s%d, coefficient: %g}\n"
        "  - {type: spring, segment: s%d, at: %g, stiffness: %g, rest_length: %g, "
        "anchor: [%g, %g]}\n"
        "  - {type: spring, segment: s0, at: %g, stiffness: %g, anchor: [%g, %g], axis: [%g, %g]}\n"
        "  - {type: point_force, segment: s%d, at: %g, force: [%g, %g]}\n"
        "  - {type: point_force, segment: s%d, at: %g, force: [%g, %g]}\n",
        last, arm->damping[last], last, rope.at, rope.stiffness, rope.rest_length, rope.anchor.x,
        rope.anchor.y, rail.at, rail.stiffness, rail.anchor.x, rail.anchor.y, rail.axis.x,
        rail.axis.y, last, hand.at, hand.force.x, hand.force.y, last / 2, push.at, push.force.x,
        push.force.y);
    used += snprintf(text + used, (size_t)(MOST_TEXT - used),
                     "  - {type: ground, segment: s%d, level: %g, stiffness: %g, exponent: %g, "
                     "damping: %g, friction: %g, slip_speed: %g}\n",
                     last, floor_.level, floor_.stiffness, floor_.exponent, floor_.damping,
                     floor_.friction, floor_.slip_speed);
    for (int i = 0; i<arm->n; i += last> 0 ? last : 1)
        used += snprintf(text + used, (size_t)(MOST_TEXT - used),
                         "  - {type: joint_limit, joint: s%d, lower: %g, upper: %g, "
                         "stiffness: %g, damping: %g}\n",
                         i, limit.lower, limit.upper, limit.stiffness, limit.damping);
    return used;
}

/* A study that starts at instant k; `is_driven`: with actuators, which must not count. */
static struct ml_study *study_at(const struct arm *arm, int k, bool is_driven)
{
    char text[MOST_TEXT];
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    int used = write_forces(text, put_chain(text, arm), arm);
    if (is_driven)
        used += snprintf(text + used, (size_t)(MOST_TEXT - used),
                         "  - {type: pid, joint: s0, target: 1, kp: 3, ki: 2, kd: 1}\n"
                         "  - {type: torque, joint: s%d, value: 2}\n",
                         arm->n - 1);
    used +=
        snprintf(text + used, (size_t)(MOST_TEXT - used), "time: {step: 1, end: 1}\ninitial:\n");
    used = write_row(text, used, arm, "angle", arm->angle[k]);
    used = write_row(text, used, arm, "rate", arm->rate[k]);
    if (ml_study_load(STUDY_TEXT("test.yaml", text, .length = (size_t)used), &study, &err))
        ref_stop("%s", err.text);
    return study;
}

/* What inverse dynamics says of all instants, [n][N_TIME] each. */
struct torques {
    double part[ML_N_TORQUE][N * N_TIME], coupling[N * N * N_TIME], force[2 * N * N_TIME];
    double motion[ML_N_MOTION][N * N_TIME];
};

static void solve(const struct arm *arm, struct torques *out)
{
    struct ml_study *study = study_at(arm, 0, true);
    double *sets[ML_N_SET] = {0}, time[N_TIME];
    struct ml_inverse_solver solver;
    for (int k = 0; k < N_TIME; k++) {
        time[k] = k;
        for (int i = 0; i < arm->n; i++) {
            out->motion[ML_MOTION_ANGLE][i * N_TIME + k] = as_given(arm, arm->angle[k], i);
            out->motion[ML_MOTION_RATE][i * N_TIME + k] = as_given(arm, arm->rate[k], i);
            out->motion[ML_MOTION_ACCELERATION][i * N_TIME + k] =
                as_given(arm, arm->acceleration[k], i);
        }
    }
    for (int p = 0; p < ML_N_TORQUE; p++)
        sets[p] = out->part[p];
    sets[ML_SET_COUPLING] = out->coupling;
    sets[ML_SET_FORCE] = out->force;
    for (int q = 0; q < ML_N_MOTION; q++)
        sets[ML_SET_MOTION + q] = q < ML_MOTION_BASE ? out->motion[q] : NULL;
    if (!ml_inverse_solver_init(&solver, &study->ensemble))
        ref_stop("out of memory");
    ml_segment_params_load(&solver.segments, &study->ensemble, 0);
    ml_inverse_solver_solve(&solver, &study->ensemble, N_TIME, time, sets);
    ml_inverse_solver_free(&solver);
    ml_study_free(study);
}

/* A part at instant k, [n]. */
static const double *part_at(const struct arm *arm, const struct torques *is, enum ml_torque part,
                             int k, double out[N])
{
    for (int i = 0; i < arm->n; i++)
        out[i] = is->part[part][i * N_TIME + k];
    return out;
}

/* Torques at joints from generalised forces as the study has them. */
static void to_joints(const struct arm *arm, double *force)
{
    for (int i = arm->n - 2; i >= 0 && !arm->is_joint; i--)
        force[i] += force[i + 1];
}

static void is_what_the_matrices_say(const struct arm *arm, const struct torques *is, int k)
{
    const int n = arm->n;
    double m[N * N], c[N], g[N], q[N], d[N], e[N], qdd[N], state[2 * N], kinetic, potential;
    double whole[N], got[N];
    const struct ml_terms terms = {m, c, g, q, d, e, qdd};
    struct ml_error err = {0};
    struct ml_study *study = study_at(arm, k, false);
    if (ml_ensemble_evaluate(&study->ensemble, 0, &terms, state, &kinetic, &potential, &err))
        ref_stop("%s", err.text);
    ml_study_free(study);
    for (int i = 0; i < n; i++) {
        whole[i] = -c[i] - g[i] - q[i] - d[i] - e[i];
        for (int j = 0; j < n; j++)
            whole[i] += m[i * n + j] * as_given(arm, arm->acceleration[k], j);
        q[i] = -q[i];
        e[i] = -e[i];
    }
    to_joints(arm, whole);
    to_joints(arm, q);
    to_joints(arm, e);
    CHECK_ERROR(ref_error(n, part_at(arm, is, ML_TORQUE_ALL, k, got), whole), 5e-15);
    CHECK_ERROR(ref_error(n, part_at(arm, is, ML_TORQUE_EXTERNAL, k, got), e), 5e-15);
    CHECK_ERROR(ref_error(n, part_at(arm, is, ML_TORQUE_PASSIVE, k, got), q), 1e-15);
}

static double cross(struct vector a, struct vector b) { return a.x * b.y - a.y * b.x; }

/* Of the segments at one instant: joints, the last one's end behind them, centres of mass, and what
 * those take besides gravity. */
struct places {
    struct vector joint[N + 1], speed[N + 1], along[N], com[N], force[N];
};

static struct places places_at(const struct arm *arm, int k)
{
    struct places at = {0};
    struct vector pull = {0.0, 0.0}; /* acceleration of the joint */
    for (int i = 0; i < arm->n; i++) {
        const double s = sin(arm->angle[k][i]), c = cos(arm->angle[k][i]), w = arm->rate[k][i];
        const struct vector u = arm->is_down ? (struct vector){s, -c} : (struct vector){c, s};
        const double turn = arm->acceleration[k][i], l = arm->length[i], d = arm->com[i];
        const struct vector bend = {-turn * u.y - w * w * u.x, turn * u.x - w * w * u.y};
        at.along[i] = u;
        at.com[i] = (struct vector){at.joint[i].x + d * u.x, at.joint[i].y + d * u.y};
        at.force[i] = (struct vector){arm->mass[i] * (pull.x + d * bend.x - gravity.x),
                                      arm->mass[i] * (pull.y + d * bend.y - gravity.y)};
        at.joint[i + 1] = (struct vector){at.joint[i].x + l * u.x, at.joint[i].y + l * u.y};
        at.speed[i + 1] = (struct vector){at.speed[i].x - l * w * u.y, at.speed[i].y + l * w * u.x};
        pull = (struct vector){pull.x + l * bend.x, pull.y + l * bend.y};
    }
    return at;
}

/* A force at a point of a segment. */
struct force {
    int segment;
    struct vector point, force;
};

static struct vector point_of(const struct places *at, int i, double distance)
{
    return (struct vector){at->joint[i].x + distance * at->along[i].x,
                           at->joint[i].y + distance * at->along[i].y};
}

static struct force force_of_rope(const struct places *at, int last)
{
    const struct vector p = point_of(at, last, rope.at);
    const struct vector e = {p.x - rope.anchor.x, p.y - rope.anchor.y};
    const double length = hypot(e.x, e.y), k = -rope.stiffness * (length - rope.rest_length);
    return (struct force){last, p, {k * e.x / length, k * e.y / length}};
}

static struct force force_of_rail(const struct places *at)
{
    const struct vector p = point_of(at, 0, rail.at), a = rail.axis;
    const double reach = ((p.x - rail.anchor.x) * a.x + (p.y - rail.anchor.y) * a.y);
    const double k = -rail.stiffness * reach / (a.x * a.x + a.y * a.y);
    return (struct force){0, p, {k * a.x, k * a.y}};
}

static struct force force_of_ground(const struct places *at, int last)
{
    const struct vector p = at->joint[last + 1], v = at->speed[last + 1];
    const double depth = floor_.level - p.y, harder = 1.0 - floor_.damping * v.y;
    double up = 0.0;
    if (depth > 0.0 && harder > 0.0)
        up = floor_.stiffness * pow(depth, floor_.exponent) * harder;
    return (struct force){
        last, p, {-floor_.friction * up * v.x / hypot(v.x, floor_.slip_speed), up}};
}

static double torque_of_limit(double angle, double rate)
{
    const double above = angle - limit.upper, below = limit.lower - angle;
    if (above > 0.0)
        return -limit.stiffness * above * fmax(1.0 + limit.damping * rate, 0.0);
    if (below > 0.0)
        return limit.stiffness * below * fmax(1.0 - limit.damping * rate, 0.0);
    return 0.0;
}

/* Of all segments from joint i on. */
struct balance {
    double torque[N], external[N], passive[N], force[2 * N];
};

static struct balance balance_at(const struct arm *arm, int k, bool *is_on_ground)
{
    const int last = arm->n - 1;
    const struct places at = places_at(arm, k);
    const struct force forces[MOST_FORCES] = {
        force_of_rope(&at, last),
        force_of_rail(&at),
        {last, point_of(&at, last, hand.at), hand.force},
        {last / 2, point_of(&at, last / 2, push.at), push.force},
        force_of_ground(&at, last),
    };
    struct balance out = {0};
    *is_on_ground = forces[4].force.y > 0.0;
    for (int i = 0; i < arm->n; i++) {
        const struct vector here = at.joint[i];
        const double turn = i > 0 ? arm->rate[k][i] - arm->rate[k][i - 1] : arm->rate[k][0];
        const double bend = i > 0 ? arm->angle[k][i] - arm->angle[k][i - 1] : arm->angle[k][0];
        for (int f = 0; f < MOST_FORCES; f++) {
            const struct force *one = &forces[f];
            if (one->segment < i)
                continue;
            out.external[i] -=
                cross((struct vector){one->point.x - here.x, one->point.y - here.y}, one->force);
            out.force[2 * i] -= one->force.x;
            out.force[2 * i + 1] -= one->force.y;
        }
        if (i == 0 || i == last)
            out.passive[i] = -torque_of_limit(bend, turn);
        out.torque[i] = out.external[i] + out.passive[i] + arm->damping[i] * turn;
        for (int j = i; j < arm->n; j++) {
            const struct vector arm_of = {at.com[j].x - here.x, at.com[j].y - here.y};
            out.torque[i] += arm->inertia[j] * arm->acceleration[k][j] + cross(arm_of, at.force[j]);
            out.force[2 * i] += at.force[j].x;
            out.force[2 * i + 1] += at.force[j].y;
        }
    }
    return out;
}

/* Returns whether the ground took part. */
static bool is_in_balance(const struct arm *arm, const struct torques *is, int k)
{
    double got[2 * N];
    bool is_on_ground;
    const struct balance should = balance_at(arm, k, &is_on_ground);
    const int n = arm->n;
    CHECK_ERROR(ref_error(n, part_at(arm, is, ML_TORQUE_ALL, k, got), should.torque), 5e-14);
    CHECK_ERROR(ref_error(n, part_at(arm, is, ML_TORQUE_EXTERNAL, k, got), should.external), 3e-14);
    CHECK_ERROR(ref_error(n, part_at(arm, is, ML_TORQUE_PASSIVE, k, got), should.passive), 1e-15);
    for (int i = 0; i < 2 * n; i++)
        got[i] = is->force[i * N_TIME + k];
    CHECK_ERROR(ref_error(2 * n, got, should.force), 1e-14);
    return is_on_ground;
}

/* The parts are the whole. */
static void parts_add_up(const struct arm *arm, const struct torques *is)
{
    static const enum ml_torque parts[] = {ML_TORQUE_INERTIA, ML_TORQUE_VELOCITY,
                                           ML_TORQUE_GRAVITY, ML_TORQUE_EXTERNAL,
                                           ML_TORQUE_DAMPING, ML_TORQUE_PASSIVE};
    double sum[N * N_TIME] = {0.0};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        for (int i = 0; i < arm->n * N_TIME; i++)
            sum[i] += is->part[parts[p]][i];
    CHECK_ERROR(ref_error(arm->n * N_TIME, is->part[ML_TORQUE_ALL], sum), 4e-15);
}

static void all_routes_agree(int n, bool is_down, bool is_joint)
{
    const struct arm arm = draw_arm(n, is_down, is_joint);
    static struct torques is;
    int n_on_ground = 0;
    CHECK_CASE("%d segments, zero %s, angles of %s", n, is_down ? "down" : "right",
               is_joint ? "joints" : "segments");
    solve(&arm, &is);
    for (int k = 0; k < N_TIME; k++) {
        is_what_the_matrices_say(&arm, &is, k);
        n_on_ground += is_in_balance(&arm, &is, k);
    }
    parts_add_up(&arm, &is);
    CHECK(n_on_ground >= 2 && n_on_ground < N_TIME);
}

/* Torques of the only instant of a motion at constant rates. */
static void solve_runs(const struct ref_runs *runs, double *const angle, double *const rate,
                       double part[ML_N_TORQUE][N])
{
    double coupling[N * N], force[2 * N], acceleration[N] = {0.0}, *sets[ML_N_SET] = {NULL};
    struct ml_inverse_solver solver;
    for (int p = 0; p < ML_N_TORQUE; p++)
        sets[p] = part[p];
    sets[ML_SET_COUPLING] = coupling;
    sets[ML_SET_FORCE] = force;
    sets[ML_SET_MOTION + ML_MOTION_ANGLE] = angle;
    sets[ML_SET_MOTION + ML_MOTION_RATE] = rate;
    sets[ML_SET_MOTION + ML_MOTION_ACCELERATION] = acceleration;
    if (!ml_inverse_solver_init(&solver, &runs->ensemble))
        ref_stop("out of memory");
    ml_segment_params_load(&solver.segments, &runs->ensemble, 0);
    ml_inverse_solver_solve(&solver, &runs->ensemble, 1, (const double[]){0.0}, sets);
    ml_inverse_solver_free(&solver);
}

/* Whatever forces there are: what is not an actuator's is balanced, and what is has no part. */
static void every_force_has_its_part(int f)
{
    const struct ml_kernels *k = ref_fastest();
    const struct ml_force *force = k->registry->forces[f];
    const bool is_given = force->places & ML_BY_FORMULA; /* by a study: here 0 */
    const bool has_part = (force->is_external || force->is_passive) && !is_given;
    const struct ref_chain chain = {.n = 2,
                                    .right = true,
                                    .m = {1.0, 1.3},
                                    .l = {0.6, 0.7},
                                    .d = {0.25, 0.27},
                                    .inertia = {0.03, 0.034}};
    double x[4] = {-0.9, 0.2, -1.5, 0.7}, should[2], is[2], part[ML_N_TORQUE][N];
    struct ref_runs runs;
    CHECK_CASE("%s", force->name);
    ref_runs_init(&runs, k, &chain, false, 1, x);
    double *own = ref_add_force(&runs, force->name, 1, 1);
    for (int p = 0; p < force->n_param && has_part; p++)
        own[p] = force->params[p].flags & ML_VECTOR
                     ? (double)NAN
                     : fmin(fmax(0.7 + 0.1 * p, force->params[p].low), force->params[p].high);
    ref_set_laws(&runs.ensemble, runs.laws);
    const struct ref_evaluation e = ref_evaluate(&runs, 0);
    solve_runs(&runs, x, x + 2, part);
    for (int i = 1; i >= 0; i--) {
        should[i] = -(e.q[i] + e.d[i] + e.e[i]) + (i == 0 ? should[1] : 0.0);
        is[i] = part[ML_TORQUE_EXTERNAL][i] + part[ML_TORQUE_DAMPING][i] +
                part[ML_TORQUE_PASSIVE][i] + part[ML_TORQUE_GRAVITY][i];
    }
    CHECK(has_part ? fabs(should[1]) > 0.01 : is[0] == 0.0 && is[1] == 0.0);
    if (has_part)
        CHECK_ERROR(ref_error(2, is, should), 1e-15);
}

int main(void)
{
    for (int f = 0; ref_fastest()->registry->forces[f]; f++)
        if (!(ref_fastest()->registry->forces[f]->places & ML_AT_DOF))
            every_force_has_its_part(f);
    for (int n = 1; n <= N; n++)
        for (int variant = 0; variant < 4; variant++)
            all_routes_agree(n, variant & 1, variant & 2);
    return check_done();
}
