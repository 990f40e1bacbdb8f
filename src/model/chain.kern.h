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
 * (Lagrange; e.g. Spong, Hutchinson, Vidyasagar, Robot Modeling and Control, chapter 7.)
 * docs/errata.md lists the errors of the source texts. */
#include "model/chain/derivatives.kern.h"
#include "model/chain/forces.kern.h"
#include "model/chain/observe.kern.h"

static const struct ml_plausible_range chain_upwards = {
    0.0, 1e6, "a negative one acts upwards: to act downwards it is written without a sign"};
static const struct ml_plausible_range chain_rising = {-1e6, 0.0, "it acts upwards: y points up"};
static const struct ml_plausible_range chain_heavy = {0.0, 1000.0, "in g? masses are in kg"};
static const struct ml_plausible_range chain_giant = {0.0, 3.0, "in cm? heights are in m"};

static const struct ml_param chain_params[CHAIN_N_PARAM] = {
    [CHAIN_GRAVITY] = {"gravity", "m/s^2", 9.81, -1e6, 1e6, 0, "gravity, acting along -y", NULL,
                       &chain_upwards},
    [CHAIN_GRAVITY_X] = {"gravity.x", "m/s^2", (double)NAN, -1e6, 1e6, ML_DERIVED,
                         ML_DOC_BY_RULE("gravity along x", "0")},
    [CHAIN_GRAVITY_Y] = {"gravity.y", "m/s^2", (double)NAN, -1e6, 1e6, ML_DERIVED,
                         ML_DOC_BY_RULE("gravity along y", "-gravity"), .doubt = &chain_rising},
    [CHAIN_ENERGY] = {"energy", "J", (double)NAN, -1e30, 1e30, ML_DERIVED | ML_OF_START,
                      "kinetic plus potential energy at the start: one common factor scales the "
                      "rates to it; where none can (the potential energy is larger, or all rates "
                      "are 0) the run ends as impossible_start"},
    [CHAIN_BODY_MASS] = {"mass", "kg", (double)NAN, 0.0, 1e6,
                         ML_REQUIRED | ML_DERIVED | ML_OPEN_LOW,
                         "mass of the whole body, of which segments have the table's fractions",
                         ML_BODY, &chain_heavy},
    [CHAIN_BODY_HEIGHT] = {"height", "m", (double)NAN, 0.0, 1e3,
                           ML_REQUIRED | ML_DERIVED | ML_OPEN_LOW,
                           "height of the body, of which segments have the table's fractions",
                           ML_BODY, &chain_giant},
};

static const struct ml_param chain_segment_params[CHAIN_N_SEGMENT_PARAM] = {
    [CHAIN_LENGTH] = {"length", "m", (double)NAN, 0.0, 1e6, ML_DERIVED | ML_OF_BODY | ML_OPEN_LOW,
                      "distance from its joint to the next, unless " ML_BODY
                      " or `markers` of the motion "
                      "give it"},
    [CHAIN_MASS] = {"mass", "kg", (double)NAN, 0.0, 1e9, ML_DERIVED | ML_OF_BODY | ML_OPEN_LOW,
                    "mass, unless " ML_BODY " gives it"},
    [CHAIN_COM] = {"com", "m", (double)NAN, -1e6, 1e6, ML_DERIVED,
                   ML_DOC_BY_RULE("distance from its joint to its centre of mass", "length/2")},
    [CHAIN_INERTIA] = {"inertia", "kg m^2", (double)NAN, 0.0, 1e12, ML_DERIVED,
                       ML_DOC_BY_RULE("moment of inertia about its centre of mass",
                                      "mass length^2/12")},
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
    [CHAIN_TABLE] = {"table",
                     "where the fractions are from that segments have of a body",
                     {"winter", "de_leva_female", "de_leva_male"},
                     {"Dempster (1955), as in Winter's textbook", "de Leva (1996), women",
                      "de Leva (1996), men"},
                     ML_BODY},
};

