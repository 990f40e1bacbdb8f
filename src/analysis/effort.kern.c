/* effort: what the actuators of a run do, by joint, and whether the energy agrees with it.
 *
 *   rms = sqrt(1/T int tau^2 dt)
 *
 *   work = int max(+-tau alpha', 0) dt
 *
 *   balance = E - E0 - int P dt
 *
 * with the torque tau at a joint and its rate alpha', and P the power of all forces that have no
 * potential. The balance would be 0 but for the errors of the integrator and of the quadrature. The
 * derivative of a peak is that of the torque at the time when it was largest. */
#include "analysis/arc.h"
#include "analysis/indicator.h"
#include "analysis/quadrature.h"

enum { SEES_TORQUE, SEES_JOINT_POWER, SEES_POWER };
enum { PEAK, RMS, POSITIVE, NEGATIVE, BALANCE, N_OUTPUT };

/* Kept: energy at the start and now, peaks [n], then integrals: P, and by joint these. Then of
 * derivatives the same, of the peaks and energies [n + 2][n_sens] between them and the integrals.
 */
enum { START_ENERGY, ENERGY, FIRST_PEAK };
enum { SQUARE, GAIN, LOSS, N_BY_JOINT };

static bool effort_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    static const struct ml_output outputs[N_OUTPUT] = {
        [PEAK] = {"peak_torque", "N m", "largest |torque of the actuators| over the observed times",
                  .dim = {ML_DIM_SEGMENT}},
        [RMS] = {"rms_torque", "N m", "root mean square of the torque of the actuators",
                 .dim = {ML_DIM_SEGMENT}},
        [POSITIVE] = {"positive_work", "J", "work that the actuators of a joint put in",
                      .dim = {ML_DIM_SEGMENT}},
        [NEGATIVE] = {"negative_work", "J", "work that they take out, at most 0",
                      .dim = {ML_DIM_SEGMENT}},
        [BALANCE] = {"power_balance_error", "J",
                     "energy at the end - energy at the start - work of all forces without a "
                     "potential: the error of the run and its observation",
                     .dim = {ML_DIM_NONE}},
    };
    if (i >= N_OUTPUT || use->sees[SEES_TORQUE] < 0 || !use->system->energy.measure)
        return false;
    *output = outputs[i];
    return true;
}

static int effort_n_sens(const struct ml_indicator_use *use)
{
    return use->is_differentiated ? use->n_sens : 0;
}

/* Row of the derivative of a peak or an energy, which are not integrals. */
static int deriv_row(const struct ml_indicator_use *use, int row, int p)
{
    return FIRST_PEAK + use->n + row * use->n_sens + p;
}

static double *effort_integrals(const struct ml_indicator_use *use, double *keep)
{
    return keep + (FIRST_PEAK + use->n) * (1 + effort_n_sens(use)) * ML_LANES;
}

static int joint_integral(int joint, int which) { return 1 + joint * N_BY_JOINT + which; }

/* Number of the integral of the derivative, along parameter p, of another integral's integrand. */
static int deriv_integral(const struct ml_indicator_use *use, int integral, int p)
{
    return (1 + p) * joint_integral(use->n, 0) + integral;
}

static int effort_keep_rows(const struct ml_indicator_use *use)
{
    const int n_sens = effort_n_sens(use);
    return (FIRST_PEAK + use->n) * (1 + n_sens) +
           ml_integrals_rows(joint_integral(use->n, 0) * (1 + n_sens));
}

/* Derivatives along the parameters of the peak and the integrals of joint i, of one group of lanes.
 *   is_new  lanes in which this observation is the joint's peak */
