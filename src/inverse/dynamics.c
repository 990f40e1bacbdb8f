/* Newton-Euler recursion for the joint torques of some instants side by side, and the parts that
 * they consist of. */
#include "inverse/dynamics.h"

#include <string.h>

struct vector {
    double x, y;
};

/* Motion and loads of the chain in one pass, rows of ML_LANES. */
struct drive {
    const double *acceleration, *square; /* [n] rad/s^2, rad^2/s^2; NULL: none */
    const double *gravity;               /* [2] m/s^2; NULL: none */
    const double *load;                  /* as of ml_instants */
};

/* Numbers that all passes use: [n] rows each. */
struct rows {
    double *square;            /* [3] squares of the rates, their centripetal and Coriolis part */
    double *along_x, *along_y; /* directions of the segments */
    double *com_x, *com_y;     /* accelerations of the centres of mass less gravity, of a pass */
    double gravity[2 * ML_LANES], back[2 * ML_LANES], both[2 * ML_LANES]; /* m/s^2 */
};

static const double none[2 * ML_LANES]; /* rows of 0 */

static double cross(struct vector a, struct vector b) { return a.x * b.y - a.y * b.x; }

/* Directions of the segments. */
static void point_along(const struct ml_segment_params *b, const struct ml_instants *at,
                        const struct rows *rows)
{
    for (int k = 0; k < b->n * ML_LANES; k++) {
        rows->along_x[k] = b->is_down ? at->sine[k] : at->cosine[k];
        rows->along_y[k] = b->is_down ? -at->cosine[k] : at->sine[k];
    }
}

static void move_outward(const struct ml_segment_params *b, const struct drive *drive,
                         const struct rows *rows)
{
    const double *gravity = drive->gravity ? drive->gravity : none;
    double x[ML_LANES], y[ML_LANES];
    for (int l = 0; l < ML_LANES; l++) {
        x[l] = 0.0 - gravity[l];
        y[l] = 0.0 - gravity[ML_LANES + l];
    }
    for (int i = 0; i < b->n; i++) {
        const double *turn = drive->acceleration ? drive->acceleration + i * ML_LANES : none;
        const double *pull = drive->square ? drive->square + i * ML_LANES : none;
        const double *u_x = rows->along_x + i * ML_LANES, *u_y = rows->along_y + i * ML_LANES;
        double *com_x = rows->com_x + i * ML_LANES, *com_y = rows->com_y + i * ML_LANES;
        const double com = b->com[i], length = b->length[i];
#pragma omp simd
        for (int l = 0; l < ML_LANES; l++) {
            const double unit_x = -turn[l] * u_y[l] - pull[l] * u_x[l];
            const double unit_y = turn[l] * u_x[l] - pull[l] * u_y[l];
            com_x[l] = x[l] + com * unit_x;
            com_y[l] = y[l] + com * unit_y;
            x[l] += length * unit_x;
            y[l] += length * unit_y;
        }
    }
}

/* From the tip up to a segment, in a pass. */
struct tip {
    double x[ML_LANES], y[ML_LANES], torque[ML_LANES]; /* N, N m: force and torque of the joint */
};

/* Takes segment i in. */
static void add_segment(const struct ml_segment_params *b, const struct drive *drive,
                        const struct rows *rows, int i, struct tip *tip)
{
    const double *u_x = rows->along_x + i * ML_LANES, *u_y = rows->along_y + i * ML_LANES;
    const double *com_x = rows->com_x + i * ML_LANES, *com_y = rows->com_y + i * ML_LANES;
    const double *load = drive->load ? drive->load + 3 * i * ML_LANES : NULL;
    const double *load_x = load ? load : none, *load_y = load ? load + ML_LANES : none;
    const double *turn = drive->acceleration ? drive->acceleration + i * ML_LANES : NULL;
    const double mass = b->mass[i], com = b->com[i], rest = b->length[i] - com;
    const double inertia = b->inertia[i];
#pragma omp simd
    for (int l = 0; l < ML_LANES; l++) {
        const struct vector u = {u_x[l], u_y[l]}, beyond = {tip->x[l], tip->y[l]};
        const struct vector held = {beyond.x + (mass * com_x[l] - load_x[l]),
                                    beyond.y + (mass * com_y[l] - load_y[l])};
        tip->torque[l] += com * cross(u, held) + rest * cross(u, beyond);
        tip->x[l] = held.x;
        tip->y[l] = held.y;
    }
    for (int l = 0; turn && l < ML_LANES; l++)
        tip->torque[l] += inertia * turn[l];
    for (int l = 0; load && l < ML_LANES; l++) {
        const struct vector u = {u_x[l], u_y[l]}, own = {load_x[l], load_y[l]};
        tip->torque[l] += com * cross(u, own) - load[2 * ML_LANES + l];
    }
}