static const struct ml_quantity chain_records[CHAIN_N_RECORD] = {
    [CHAIN_REC_ANGLE] = {"angle",
                         "rad",
                         "angle, counter-clockwise positive, not wrapped",
                         {ML_DIM_SEGMENT}},
    [CHAIN_REC_RATE] = {"rate", "rad/s", "time derivative of angle", {ML_DIM_SEGMENT}},
    [CHAIN_REC_ACCELERATION] = {"acceleration",
                                "rad/s^2",
                                "time derivative of rate",
                                {ML_DIM_SEGMENT}},
    [CHAIN_REC_ENERGY] = {"energy", "J", "kinetic plus potential energy", {ML_DIM_NONE}},
    [CHAIN_REC_KINETIC] = {"kinetic_energy", "J", "kinetic energy", {ML_DIM_NONE}},
    [CHAIN_REC_POTENTIAL] = {"potential_energy",
                             "J",
                             "potential energy in gravity, springs and constant forces, zero with "
                             "every centre of mass and point at the base and springs at rest",
                             {ML_DIM_NONE}},
    [CHAIN_REC_END] = {"end_position",
                       "m",
                       "distal end of each segment: the next joint, or the tip",
                       {ML_DIM_SEGMENT, ML_DIM_COORDINATE}},
    [CHAIN_REC_COM] = {"com_position",
                       "m",
                       "centre of mass of each segment",
                       {ML_DIM_SEGMENT, ML_DIM_COORDINATE}},
    [CHAIN_REC_ERROR] = {ML_CONTROL_ERROR,
                         "rad",
                         "target - angle, of angles that a force brings to a target",
                         {ML_DIM_SEGMENT}},
    [CHAIN_REC_TORQUE] = {ML_JOINT_TORQUE,
                          "N m",
                          "torque of the actuators at each joint: of all forces in joints but "
                          "dampers, friction and limits",
                          {ML_DIM_SEGMENT}},
    [CHAIN_REC_JOINT_POWER] = {ML_JOINT_POWER,
                               "W",
                               "torque of the actuators times the rate of the joint",
                               {ML_DIM_SEGMENT}},
    [CHAIN_REC_POWER] = {ML_POWER,
                         "W",
                         "power of all forces that have no potential",
                         {ML_DIM_NONE}},
    [CHAIN_REC_CONTACT] = {"contact_force",
                           "N",
                           "force of each contact, and of the ground, on its segment",
                           {ML_DIM_CONTACT, ML_DIM_COORDINATE}},
    [CHAIN_REC_JOINT_FORCE] =
        {"joint_force",
         "N",
         "force at each joint on the distal segment; of the first, of the base",
         {ML_DIM_SEGMENT, ML_DIM_COORDINATE}},
    [CHAIN_REC_JOINT_MOMENT] = {"joint_moment",
                                "N m",
                                "torque of all forces in each joint on the distal segment: of "
                                "actuators, dampers, friction and limits",
                                {ML_DIM_SEGMENT}},
    [CHAIN_REC_SLIP] =
        {ML_SLIP,
         "1",
         "rate of each joint over the velocity scale of its friction: between -1 and 1 "
         "it sticks, and creeps",
         {ML_DIM_SEGMENT}},
};

#define CHAIN_HAS_TANGENTS 1
#define CHAIN_HAS_FORCING 1
#define CHAIN_HAS_MEASURES 1

/* Vectors that a kernel advances side by side: the fastest number measured. */
#define CHAIN_GROUPS(n, has_columns) ((has_columns) ? ((n) <= 3 ? 2 : 1) : (n) <= 2 ? 4 : 2)

/* And the general kernel: sums wait for each other. */
#define CHAIN_GENERAL_GROUPS ML_ROW
#define CHAIN_HAS_LAPACKE 1

/* From this number of segments on the recursive solver takes less time than the others. */
enum { CHAIN_RECURSIVE_FROM = 6 };

ML_DESCRIPTOR(ml_system, chain) = {
    .name = "chain",
    .doc = "n rigid segments in a plane, each hinged to the end of the one before it",
    .tables.params = chain_params,
    .tables.n_param = CHAIN_N_PARAM,
    .tables.segment_params = chain_segment_params,
    .tables.n_segment_param = CHAIN_N_SEGMENT_PARAM,
    .tables.parts = chain_parts,
    .tables.choices = chain_choices,
    .tables.n_choice = CHAIN_N_CHOICE,
    .tables.records = chain_records,
    .tables.n_record = CHAIN_N_RECORD,
    .tables.state = chain_records,
    .tables.n_state = CHAIN_N_STATE,
    .start.first_rate = CHAIN_REC_RATE,
    .start.n_rate = 1,
    .dynamics.recursive_from = CHAIN_RECURSIVE_FROM,
    .dynamics.has_tangents = ML_SYSTEM_HAS_TANGENTS,
    .dynamics.measures_rates = true,
    .dynamics.measures_drift = true,
    .dynamics.n_x = chain_n_x,
    .dynamics.is_plain = chain_is_plain,
    .dynamics.constant_rows = chain_constant_rows,
    .dynamics.rhs_rows = chain_rhs_rows,
    .dynamics.prepare = chain_prepare,
    .forces.joint_terms = chain_joint_terms,
    .dynamics.record = chain_record,
    .energy.measure = chain_energy,
    .energy.deriv = chain_energy_deriv,
    .terms.mass_unit = "kg m^2",
    .terms.force_unit = "N m",
    .terms.write = chain_terms,
    .forces.loads = chain_loads,
    .parameters.derive = chain_derive,
    .parameters.derive_deriv = chain_derive_deriv,
    .parameters.prepare_deriv = chain_prepare_deriv,
};
