/* chain: n rigid segments in a plane, each hinged to the end of the one before it.
 *
 * State rows: absolute angles phi_0..phi_{n-1} [rad], rates omega_0..omega_{n-1} [rad/s], whatever
 * the study's coordinates. With m_{>i} the mass distal to segment i,
 *
 *   mu_i = m_i d_i + l_i m_{>i},   c_ii = I_i + m_i d_i^2 + l_i^2 m_{>i},   c_ij = mu_max l_min
 *   M_ij = c_ij cos(phi_i - phi_j)
 *   C_i  = - sum_j c_ij sin(phi_i - phi_j) omega_j^2
 *   G_i  = mu_i g . n_i
 *   Q_i + D_i = T_i - T_{i+1},   T_i = tau_i - b_i (omega_i - omega_{i-1})
 *
 * (Lagrange; e.g. Spong, Hutchinson, Vidyasagar, Robot Modeling and Control, chapter 7.) Because
 * c_ij is a product, the sums over j factor: C_i costs O(1) by a running sum from each end, and
 * M_ij two operations. docs/errata.md has what the source texts print. */
#include "simd/vmath.h"
#include "systems/rhs.h"

enum { CHAIN_GRAVITY, CHAIN_GRAVITY_X, CHAIN_GRAVITY_Y, CHAIN_N_PARAM };
enum { CHAIN_LENGTH, CHAIN_MASS, CHAIN_COM, CHAIN_INERTIA, CHAIN_N_SEGMENT_PARAM };
enum { CHAIN_ANGLES, CHAIN_ZERO, CHAIN_N_CHOICE };
enum { CHAIN_ABSOLUTE, CHAIN_JOINT };
enum { CHAIN_DOWN, CHAIN_RIGHT };

static const struct ml_param chain_params[CHAIN_N_PARAM] = {
    [CHAIN_GRAVITY] = {"gravity", "m/s^2", 9.81, -1e6, 1e6, 0, "gravity, acting along -y"},
    [CHAIN_GRAVITY_X] = {"gravity.x", "m/s^2", (double)NAN, -1e6, 1e6, ML_DERIVED,
                         "gravity along x (default: 0)"},
    [CHAIN_GRAVITY_Y] = {"gravity.y", "m/s^2", (double)NAN, -1e6, 1e6, ML_DERIVED,
                         "gravity along y (default: -gravity)"},
};

static const struct ml_param chain_segment_params[CHAIN_N_SEGMENT_PARAM] = {
    [CHAIN_LENGTH] = {"length", "m", 0.0, 0.0, 1e6, ML_REQUIRED | ML_OPEN_LOW,
                      "distance from its joint to the next"},
    [CHAIN_MASS] = {"mass", "kg", 0.0, 0.0, 1e9, ML_REQUIRED | ML_OPEN_LOW, "mass"},
    [CHAIN_COM] = {"com", "m", (double)NAN, -1e6, 1e6, ML_DERIVED,
                   "distance from its joint to its centre of mass (default: length/2)"},
    [CHAIN_INERTIA] = {"inertia", "kg m^2", (double)NAN, 0.0, 1e12, ML_DERIVED,
                       "moment of inertia about its centre of mass (default: mass length^2/12)"},
};

static const struct ml_choice chain_choices[CHAIN_N_CHOICE] = {
    [CHAIN_ANGLES] = {"angles",
                      "what the angles of the study and the result are",
                      {"segment", "joint"},
                      {"absolute angle of each segment",
                       "angle of each segment relative to the one before it"}},
    [CHAIN_ZERO] = {"zero",
                    "direction of a segment with absolute angle 0",
                    {"down", "right"},
                    {"the downward vertical, -y", "the +x axis"}},
};

enum {
    CHAIN_REC_ANGLE,
    CHAIN_REC_RATE,
    CHAIN_N_STATE, /* angle and rate are the state */
    CHAIN_REC_ENERGY = CHAIN_N_STATE,
    CHAIN_REC_KINETIC,
    CHAIN_REC_POTENTIAL,
    CHAIN_REC_END,
    CHAIN_REC_COM,
    CHAIN_N_RECORD
};