ML_INLINE void effort_add_derivs(const struct ml_indicator_use *use,
                                 const struct ml_observation *observed, int i, int g,
                                 const struct ml_quadrature *q, ml_mask is_new, double *keep)
{
    const double *const *records = observed->records, *const *derivs = observed->record_derivs;
    const ml_vec none = ml_splat(0.0);
    double *sums = effort_integrals(use, keep);
    ml_vec tau = ml_load(records[use->sees[SEES_TORQUE]] + g, i);
    ml_vec power = ml_load(records[use->sees[SEES_JOINT_POWER]] + g, i);
    for (int p = 0; p < effort_n_sens(use); p++) {
        const int peak = deriv_row(use, FIRST_PEAK + i, p), row = i * use->n_sens + p;
        ml_vec tau_deriv = ml_load(derivs[use->sees[SEES_TORQUE]] + g, row);
        ml_vec power_deriv = ml_load(derivs[use->sees[SEES_JOINT_POWER]] + g, row);
        ml_store(keep + g, peak,
                 ml_select(is_new, ml_abs_deriv(tau, tau_deriv), ml_load(keep + g, peak)));
        ml_integrals_add(sums, deriv_integral(use, joint_integral(i, SQUARE), p), g, q,
                         2.0 * tau * tau_deriv);
        ml_integrals_add(sums, deriv_integral(use, joint_integral(i, GAIN), p), g, q,
                         ml_select((ml_mask)(power > 0.0), power_deriv, none));
        ml_integrals_add(sums, deriv_integral(use, joint_integral(i, LOSS), p), g, q,
                         ml_select((ml_mask)(power < 0.0), power_deriv, none));
    }
}

static void effort_observe(const struct ml_indicator_use *use,
                           const struct ml_observation *observed, double *keep)
{
    double *sums = effort_integrals(use, keep);
    const double *torque = observed->records[use->sees[SEES_TORQUE]];
    const double *joint_power = observed->records[use->sees[SEES_JOINT_POWER]];
    const struct ml_quadrature q = ml_integrals_observe(sums, observed->time);
    const ml_vec none = ml_splat(0.0);
    ML_EACH_GROUP(g) {
        ml_store(keep + g, ENERGY,
                 ml_load(observed->kinetic + g, 0) + ml_load(observed->potential + g, 0));
        ml_integrals_add(sums, 0, g, &q, ml_load(observed->records[use->sees[SEES_POWER]] + g, 0));
        for (int p = 0; p < effort_n_sens(use); p++) {
            ml_store(keep + g, deriv_row(use, ENERGY, p),
                     ml_load(observed->kinetic_deriv + g, p) +
                         ml_load(observed->potential_deriv + g, p));
            ml_integrals_add(sums, deriv_integral(use, 0, p), g, &q,
                             ml_load(observed->record_derivs[use->sees[SEES_POWER]] + g, p));
        }
        for (int i = 0; i < use->n; i++) {
            ml_vec tau = ml_load(torque + g, i), power = ml_load(joint_power + g, i);
            ml_vec peak = ml_load(keep + g, FIRST_PEAK + i);
            ml_store(keep + g, FIRST_PEAK + i, ml_max(peak, ml_abs(tau)));
            effort_add_derivs(use, observed, i, g, &q, (ml_mask)(ml_abs(tau) > peak), keep);
            ml_integrals_add(sums, joint_integral(i, SQUARE), g, &q, tau * tau);
            ml_integrals_add(sums, joint_integral(i, GAIN), g, &q, ml_max(power, none));
            ml_integrals_add(sums, joint_integral(i, LOSS), g, &q, ml_min(power, none));
        }
    }
}

/* Adds the integrals of a joint's power over a look, and of its derivatives, by its sign. */
static void effort_add_work(const struct ml_indicator_use *use, const struct ml_look *look, int i,
                            int lane, double *sums)
{
    const int record = use->sees[SEES_JOINT_POWER];
    const struct ml_arc power = ml_look_arc(look, record, i, lane);
    double cut[ML_LOOK_POINTS + 2];
    const int n_cut = ml_arc_zeros(&power, 0.0, 1.0, cut);
    for (int k = 1; k < n_cut; k++) {
        const double work = ml_arc_integral(&power, cut[k - 1], cut[k]);
        const int integral = joint_integral(i, work > 0.0 ? GAIN : LOSS);
        ml_integral_sum(sums, integral)[lane] += look->length[lane] * work;
        for (int p = 0; p < effort_n_sens(use); p++) {
            const struct ml_arc deriv = ml_look_deriv(look, record, i, p, lane);
            ml_integral_sum(sums, deriv_integral(use, integral, p))[lane] +=
                look->length[lane] * ml_arc_integral(&deriv, cut[k - 1], cut[k]);
        }
    }
}