/* Torques [n], and forces [n][2] if they are not NULL. */
static void dynamics_pass(const struct ml_segment_params *b, const struct drive *drive,
                          const struct rows *rows, double *torque, double *force)
{
    struct tip tip = {.x = {0.0}};
    move_outward(b, drive, rows);
    for (int i = b->n - 1; i >= 0; i--) {
        add_segment(b, drive, rows, i, &tip);
        memcpy(torque + i * ML_LANES, tip.torque, sizeof tip.torque);
        if (force) {
            memcpy(force + 2 * i * ML_LANES, tip.x, sizeof tip.x);
            memcpy(force + (2 * i + 1) * ML_LANES, tip.y, sizeof tip.y);
        }
    }
}

/* From segment j on: mass, first and second moment about joint j. */
struct composite {
    double mass, second;
    struct vector first;
};

static struct vector along(const struct rows *rows, int i, int lane)
{
    return (struct vector){rows->along_x[i * ML_LANES + lane], rows->along_y[i * ML_LANES + lane]};
}

/* Moves the moments from joint j + 1 to joint j and takes in segment j. */
static void take_in(const struct ml_segment_params *b, struct vector u, int j, struct composite *c)
{
    double l = b->length[j], d = b->com[j], m = b->mass[j];
    c->second += 2.0 * l * (u.x * c->first.x + u.y * c->first.y) + l * l * c->mass;
    c->second += b->inertia[j] + m * d * d;
    c->first.x += (l * c->mass + m * d) * u.x;
    c->first.y += (l * c->mass + m * d) * u.y;
    c->mass += m;
}

/* Acceleration or rate of a joint. */
static double of_joint(const double *absolute, int i, int lane)
{
    const double *own = absolute + i * ML_LANES + lane;
    return i > 0 ? own[0] - own[-ML_LANES] : own[0];
}

static void couple(const struct ml_segment_params *b, const struct ml_instants *at,
                   const struct rows *rows, int lane, const struct ml_joint_loads *out)
{
    struct composite c = {0};
    double *coupling = out->coupling ? out->coupling + lane : NULL;
    for (int j = b->n - 1; j >= 0; j--) {
        double turn = of_joint(at->acceleration, j, lane), reach = 0.0;
        take_in(b, along(rows, j, lane), j, &c);
        if (out->torque[ML_TORQUE_OWN])
            out->torque[ML_TORQUE_OWN][j * ML_LANES + lane] = c.second * turn;
        if (!coupling)
            continue;
        coupling[(j * b->n + j) * ML_LANES] = 0.0;
        for (int i = j - 1; i >= 0; i--) {
            struct vector u = along(rows, i, lane);
            reach += b->length[i] * (u.x * c.first.x + u.y * c.first.y);
            double inertia = c.second + reach;
            coupling[(i * b->n + j) * ML_LANES] = inertia * turn;
            coupling[(j * b->n + i) * ML_LANES] = inertia * of_joint(at->acceleration, i, lane);
        }
    }
}

/* Squares of the rates, and their centripetal and Coriolis part, [n] rows each. */
static void split_squares(int n, const double *rate, double *square)
{
    double *centripetal = square + n * ML_LANES, *coriolis = centripetal + n * ML_LANES;
    for (int lane = 0; lane < ML_LANES; lane++) {
        double own = 0.0, mixed = 0.0;
        for (int i = 0, k = lane; i < n; i++, k += ML_LANES) {
            double turn = of_joint(rate, i, lane);
            own += turn * turn;
            mixed += i > 0 ? 2.0 * turn * rate[k - ML_LANES] : 0.0;
            square[k] = rate[k] * rate[k];
            centripetal[k] = own;
            coriolis[k] = mixed;
        }
    }
}