static const struct ml_quantity chain_records[CHAIN_N_RECORD] = {
    [CHAIN_REC_ANGLE] = {"angle",
                         "rad",
                         "angle, counter-clockwise positive, not wrapped",
                         {ML_DIM_SEGMENT}},
    [CHAIN_REC_RATE] = {"rate", "rad/s", "time derivative of angle", {ML_DIM_SEGMENT}},
    [CHAIN_REC_ENERGY] = {"energy", "J", "kinetic plus potential energy", {ML_DIM_NONE}},
    [CHAIN_REC_KINETIC] = {"kinetic_energy", "J", "kinetic energy", {ML_DIM_NONE}},
    [CHAIN_REC_POTENTIAL] = {"potential_energy",
                             "J",
                             "potential energy in gravity, zero with every centre of mass at the "
                             "height of the base",
                             {ML_DIM_NONE}},
    [CHAIN_REC_END] = {"end_position",
                       "m",
                       "distal end of each segment: the next joint, or the tip",
                       {ML_DIM_SEGMENT, ML_DIM_COORDINATE}},
    [CHAIN_REC_COM] = {"com_position",
                       "m",
                       "centre of mass of each segment",
                       {ML_DIM_SEGMENT, ML_DIM_COORDINATE}},
};

/* Rows of the constants. Gravity is kept turned into the frame of the angles' zero: G_i =
 * mu_i (along cos phi_i + across sin phi_i), V = - sum mu_i (along sin phi_i - across cos phi_i).
 */
enum { CHAIN_ROW_ALONG, CHAIN_ROW_ACROSS, CHAIN_ROW_SEGMENTS, CHAIN_ROWS_PER_SEGMENT = 7 };
ML_INLINE int chain_row(int i, int which)
{
    return CHAIN_ROW_SEGMENTS + CHAIN_ROWS_PER_SEGMENT * i + which;
}
ML_INLINE int chain_row_length(int i) { return chain_row(i, 0); }
ML_INLINE int chain_row_mu(int i) { return chain_row(i, 1); }
ML_INLINE int chain_row_com(int i) { return chain_row(i, 2); }
ML_INLINE int chain_row_torque(int i) { return chain_row(i, 3); }
ML_INLINE int chain_row_damping(int i) { return chain_row(i, 4); }
ML_INLINE int chain_row_along(int i) { return chain_row(i, 5); }  /* mu_i times gravity along */
ML_INLINE int chain_row_across(int i) { return chain_row(i, 6); } /* mu_i times gravity across */
ML_INLINE int chain_row_coupling(int n, int i, int j)             /* c_ij, i >= j */
{
    return chain_row(n, 0) + ml_tri(i, j);
}

static int chain_constant_rows(const struct ml_shape *shape)
{
    return chain_row_coupling(shape->n, shape->n, 0);
}

static int chain_n_x(const struct ml_shape *shape) { return 2 * shape->n; }

/* anchor, sine and cosine, mass matrix, scratch of assembly (and of what is done between steps) */
static int chain_rhs_rows(const struct ml_shape *shape)
{
    int n = shape->n;
    return 5 * n + ml_tri(n, 0) + 4 * n + ml_solve_rows(n);
}

static void chain_derive(const struct ml_shape *shape, double *values)
{
    if (isnan(values[CHAIN_GRAVITY_X]))
        values[CHAIN_GRAVITY_X] = 0.0;
    if (isnan(values[CHAIN_GRAVITY_Y]))
        values[CHAIN_GRAVITY_Y] = -values[CHAIN_GRAVITY];
    for (int i = 0; i < shape->n; i++) {
        double *segment = values + CHAIN_N_PARAM + i * CHAIN_N_SEGMENT_PARAM;
        double length = segment[CHAIN_LENGTH];
        if (isnan(segment[CHAIN_COM]))
            segment[CHAIN_COM] = length / 2.0;
        if (isnan(segment[CHAIN_INERTIA]))
            segment[CHAIN_INERTIA] = segment[CHAIN_MASS] * length * length / 12.0;
    }
}