/* Peak and mean square of a joint's torque over a look, and their derivatives. */
static void effort_add_torque(const struct ml_indicator_use *use, const struct ml_look *look, int i,
                              int lane, double *keep)
{
    const int record = use->sees[SEES_TORQUE];
    const struct ml_arc torque = ml_look_arc(look, record, i, lane);
    double *sums = effort_integrals(use, keep), *peak = keep + (FIRST_PEAK + i) * ML_LANES + lane;
    double most;
    const double at = ml_arc_farthest(&torque, 0.0, 1.0, &most);
    const double sign = most < 0.0 ? -1.0 : 1.0;
    const bool is_new = fabs(most) > *peak;
    *peak = is_new ? fabs(most) : *peak;
    struct ml_arc square = torque;
    for (int k = 0; k < ML_LOOK_POINTS; k++)
        square.at[k] *= torque.at[k];
    ml_integral_sum(sums, joint_integral(i, SQUARE))[lane] +=
        look->length[lane] * ml_arc_integral(&square, 0.0, 1.0);
    for (int p = 0; p < effort_n_sens(use); p++) {
        struct ml_arc deriv = ml_look_deriv(look, record, i, p, lane);
        if (is_new)
            keep[deriv_row(use, FIRST_PEAK + i, p) * ML_LANES + lane] =
                sign * ml_arc_at(&deriv, at);
        for (int k = 0; k < ML_LOOK_POINTS; k++)
            deriv.at[k] *= 2.0 * torque.at[k];
        ml_integral_sum(sums, deriv_integral(use, joint_integral(i, SQUARE), p))[lane] +=
            look->length[lane] * ml_arc_integral(&deriv, 0.0, 1.0);
    }
}

/* The work of all forces over a look, and the energy behind it. */
static void effort_add_energy(const struct ml_indicator_use *use, const struct ml_look *look,
                              int lane, double *keep)
{
    const int record = use->sees[SEES_POWER];
    const struct ml_arc power = ml_look_arc(look, record, 0, lane);
    double *sums = effort_integrals(use, keep);
    keep[ENERGY * ML_LANES + lane] = ml_look_energy(look, lane).at[ML_LOOK_LAST];
    ml_integral_sum(sums, 0)[lane] += look->length[lane] * ml_arc_integral(&power, 0.0, 1.0);
    for (int p = 0; p < effort_n_sens(use); p++) {
        const struct ml_arc deriv = ml_look_deriv(look, record, 0, p, lane);
        keep[deriv_row(use, ENERGY, p) * ML_LANES + lane] =
            ml_look_energy_deriv(look, p, lane).at[ML_LOOK_LAST];
        ml_integral_sum(sums, deriv_integral(use, 0, p))[lane] +=
            look->length[lane] * ml_arc_integral(&deriv, 0.0, 1.0);
    }
}

static void effort_look(const struct ml_indicator_use *use, const struct ml_look *look,
                        double *keep)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (!(look->lanes >> lane & 1))
            continue;
        effort_add_energy(use, look, lane, keep);
        for (int i = 0; i < use->n; i++) {
            effort_add_torque(use, look, i, lane, keep);
            effort_add_work(use, look, i, lane, effort_integrals(use, keep));
        }
    }
}

static void effort_begin(const struct ml_indicator_use *use, const struct ml_observation *observed,
                         double *keep)
{
    effort_observe(use, observed, keep);
    ML_EACH_GROUP(g) {
        ml_store(keep + g, START_ENERGY, ml_load(keep + g, ENERGY));
        for (int p = 0; p < effort_n_sens(use); p++)
            ml_store(keep + g, deriv_row(use, START_ENERGY, p),
                     ml_load(keep + g, deriv_row(use, ENERGY, p)));
    }
}