/* Torques at the joints that balance generalised forces on the segments. */
static void balance(int n, const double *force, double *torque)
{
    double sum[ML_LANES] = {0.0};
    for (int i = n - 1; i >= 0; i--)
        for (int l = 0; l < ML_LANES; l++) {
            sum[l] -= force ? force[i * ML_LANES + l] : 0.0;
            torque[i * ML_LANES + l] = sum[l];
        }
}

/* Uniform accelerations. Without a field -0 stays. */
static void fill_uniform(const struct ml_segment_params *b, const struct ml_instants *at,
                         struct rows *rows)
{
    for (int k = 0; k < 2 * ML_LANES; k++) {
        const double field = at->field ? at->field[k] : 0.0;
        rows->gravity[k] = b->gravity[k / ML_LANES] + (field == 0.0 ? -0.0 : field);
        rows->back[k] = 0.0 - at->base[k];
        rows->both[k] = rows->gravity[k] + rows->back[k];
    }
}

/* The motion and loads that part p of the torques is for. */
static struct drive drive_of(int p, int n, const struct ml_instants *at, const struct rows *rows)
{
    switch (p) {
    case ML_TORQUE_ALL:
        return (struct drive){at->acceleration, rows->square, rows->both, at->load};
    case ML_TORQUE_INERTIA:
        return (struct drive){.acceleration = at->acceleration};
    case ML_TORQUE_VELOCITY:
        return (struct drive){.square = rows->square};
    case ML_TORQUE_CENTRIPETAL:
        return (struct drive){.square = rows->square + n * ML_LANES};
    case ML_TORQUE_CORIOLIS:
        return (struct drive){.square = rows->square + 2 * n * ML_LANES};
    case ML_TORQUE_GRAVITY:
        return (struct drive){.gravity = rows->gravity};
    case ML_TORQUE_BASE:
        return (struct drive){.gravity = rows->back};
    default: /* ML_TORQUE_EXTERNAL */
        return (struct drive){.load = at->load};
    }
}

void ml_inverse_dynamics(const struct ml_segment_params *segments,
                         const struct ml_instants *instants, double *work,
                         const struct ml_joint_loads *out)
{
    const int n = segments->n, size = n * ML_LANES;
    struct rows rows = {.square = work,
                        .along_x = work + 3 * size,
                        .along_y = work + 4 * size,
                        .com_x = work + 5 * size,
                        .com_y = work + 6 * size};
    double *const *torque = out->torque;
    fill_uniform(segments, instants, &rows);
    point_along(segments, instants, &rows);
    split_squares(n, instants->rate, work); /* rows.square */
    for (int p = 0; p < ML_N_TORQUE; p++)
        if (torque[p] && p != ML_TORQUE_OWN && p != ML_TORQUE_DAMPING && p != ML_TORQUE_PASSIVE) {
            const struct drive drive = drive_of(p, n, instants, &rows);
            dynamics_pass(segments, &drive, &rows, torque[p],
                          p == ML_TORQUE_ALL ? out->force : NULL);
        }
    for (int lane = 0; lane < ML_LANES && (torque[ML_TORQUE_OWN] || out->coupling); lane++)
        couple(segments, instants, &rows, lane, out);
    balance(n, instants->passive, torque[ML_TORQUE_PASSIVE]);
    for (int k = 0; k < size; k++) {
        const int i = k / ML_LANES;
        /* 0, not -0, without a damper */
        torque[ML_TORQUE_DAMPING][k] =
            0.0 + segments->damping[i] * of_joint(instants->rate, i, k % ML_LANES);
        torque[ML_TORQUE_ALL][k] += torque[ML_TORQUE_DAMPING][k] + torque[ML_TORQUE_PASSIVE][k];
    }
}