/* Length, mu and coupling of each segment, from the tip inwards. */
ML_INLINE void chain_prepare_segments(int n, const double *values, double *constants)
{
    ml_vec along = ml_get(constants, CHAIN_ROW_ALONG), across = ml_get(constants, CHAIN_ROW_ACROSS);
    ml_vec distal = ml_splat(0.0); /* mass beyond the segment */
    for (int i = n - 1; i >= 0; i--) {
        const double *segment = values + (CHAIN_N_PARAM + i * CHAIN_N_SEGMENT_PARAM) * ML_LANES;
        ml_vec l = ml_get(segment, CHAIN_LENGTH), m = ml_get(segment, CHAIN_MASS);
        ml_vec d = ml_get(segment, CHAIN_COM), inertia = ml_get(segment, CHAIN_INERTIA);
        ml_vec mu = ml_fma(m, d, l * distal);
        ml_vec diagonal = ml_fma(m * d, d, ml_fma(l * l, distal, inertia));
        ml_put(constants, chain_row_length(i), l);
        ml_put(constants, chain_row_mu(i), mu);
        ml_put(constants, chain_row_along(i), mu * along);
        ml_put(constants, chain_row_across(i), mu * across);
        ml_put(constants, chain_row_com(i), d);
        ml_put(constants, chain_row_torque(i), ml_splat(0.0));
        ml_put(constants, chain_row_damping(i), ml_splat(0.0));
        ml_put(constants, chain_row_coupling(n, i, i), diagonal);
        for (int k = i + 1; k < n; k++)
            ml_put(constants, chain_row_coupling(n, k, i), l * ml_get(constants, chain_row_mu(k)));
        distal += m;
    }
}

/* Absolute angles and rates from the study's. */
ML_INLINE void chain_prepare_state(int n, bool is_joint, const double *initial, double *x)
{
    ml_vec angle = ml_splat(0.0), rate = ml_splat(0.0);
    for (int i = 0; i < n; i++) {
        if (!is_joint)
            angle = rate = ml_splat(0.0);
        angle = angle + ml_get(initial, i);
        rate = rate + ml_get(initial, n + i);
        ml_put(x, i, angle);
        ml_put(x, n + i, rate);
    }
}

static void chain_prepare(const struct ml_shape *shape, const double *values, double *constants,
                          double *x)
{
    const int n = shape->n;
    const double *initial = values + (CHAIN_N_PARAM + n * CHAIN_N_SEGMENT_PARAM) * ML_LANES;
    bool is_down = shape->choice[CHAIN_ZERO] == CHAIN_DOWN;
    ML_EACH_GROUP(g) {
        ml_vec gx = ml_get(values + g, CHAIN_GRAVITY_X), gy = ml_get(values + g, CHAIN_GRAVITY_Y);
        ml_put(constants + g, CHAIN_ROW_ALONG, is_down ? gx : gy);
        ml_put(constants + g, CHAIN_ROW_ACROSS, is_down ? gy : -gx);
        chain_prepare_segments(n, values + g, constants + g);
        chain_prepare_state(n, shape->choice[CHAIN_ANGLES] == CHAIN_JOINT, initial + g, x + g);
    }
}

static struct ml_joint_terms chain_joint_terms(const struct ml_shape *shape, double *constants)
{
    (void)shape;
    return (struct ml_joint_terms){
        .torque = constants + chain_row_torque(0) * ML_LANES,
        .damping = constants + chain_row_damping(0) * ML_LANES,
        .stride = CHAIN_ROWS_PER_SEGMENT,
    };
}

