/* Newton-Euler recursion for the joint torques of one instant, and the parts that they consist of.
 */
#include "inverse/dynamics.h"

struct vector {
    double x, y;
};

/* Motion and loads of the chain in one pass; NULL: none. */
struct drive {
    const double *acceleration, *square; /* [n] rad/s^2, rad^2/s^2 */
    struct vector gravity;
    const double (*load)[3];
};

static double cross(struct vector a, struct vector b) { return a.x * b.y - a.y * b.x; }

/* Direction of segment i. */
static struct vector along(const struct ml_segment_params *b, const struct ml_instant *at, int i)
{
    return b->is_down ? (struct vector){at->sine[i], -at->cosine[i]}
                      : (struct vector){at->cosine[i], at->sine[i]};
}

/* Accelerations of the centres of mass less gravity, [n]. */
static void move_outward(const struct ml_segment_params *b, const struct ml_instant *at,
                         const struct drive *drive, struct vector *com)
{
    struct vector joint = {0.0 - drive->gravity.x, 0.0 - drive->gravity.y};
    for (int i = 0; i < b->n; i++) {
        struct vector u = along(b, at, i);
        double turn = drive->acceleration ? drive->acceleration[i] : 0.0;
        double pull = drive->square ? drive->square[i] : 0.0;
        struct vector unit = {-turn * u.y - pull * u.x, turn * u.x - pull * u.y};
        com[i] = (struct vector){joint.x + b->com[i] * unit.x, joint.y + b->com[i] * unit.y};
        joint.x += b->length[i] * unit.x;
        joint.y += b->length[i] * unit.y;
    }
}

/* Torques [n], and forces if they are not NULL.
 *   com  [n] scratch */
static void dynamics_pass(const struct ml_segment_params *b, const struct ml_instant *at,
                          const struct drive *drive, struct vector *com, double *torque,
                          double (*force)[2])
{
    struct vector held = {0.0, 0.0};
    double sum = 0.0;
    move_outward(b, at, drive, com);
    for (int i = b->n - 1; i >= 0; i--) {
        struct vector u = along(b, at, i), beyond = held, load = {0.0, 0.0};
        if (drive->load)
            load = (struct vector){drive->load[i][0], drive->load[i][1]};
        held.x += b->mass[i] * com[i].x - load.x;
        held.y += b->mass[i] * com[i].y - load.y;
        sum += b->com[i] * cross(u, held) + (b->length[i] - b->com[i]) * cross(u, beyond);
        if (drive->acceleration)
            sum += b->inertia[i] * drive->acceleration[i];
        if (drive->load)
            sum += b->com[i] * cross(u, load) - drive->load[i][2];
        torque[i] = sum;
        if (force) {
            force[i][0] = held.x;
            force[i][1] = held.y;
        }
    }
}

/* From segment j on: mass, first and second moment about joint j. */
struct composite {
    double mass, second;
    struct vector first;
};

/* Moves the moments from joint j + 1 to joint j and takes in segment j. */
static void take_in(const struct ml_segment_params *b, const struct ml_instant *at, int j,
                    struct composite *c)
{
    struct vector u = along(b, at, j);
    double l = b->length[j], d = b->com[j], m = b->mass[j];
    c->second += 2.0 * l * (u.x * c->first.x + u.y * c->first.y) + l * l * c->mass;
    c->second += b->inertia[j] + m * d * d;
    c->first.x += (l * c->mass + m * d) * u.x;
    c->first.y += (l * c->mass + m * d) * u.y;
    c->mass += m;
}

/* Acceleration or rate of a joint. */
static double of_joint(const double *absolute, int i)
{
    return i > 0 ? absolute[i] - absolute[i - 1] : absolute[0];
}

static void couple(const struct ml_segment_params *b, const struct ml_instant *at,
                   const struct ml_joint_loads *out)
{
    struct composite c = {0};
    for (int j = b->n - 1; j >= 0; j--) {
        double turn = of_joint(at->acceleration, j), reach = 0.0;
        take_in(b, at, j, &c);
        if (out->torque[ML_TORQUE_OWN])
            out->torque[ML_TORQUE_OWN][j] = c.second * turn;
        if (!out->coupling)
            continue;
        out->coupling[(size_t)j * (size_t)b->n + (size_t)j] = 0.0;
        for (int i = j - 1; i >= 0; i--) {
            struct vector u = along(b, at, i);
            reach += b->length[i] * (u.x * c.first.x + u.y * c.first.y);
            double inertia = c.second + reach;
            out->coupling[(size_t)i * (size_t)b->n + (size_t)j] = inertia * turn;
            out->coupling[(size_t)j * (size_t)b->n + (size_t)i] =
                inertia * of_joint(at->acceleration, i);
        }
    }
}