static void effort_finish(const struct ml_indicator_use *use, const struct ml_observation *observed,
                          double *keep, double *const *out)
{
    const double *sums = effort_integrals(use, keep);
    const struct ml_quadrature rest = ml_integrals_rest(sums);
    const double duration = observed->time - use->start;
    ML_EACH_GROUP(g) {
        ml_vec change = ml_load(keep + g, ENERGY) - ml_load(keep + g, START_ENERGY);
        ml_store(out[BALANCE] + g, 0, change - ml_integral(sums, 0, g, &rest));
        for (int i = 0; i < use->n; i++) {
            ml_vec square = ml_integral(sums, joint_integral(i, SQUARE), g, &rest);
            ml_store(out[PEAK] + g, i, ml_load(keep + g, FIRST_PEAK + i));
            ml_store(out[RMS] + g, i, ml_sqrt(ml_max(square, ml_splat(0.0)) / duration));
            ml_store(out[POSITIVE] + g, i, ml_integral(sums, joint_integral(i, GAIN), g, &rest));
            ml_store(out[NEGATIVE] + g, i, ml_integral(sums, joint_integral(i, LOSS), g, &rest));
        }
    }
}

/* Row of a joint's output among all of them, along parameter p. */
static int effort_out_row(const struct ml_indicator_use *use, int output, int joint, int p)
{
    return (output * use->n + joint) * use->n_sens + p;
}

static void effort_derivs(const struct ml_indicator_use *use, const struct ml_observation *observed,
                          const double *keep, double *out)
{
    const double *sums = effort_integrals(use, (double *)keep);
    const struct ml_quadrature rest = ml_integrals_rest(sums);
    const ml_vec none = ml_splat(0.0);
    const double duration = observed->time - use->start;
    ML_EACH_GROUP(g)
        for (int p = 0; p < use->n_sens; p++) {
            ml_vec change = ml_load(keep + g, deriv_row(use, ENERGY, p)) -
                            ml_load(keep + g, deriv_row(use, START_ENERGY, p));
            ml_store(out + g, effort_out_row(use, BALANCE, 0, p),
                     change - ml_integral(sums, deriv_integral(use, 0, p), g, &rest));
            for (int i = 0; i < use->n; i++) {
                const int square = joint_integral(i, SQUARE);
                ml_vec rms =
                    ml_sqrt(ml_max(ml_integral(sums, square, g, &rest), ml_splat(0.0)) / duration);
                ml_vec d_square = ml_integral(sums, deriv_integral(use, square, p), g, &rest);
                ml_store(out + g, effort_out_row(use, PEAK, i, p),
                         ml_load(keep + g, deriv_row(use, FIRST_PEAK + i, p)));
                ml_store(out + g, effort_out_row(use, RMS, i, p),
                         ml_select((ml_mask)(rms > 0.0), 0.5 * d_square / (duration * rms), none));
                for (int which = GAIN; which <= LOSS; which++)
                    ml_store(out + g, effort_out_row(use, POSITIVE + which - GAIN, i, p),
                             ml_integral(sums, deriv_integral(use, joint_integral(i, which), p), g,
                                         &rest));
            }
        }
}

extern const struct ml_indicator ML_K(ml_indicator_effort);
const struct ml_indicator ML_K(ml_indicator_effort) = {
    .name = "effort",
    .doc = "torques and work of the actuators by joint, and the balance of power",
    .is_on_request = true,
    .sees = {[SEES_TORQUE] = ML_JOINT_TORQUE,
             [SEES_JOINT_POWER] = ML_JOINT_POWER,
             [SEES_POWER] = ML_POWER},
    .integrates = true,
    .output = effort_output,
    .keep_rows = effort_keep_rows,
    .begin = effort_begin,
    .observe = effort_observe,
    .look = effort_look,
    .finish = effort_finish,
    .derivs = effort_derivs,
    .sees_derivs = 1U << SEES_TORQUE | 1U << SEES_JOINT_POWER | 1U << SEES_POWER | ML_SEES_ENERGY,
};