/* mu_i g . n_i, or 0. */
ML_INLINE ml_vec chain_gravity(const double *constants, bool has_gravity, int i, ml_vec s, ml_vec c)
{
    if (!has_gravity)
        return ml_splat(0.0);
    return ml_fma(ml_get(constants, chain_row_along(i)), c,
                  ml_get(constants, chain_row_across(i)) * s);
}

/* Up to this many segments, sums over pairs of segments take fewer operations than products of
 * sums: 8 per pair and 3 per segment against 2 and 13. */
enum { CHAIN_MAX_PAIRWISE = 3 };

/* C + G and M (packed lower triangle), pair by pair.
 *   s, c, omega  [n] sine and cosine of the angles, rates
 *   square       [n] scratch */
ML_INLINE void chain_assemble_pairs(int n, const double *constants, bool has_gravity,
                                    const ml_vec *s, const ml_vec *c, const ml_vec *omega,
                                    ml_vec *force, ml_vec *mass, ml_vec *square)
{
    for (int i = 0; i < n; i++) {
        square[i] = omega[i] * omega[i];
        force[i] = chain_gravity(constants, has_gravity, i, s[i], c[i]);
        mass[ml_tri(i, i)] = ml_get(constants, chain_row_coupling(n, i, i));
    }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) {
            ml_vec coupling = ml_get(constants, chain_row_coupling(n, i, j));
            ml_vec pull = coupling * ml_fma(s[i], c[j], -(c[i] * s[j])); /* c_ij sin(difference) */
            mass[ml_tri(i, j)] = coupling * ml_fma(c[i], c[j], s[i] * s[j]);
            force[i] = ml_fnma(pull, square[j], force[i]);
            force[j] = ml_fma(pull, square[i], force[j]);
        }
}

/* The same by running sums: with c_ij = mu_i l_j for i > j,
 *   C_i = mu_i [cos phi_i sum_{j<i} l_j sin phi_j omega_j^2 - sin phi_i sum_{j<i} l_j cos phi_j ..]
 *       + l_i  [cos phi_i sum_{j>i} mu_j sin phi_j omega_j^2 - sin phi_i sum_{j>i} mu_j cos phi_j
 * ..] and M_ij = (mu_i cos phi_i)(l_j cos phi_j) + (mu_i sin phi_i)(l_j sin phi_j). work  [4 n]
 * scratch */
ML_INLINE void chain_assemble_sums(int n, const double *constants, bool has_gravity,
                                   const ml_vec *s, const ml_vec *c, const ml_vec *omega,
                                   ml_vec *force, ml_vec *mass, ml_vec *work)
{
    ml_vec *ls = work, *lc = ls + n, *ms = lc + n, *mc = ms + n;
    ml_vec sum_s = ml_splat(0.0), sum_c = ml_splat(0.0);
    for (int i = 0; i < n; i++) {
        ml_vec length = ml_get(constants, chain_row_length(i));
        ml_vec mu = ml_get(constants, chain_row_mu(i)), square = omega[i] * omega[i];
        ls[i] = length * s[i];
        lc[i] = length * c[i];
        ms[i] = mu * s[i];
        mc[i] = mu * c[i];
        ml_vec f = chain_gravity(constants, has_gravity, i, s[i], c[i]);
        force[i] = ml_fnma(ms[i], sum_c, ml_fma(mc[i], sum_s, f));
        sum_s = ml_fma(ls[i], square, sum_s);
        sum_c = ml_fma(lc[i], square, sum_c);
        for (int j = 0; j < i; j++)
            mass[ml_tri(i, j)] = ml_fma(mc[i], lc[j], ms[i] * ls[j]);
        mass[ml_tri(i, i)] = ml_get(constants, chain_row_coupling(n, i, i));
    }
    sum_s = sum_c = ml_splat(0.0);
    for (int i = n - 1; i >= 0; i--) {
        ml_vec square = omega[i] * omega[i];
        force[i] = ml_fnma(ls[i], sum_c, ml_fma(lc[i], sum_s, force[i]));
        sum_s = ml_fma(ms[i], square, sum_s);
        sum_c = ml_fma(mc[i], square, sum_c);
    }
}