/* Squares of the rates, and their centripetal and Coriolis part, [n] each. */
static void split_squares(int n, const double *rate, double *square, double *centripetal,
                          double *coriolis)
{
    double own = 0.0, mixed = 0.0;
    for (int i = 0; i < n; i++) {
        double turn = of_joint(rate, i);
        own += turn * turn;
        mixed += i > 0 ? 2.0 * turn * rate[i - 1] : 0.0;
        square[i] = rate[i] * rate[i];
        centripetal[i] = own;
        coriolis[i] = mixed;
    }
}

/* Torques at the joints that balance generalised forces on the segments. */
static void balance(int n, const double *force, double *torque)
{
    double sum = 0.0;
    for (int i = n - 1; i >= 0; i--) {
        sum -= force ? force[i] : 0.0;
        torque[i] = sum;
    }
}

/* Without a field -0 stays. */
static struct vector gravity_at(const struct ml_segment_params *b, const struct ml_instant *at)
{
    struct vector g = {b->gravity[0], b->gravity[1]};
    g.x += at->field[0] == 0.0 ? -0.0 : at->field[0];
    g.y += at->field[1] == 0.0 ? -0.0 : at->field[1];
    return g;
}

/* The motion and loads that part p of the torques is for.
 *   squares  [3][n] of split_squares */
static struct drive drive_of(int p, int n, const struct ml_instant *at, struct vector gravity,
                             const double *squares)
{
    const struct vector back = {0.0 - at->base[0], 0.0 - at->base[1]};
    const struct vector both = {gravity.x + back.x, gravity.y + back.y};
    switch (p) {
    case ML_TORQUE_ALL:
        return (struct drive){at->acceleration, squares, both, at->load};
    case ML_TORQUE_INERTIA:
        return (struct drive){.acceleration = at->acceleration};
    case ML_TORQUE_VELOCITY:
        return (struct drive){.square = squares};
    case ML_TORQUE_CENTRIPETAL:
        return (struct drive){.square = squares + n};
    case ML_TORQUE_CORIOLIS:
        return (struct drive){.square = squares + 2 * n};
    case ML_TORQUE_GRAVITY:
        return (struct drive){.gravity = gravity};
    case ML_TORQUE_BASE:
        return (struct drive){.gravity = back};
    default: /* ML_TORQUE_EXTERNAL */
        return (struct drive){.load = at->load};
    }
}

void ml_inverse_dynamics(const struct ml_segment_params *segments, const struct ml_instant *instant,
                         double *work, const struct ml_joint_loads *out)
{
    const int n = segments->n;
    const struct vector gravity = gravity_at(segments, instant);
    double *square = work, *centripetal = square + n, *coriolis = centripetal + n;
    struct vector *com = (struct vector *)(coriolis + n);
    double *const *torque = out->torque;
    split_squares(n, instant->rate, square, centripetal, coriolis);
    for (int p = 0; p < ML_N_TORQUE; p++)
        if (torque[p] && p != ML_TORQUE_OWN && p != ML_TORQUE_DAMPING && p != ML_TORQUE_PASSIVE) {
            const struct drive drive = drive_of(p, n, instant, gravity, square);
            dynamics_pass(segments, instant, &drive, com, torque[p],
                          p == ML_TORQUE_ALL ? out->force : NULL);
        }
    if (torque[ML_TORQUE_OWN] || out->coupling)
        couple(segments, instant, out);
    balance(n, instant->passive, torque[ML_TORQUE_PASSIVE]);
    for (int i = 0; i < n; i++) {
        /* 0, not -0, without a damper */
        torque[ML_TORQUE_DAMPING][i] = 0.0 + segments->damping[i] * of_joint(instant->rate, i);
        torque[ML_TORQUE_ALL][i] += torque[ML_TORQUE_DAMPING][i] + torque[ML_TORQUE_PASSIVE][i];
    }
}