/* C + G and M; which form depends on n alone, so that the bits do.
 *   work  [4 n] scratch */
ML_INLINE void chain_assemble(int n, const double *constants, bool has_gravity, const ml_vec *s,
                              const ml_vec *c, const ml_vec *omega, ml_vec *force, ml_vec *mass,
                              ml_vec *work)
{
    if (n <= CHAIN_MAX_PAIRWISE)
        chain_assemble_pairs(n, constants, has_gravity, s, c, omega, force, mass, work);
    else
        chain_assemble_sums(n, constants, has_gravity, s, c, omega, force, mass, work);
}

/* Adds Q + D: the torque of each joint on the segments it connects. */
ML_INLINE void chain_joint_forces(int n, const double *constants, const ml_vec *omega,
                                  ml_vec *force)
{
    ml_vec previous = ml_splat(0.0);
    for (int i = 0; i < n; i++) {
        ml_vec torque = ml_fnma(ml_get(constants, chain_row_damping(i)), omega[i] - previous,
                                ml_get(constants, chain_row_torque(i)));
        force[i] += torque;
        if (i > 0)
            force[i - 1] -= torque;
        previous = omega[i];
    }
}

/* sine and cosine of the angles of one vector of lanes, and the anchor that later stages turn from.
 * A stage near the first one turns its sine and cosine by the difference in angle, lane by lane
 * where that is small enough, which is nearly always.
 *   anchor  [3 n] angle, sine and cosine at the first stage */
ML_INLINE void chain_sincos_stage(int n, const struct ml_flow *flow, int group, enum ml_stage stage,
                                  const ml_vec *angle, ml_vec *anchor, ml_vec *s, ml_vec *c)
{
    ml_mask handled = flow->handled[group];
    for (int i = 0; i < n; i++) {
        if (stage == ML_STAGE_FIRST) {
            ml_sincos_near(angle[i], &s[i], &c[i]);
            handled &= ml_within(angle[i], ML_ANGLE_FAST);
        } else {
            ml_vec turn = angle[i] - anchor[3 * i];
            s[i] = anchor[3 * i + 1];
            c[i] = anchor[3 * i + 2];
            ml_rotate(turn, &s[i], &c[i]);
            handled &= ml_within(turn, ML_TURN_MAX);
        }
    }
    if (flow->is_hasty)
        flow->handled[group] = handled;
    else if (ml_bits(~handled) != 0)
        for (int i = 0; i < n; i++) {
            ml_mask turned = ml_within(angle[i], -1.0); /* none */
            ml_vec s_i, c_i;
            if (stage == ML_STAGE_NEAR)
                turned = ml_within(angle[i] - anchor[3 * i], ML_TURN_MAX);
            ml_sincos(1, &angle[i], &s_i, &c_i);
            s[i] = ml_select(turned, s[i], s_i);
            c[i] = ml_select(turned, c[i], c_i);
        }
    for (int i = 0; i < n && stage == ML_STAGE_FIRST; i++) {
        anchor[3 * i] = angle[i];
        anchor[3 * i + 1] = s[i];
        anchor[3 * i + 2] = c[i];
    }
}

ML_INLINE void chain_rhs(const struct ml_flow *flow, enum ml_stage stage, double t, const ml_vec *x,
                         ml_vec *dx, ml_vec *work)
{
    (void)t;
    const int n = flow->n;
    ml_vec *rest = work + 3 * n * flow->n_group;
    for (int j = 0; j < flow->n_group; j++) {
        const double *constants = flow->constants + j * ML_WIDTH;
        const ml_vec *angle = x + 2 * j * n, *omega = angle + n;
        ml_vec *force = dx + 2 * j * n + n, *s = rest, *c = s + n, *mass = c + n;
        ml_vec *scratch = mass + ml_tri(n, 0);
        chain_sincos_stage(n, flow, j, stage, angle, work + 3 * n * j, s, c);
        for (int i = 0; i < n; i++)
            dx[2 * j * n + i] = omega[i];
        chain_assemble(n, constants, true, s, c, omega, force, mass, scratch);
        if (flow->has_joint_terms)
            chain_joint_forces(n, constants, omega, force);
        ml_vec pivot = ml_solve(flow->solver, n, mass, force, scratch);
        flow->smallest[j] = ml_min(pivot, flow->smallest[j]);
    }
}

/* s and c of the angles, rows [n], with `angle` [n] as scratch. */
ML_INLINE void chain_sincos(int n, const double *x, ml_vec *s, ml_vec *c, ml_vec *angle)
{
    for (int i = 0; i < n; i++)
        angle[i] = ml_get(x, i);
    ml_sincos(n, angle, s, c);
}

/* Energies of one vector of lanes. */
ML_INLINE void chain_energy_lanes(int n, const double *constants, const double *x, ml_vec *work,
                                  ml_vec *kinetic, ml_vec *potential)
{
    ml_vec *s = work, *c = s + n;
    ml_vec along = ml_get(constants, CHAIN_ROW_ALONG);
    ml_vec across = ml_get(constants, CHAIN_ROW_ACROSS);
    chain_sincos(n, x, s, c, c + n);
    *kinetic = *potential = ml_splat(0.0);
    for (int i = 0; i < n; i++) {
        ml_vec omega = ml_get(x, n + i);
        ml_vec momentum = 0.5 * ml_get(constants, chain_row_coupling(n, i, i)) * omega;
        for (int j = 0; j < i; j++) {
            ml_vec coupling = ml_get(constants, chain_row_coupling(n, i, j));
            momentum =
                ml_fma(coupling * ml_fma(c[i], c[j], s[i] * s[j]), ml_get(x, n + j), momentum);
        }
        *kinetic = ml_fma(momentum, omega, *kinetic);
        ml_vec height = ml_fma(across, c[i], -(along * s[i])); /* times gravity */
        *potential = ml_fma(ml_get(constants, chain_row_mu(i)), height, *potential);
    }
}

/* What the segments can gain and lose in gravity: sum mu_i |g|. */
static void chain_energy_scale(int n, const double *constants, double *scale)
{
    ML_EACH_GROUP(g) {
        ml_vec sum = ml_splat(0.0);
        ml_vec gravity = ml_abs(ml_get(constants + g, CHAIN_ROW_ALONG)) +
                         ml_abs(ml_get(constants + g, CHAIN_ROW_ACROSS));
        for (int i = 0; i < n; i++)
            sum = ml_fma(ml_abs(ml_get(constants + g, chain_row_mu(i))), gravity, sum);
        ml_put(scale + g, 0, sum);
    }
}

/* Unrolled for the sizes that ensembles are large with: indicators look often. */
static void chain_energy(const struct ml_shape *shape, const double *constants, const double *x,
                         double *work, double *kinetic, double *potential, double *scale)
{
    ml_vec local[8], *any = (ml_vec *)work;
    ML_EACH_GROUP(g) {
        ml_vec k, v;
        if (shape->n == 1)
            chain_energy_lanes(1, constants + g, x + g, local, &k, &v);
        else if (shape->n == 2)
            chain_energy_lanes(2, constants + g, x + g, local, &k, &v);
        else
            chain_energy_lanes(shape->n, constants + g, x + g, any, &k, &v);
        ml_put(kinetic + g, 0, k);
        ml_put(potential + g, 0, v);
    }
    if (scale)
        chain_energy_scale(shape->n, constants, scale);
}

/* Angles or rates, rows [n], as the study counts them. */
ML_INLINE void chain_record_coordinates(int n, bool is_joint, const double *x, double *out)
{
    for (int i = 0; i < n; i++) {
        ml_vec value = ml_get(x, i);
        if (is_joint && i > 0)
            value = value - ml_get(x, i - 1);
        ml_put(out, i, value);
    }
}

/* Points at `distance` along each segment from its joint, rows [n][2]. */
ML_INLINE void chain_record_points(int n, bool is_down, const double *constants, bool at_com,
                                   const ml_vec *s, const ml_vec *c, double *out)
{
    ml_vec joint_x = ml_splat(0.0), joint_y = ml_splat(0.0);
    for (int i = 0; i < n; i++) {
        ml_vec ux = is_down ? s[i] : c[i], uy = is_down ? -c[i] : s[i];
        ml_vec length = ml_get(constants, chain_row_length(i));
        ml_vec distance = at_com ? ml_get(constants, chain_row_com(i)) : length;
        ml_put(out, 2 * i, ml_fma(distance, ux, joint_x));
        ml_put(out, 2 * i + 1, ml_fma(distance, uy, joint_y));
        joint_x = ml_fma(length, ux, joint_x);
        joint_y = ml_fma(length, uy, joint_y);
    }
}

static void chain_record(const struct ml_shape *shape, const double *constants, const double *x,
                         double *work, double *const *out)
{
    const int n = shape->n;
    bool is_joint = shape->choice[CHAIN_ANGLES] == CHAIN_JOINT;
    bool is_down = shape->choice[CHAIN_ZERO] == CHAIN_DOWN;
    ml_vec *s = (ml_vec *)work, *c = s + n;
    ML_EACH_GROUP(g) {
        if (out[CHAIN_REC_ANGLE])
            chain_record_coordinates(n, is_joint, x + g, out[CHAIN_REC_ANGLE] + g);
        if (out[CHAIN_REC_RATE])
            chain_record_coordinates(n, is_joint, x + g + n * ML_LANES, out[CHAIN_REC_RATE] + g);
        if (out[CHAIN_REC_ENERGY] || out[CHAIN_REC_KINETIC] || out[CHAIN_REC_POTENTIAL]) {
            ml_vec k, v;
            chain_energy_lanes(n, constants + g, x + g, s, &k, &v);
            if (out[CHAIN_REC_ENERGY])
                ml_put(out[CHAIN_REC_ENERGY] + g, 0, k + v);
            if (out[CHAIN_REC_KINETIC])
                ml_put(out[CHAIN_REC_KINETIC] + g, 0, k);
            if (out[CHAIN_REC_POTENTIAL])
                ml_put(out[CHAIN_REC_POTENTIAL] + g, 0, v);
        }
        if (out[CHAIN_REC_END] || out[CHAIN_REC_COM])
            chain_sincos(n, x + g, s, c, c + n);
        if (out[CHAIN_REC_END])
            chain_record_points(n, is_down, constants + g, false, s, c, out[CHAIN_REC_END] + g);
        if (out[CHAIN_REC_COM])
            chain_record_points(n, is_down, constants + g, true, s, c, out[CHAIN_REC_COM] + g);
    }
}

/* Generalised forces for joint angles from those for absolute angles: y_i = sum_{p >= i} y_p. */
static void chain_to_joint_forces(int n, double *force)
{
    for (int i = n - 2; i >= 0; i--)
        force[i] += force[i + 1];
}

/* M and the forces for joint angles, q'' as differences: L^T M L and L^T f with L the lower
 * triangle of ones. */
static void chain_to_joint(int n, const struct ml_terms *out)
{
    for (int i = n - 2; i >= 0; i--)
        for (int j = 0; j < n; j++)
            out->m[i * n + j] += out->m[(i + 1) * n + j];
    for (int i = 0; i < n; i++)
        chain_to_joint_forces(n, out->m + (long)i * n);
    chain_to_joint_forces(n, out->c);
    chain_to_joint_forces(n, out->g);
    chain_to_joint_forces(n, out->q);
    chain_to_joint_forces(n, out->d);
    chain_to_joint_forces(n, out->e);
    for (int i = n - 1; i > 0; i--)
        out->qdd[i] -= out->qdd[i - 1];
}

/* Q and D apart, of one lane. */
static void chain_joint_terms_of_lane(int n, const double *constants, const double *omega, int lane,
                                      const struct ml_terms *out)
{
    for (int i = 0; i < n; i++) {
        double torque = constants[chain_row_torque(i) * ML_LANES + lane];
        double coefficient = constants[chain_row_damping(i) * ML_LANES + lane];
        double rate = omega[i * ML_LANES + lane] - (i > 0 ? omega[(i - 1) * ML_LANES + lane] : 0.0);
        out->q[i] = torque;
        out->d[i] = 0.0 - coefficient * rate; /* 0, not -0, without a damper */
        out->e[i] = 0.0;
        if (i > 0) {
            out->q[i - 1] -= out->q[i];
            out->d[i - 1] -= out->d[i];
        }
    }
}

static bool chain_terms(const struct ml_shape *shape, const double *constants, const double *x,
                        int lane, double *work, const struct ml_terms *out)
{
    const int n = shape->n, group = lane / ML_WIDTH * ML_WIDTH, l = lane % ML_WIDTH;
    const double *k = constants + group, *rates = x + n * ML_LANES;
    ml_vec *s = (ml_vec *)work, *c = s + n, *mass = c + n, *force = mass + ml_tri(n, 0);
    ml_vec *omega = force + n, *rest = omega + n;

    chain_sincos(n, x + group, s, c, omega);
    for (int i = 0; i < n; i++)
        omega[i] = ml_splat(0.0);
    chain_assemble(n, k, true, s, c, omega, force, mass, rest);
    for (int i = 0; i < n; i++) {
        out->g[i] = force[i][l];
        omega[i] = ml_get(rates + group, i);
    }
    chain_assemble(n, k, false, s, c, omega, force, mass, rest);
    for (int i = 0; i < n; i++)
        out->c[i] = force[i][l];
    chain_joint_terms_of_lane(n, constants, rates, lane, out);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out->m[i * n + j] = mass[i > j ? ml_tri(i, j) : ml_tri(j, i)][l];
    for (int i = 0; i < n; i++)
        force[i] = ml_splat(out->c[i] + out->g[i] + out->q[i] + out->d[i] + out->e[i]);
    ml_vec pivot = ml_solve(shape->solver, n, mass, force, rest);
    for (int i = 0; i < n; i++)
        out->qdd[i] = force[i][l];
    if (shape->choice[CHAIN_ANGLES] == CHAIN_JOINT)
        chain_to_joint(n, out);
    return pivot[l] > 0.0;
}

/* Numbers of segments that get kernels of their own, unrolled with the state in registers, and how
 * many vectors each advances side by side: what was fastest. The few are for builds that look for
 * mistakes, where compiling all would take minutes. */
#define CHAIN_FEW_SIZES(X, arg) X(arg, 1, 2) X(arg, 2, 2) X(arg, 3, 1)
#define CHAIN_SIZES(X, arg) \
    CHAIN_FEW_SIZES(X, arg) \
    X(arg, 4, 1) X(arg, 5, 1) X(arg, 6, 1) X(arg, 7, 1) X(arg, 8, 1)

extern const struct ml_system ML_K(ml_system_chain);
const struct ml_system ML_K(ml_system_chain) = {
    .name = "chain",
    .doc = "n rigid segments in a plane, each hinged to the end of the one before it",
    .params = chain_params,
    .n_param = CHAIN_N_PARAM,
    .segment_params = chain_segment_params,
    .n_segment_param = CHAIN_N_SEGMENT_PARAM,
    .choices = chain_choices,
    .n_choice = CHAIN_N_CHOICE,
    .records = chain_records,
    .n_record = CHAIN_N_RECORD,
    .state = chain_records,
    .n_state = CHAIN_N_STATE,
    .n_x = chain_n_x,
    .constant_rows = chain_constant_rows,
    .rhs_rows = chain_rhs_rows,
    .prepare = chain_prepare,
    .joint_terms = chain_joint_terms,
    .record = chain_record,
    .energy = chain_energy,
    .terms = chain_terms,
    .derive = chain_derive,
};
