/* What controllers and actuators do: against the closed form of a second-order system, and by the
 * balance of power. */
#include <math.h>

#include "analysis/measured.h"

/* A rod that turns about its end without gravity under a PD controller:
 * theta'' + 2 zeta omega theta' + omega^2 (theta - target) = 0, from rest at 0. */
static const double inertia = 0.4, target = 0.7, omega = 6.0, zeta = 0.3, end = 4.0;

/* Error relative to that at the start, and its rate. */
static double error_at(double t, double *rate)
{
    const double decay = zeta * omega, swing = omega * sqrt(1.0 - zeta * zeta);
    const double c = cos(swing * t), s = sin(swing * t), size = exp(-decay * t);
    *rate = -size * (decay * decay / swing + swing) * s;
    return size * (c + decay / swing * s);
}

/* By bisection: when the error comes to `level` between a and b, where it is on either side. */
static double crossing(double a, double b, double level)
{
    double rate;
    const bool is_above = error_at(a, &rate) > level;
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (a + b);
        if ((error_at(middle, &rate) > level) == is_above)
            a = middle;
        else
            b = middle;
    }
    return a;
}

/* What the closed form says, its integrals by the trapezoidal rule in small steps. */
struct wanted {
    double rise, settling, iae, ise, peak, square, gain, loss;
};

static struct wanted closed_form(void)
{
    const double kp = inertia * omega * omega, kd = 2.0 * zeta * omega * inertia;
    const double swing = omega * sqrt(1.0 - zeta * zeta), half = acos(-1.0) / swing, h = 1e-6;
    struct wanted w = {0};
    double rate, last = 0.0;
    w.rise = crossing(0.0, half, 0.1) - crossing(0.0, half, 0.9);
    for (int k = 1; fabs(error_at(k * half, &rate)) > 0.02; k++)
        last = k * half;
    w.settling = crossing(last, last + half, error_at(last, &rate) > 0.0 ? 0.02 : -0.02);
    for (long k = 0; k <= lrint(end / h); k++) {
        const double weight = k == 0 || k == lrint(end / h) ? 0.5 * h : h;
        double e = target * error_at((double)k * h, &rate);
        double torque = kp * e + kd * target * rate, power = -torque * target * rate;
        w.iae += weight * fabs(e);
        w.ise += weight * e * e;
        w.peak = fmax(w.peak, fabs(torque));
        w.square += weight * torque * torque;
        w.gain += weight * fmax(power, 0.0);
        w.loss += weight * fmin(power, 0.0);
    }
    return w;
}

static struct measured step_response(const char *isa, const char *more)
{
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "manylink: 1\n"
                   "system: {type: chain, gravity: 0, segments: [{length: 1, mass: 1, com: 0.5, "
                   "inertia: %.17g}]}\n"
                   "forces: [{type: pid, joint: 1, target: %.17g, kp: %.17g, kd: %.17g}]\n"
                   "time: {step: 1e-3, end: %g}\n%s",
                   inertia - 0.25, target, inertia * omega * omega, 2.0 * zeta * omega * inertia,
                   end, more);
    return measure(text, isa, 1);
}

static void a_step_response_is_that_of_the_closed_form(const char *isa)
{
    struct measured m = step_response(isa, "analyse: {tracking: {}, effort: {}}\n");
    const struct wanted w = closed_form();
    double rate, error = target * error_at(end, &rate);
    CHECK_CASE("%s", isa);
    CHECK_ERROR(fabs(measured(&m, "rise_time", 0)[0] - w.rise), 2e-6);
    CHECK_ERROR(fabs(measured(&m, "settling_time", 0)[0] - w.settling), 1e-7);
    CHECK_ERROR(
        fabs(measured(&m, "overshoot", 0)[0] - exp(-zeta * acos(-1.0) / sqrt(1.0 - zeta * zeta))),
        2e-6);
    CHECK_ERROR(fabs(measured(&m, "steady_state_error", 0)[0] - error), 1e-11);
    CHECK_ERROR(fabs(measured(&m, "ise", 0)[0] - w.ise), 1e-11);
    CHECK_ERROR(fabs(measured(&m, "iae", 0)[0] - w.iae), 1e-6);
    CHECK_ERROR(fabs(measured(&m, "peak_torque", 0)[0] - w.peak), 1e-9);
    CHECK_ERROR(fabs(measured(&m, "rms_torque", 0)[0] - sqrt(w.square / end)), 1e-9);
    CHECK_ERROR(fabs(measured(&m, "positive_work", 0)[0] - w.gain), 1e-5);
    CHECK_ERROR(fabs(measured(&m, "negative_work", 0)[0] - w.loss), 1e-5);
    CHECK_ERROR(fabs(measured(&m, "power_balance_error", 0)[0]), 2e-9);
    measured_free(&m);
}

/* Behind a ramp of length T a rod on a spring, of frequency w, swings about the target by 2 |sin(w
 * T/2)| / (w T) of the ramp's way; a sine has no way. */
static double overshoot_of(const char *course)
{
    char study[600];
    (void)snprintf(study, sizeof study,
                   "manylink: 1\n"
                   "system: {type: chain, gravity: 0, segments: [{length: 1, mass: 3}]}\n"
                   "forces: [{type: impedance, stiffness: [9], damping: [0], equilibrium: %s}]\n"
                   "initial: {angle: 0.3}\n"
                   "time: {step: 1e-3, end: 4}\nanalyse: {tracking: {}}\n",
                   course);
    struct measured m = measure(study, NULL, 1);
    const double overshoot = measured(&m, "overshoot", 0)[0];
    measured_free(&m);
    return overshoot;
}

static void reaches_overshoot_relative_to_their_way(void)
{
    const double found = overshoot_of("{type: ramp, from: 0.3, to: -0.7, duration: 0.5}");
    CHECK_ERROR(fabs(found - 2.0 * sin(0.75) / 1.5), 2e-6);
    CHECK(isnan(overshoot_of("{type: sine, mean: 0.3, amplitude: 1, frequency: 1}")));
}

static void what_is_not_reached_is_no_number(void)
{
    struct measured m = step_response(NULL, "analyse: {tracking: {band: 1e-9}}\n");
    CHECK_CASE("band");
    CHECK(isnan(measured(&m, "settling_time", 0)[0]) && measured(&m, "rise_time", 0)[0] > 0.0);
    measured_free(&m);
    m = measure("manylink: 1\nsystem: {type: chain, segments: {repeat: 2, length: 1, mass: 1}}\n"
                "forces: [{type: pid, joint: 2, target: 0, kp: 1}]\n"
                "time: {step: 0.01, end: 1}\nanalyse: {tracking: {}}\n",
                NULL, 1);
    CHECK_CASE("no way to go, and no controller");
    CHECK(isnan(measured(&m, "rise_time", 0)[1]) && isnan(measured(&m, "overshoot", 0)[1]));
    CHECK(measured(&m, "iae", 0)[1] == 0.0 && measured(&m, "steady_state_error", 0)[1] == 0.0);
    CHECK(isnan(measured(&m, "iae", 0)[0]) && isnan(measured(&m, "steady_state_error", 0)[0]));
    measured_free(&m);
    m = measure("manylink: 1\n"
                "system: {type: chain, angles: joint, gravity: 0, segments: {repeat: 2, length: 1, "
                "mass: 1}}\n"
                "forces: [{type: impedance, stiffness: [10, 10], damping: [1, 1], equilibrium: "
                "{type: ramp, from: 0.3, to: 1, duration: 0.5}}]\n"
                "initial: {angle: 0.3}\n" /* but for rounding where the target is */
                "time: {step: 0.01, end: 3}\nanalyse: {tracking: {}}\n",
                NULL, 1);
    CHECK_CASE("a target that sets off from where the angle is");
    for (int i = 0; i < 2; i++) {
        CHECK(isnan(measured(&m, "rise_time", 0)[i]) && measured(&m, "overshoot", 0)[i] >= 0.0);
        CHECK(measured(&m, "iae", 0)[i] > 0.0);
    }
    measured_free(&m);
}

/* With a negative kd the error grows, e = e0 exp(t/4) cos(..), and passes through 0 within the last
 * step: that is no settling. With kd > 0 it has settled only if it stayed so for the dwell time. */
static void what_passes_through_zero_has_not_settled(void)
{
    static const char *const text =
        "manylink: 1\n"
        "system: {type: chain, gravity: 0, segments: [{name: a, length: 1, mass: 1}]}\n"
        "forces: [{name: p, type: pid, joint: a, target: 1, kp: 10, kd: -0.2}]\n"
        "time: {step: 1e-3, end: 3.149}\nsweep: [{set: forces.p.kd, from: -0.2, to: 0, count: "
        "21}]\n"
        "analyse: {tracking: {}}\n";
    struct measured m = measure(text, NULL, 1);
    for (int run = 0; run < 21; run++) {
        CHECK_CASE("a growing error, run %d", run);
        CHECK(isnan(measured(&m, "settling_time", run)[0]));
        CHECK(measured(&m, "overshoot", run)[0] > 0.99);
    }
    CHECK(fabs(measured(&m, "steady_state_error", 0)[0]) < 0.02); /* it is within the band there */
    measured_free(&m);

    const struct wanted w = closed_form();
    char dwell[128];
    for (int side = -1; side <= 1; side += 2) {
        (void)snprintf(dwell, sizeof dwell, "analyse: {tracking: {dwell: %.17g}}\n",
                       (end - w.settling) / end + side * 1e-6);
        m = step_response(NULL, dwell);
        CHECK_CASE("dwell %+d", side);
        CHECK(isnan(measured(&m, "settling_time", 0)[0]) == (side > 0));
        measured_free(&m);
    }
}

/* Every kind of force at once; half the step leaves a sixteenth of the error. */
static double imbalance(double step, int every)
{
    char text[2048];
    (void)snprintf(
        text, sizeof text,
        "manylink: 1\n"
        "system: {type: chain, angles: joint, segments: {repeat: 3, length: 0.5, mass: 1}}\n"
        "forces:\n"
        "  - {type: pid, joint: 2, target: {type: sine, amplitude: 0.5, frequency: 1}, kp: 20, "
        "ki: 3, kd: 1}\n"
        "  - {type: torque, joint: 3, value: {type: minimum_jerk, from: 0, to: 2, duration: 3}}\n"
        "  - {type: torque, joint: 1, value: 3}\n"
        "  - {type: damper, joint: 1, coefficient: 0.4}\n"
        "  - {type: impedance, stiffness: [[3, 1, 0], [2, 4, 1], [0, 1, 2]], damping: [0.1, 0.2, "
        "0.3], equilibrium: {2: 0.3}}\n"
        "  - {type: spring, segment: 3, at: 0.5, anchor: [1, -1], stiffness: 30, rest_length: "
        "0.2}\n"
        "  - {type: point_force, segment: 2, at: 0.2, force: [1, 2]}\n"
        "initial: {angle: [1, 0.5, 0.2]}\n"
        "time: {step: %.17g, end: 2}\nanalyse: {every: %d, effort: {}}\n",
        step, every);
    struct measured m = measure(text, NULL, 1);
    CHECK(m.results.n_output > 5 && measured(&m, "peak_torque", 0)[1] > 1.0);
    double found = fabs(measured(&m, "power_balance_error", 0)[0]);
    measured_free(&m);
    return found;
}

static void power_is_balanced(void)
{
    CHECK_CASE("balance of power");
    double coarse = imbalance(5e-4, 1), fine = imbalance(2.5e-4, 1);
    CHECK_ERROR(fine, 2e-8);
    CHECK_ERROR(fabs(log2(coarse / fine) - 4.0), 0.3);
    CHECK_ERROR(imbalance(2.5e-4, 7), 1e-5); /* 8000 is no multiple of 7 */
}

/* The same response to a target that jumps at 0.5 s, which steps meet. */
static void a_step_that_comes_later_is_measured_from_there(void)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "manylink: 1\n"
                   "system: {type: chain, gravity: 0, segments: [{length: 1, mass: 1, com: 0.5, "
                   "inertia: %.17g}]}\n"
                   "forces: [{type: pid, joint: 1, target: {type: pulse, amplitude: %.17g, onset: "
                   "0.5, duration: 9}, kp: %.17g, kd: %.17g}]\n"
                   "time: {step: 1e-3, end: %g}\nanalyse: {tracking: {from: 0.5}}\n",
                   inertia - 0.25, target, inertia * omega * omega, 2.0 * zeta * omega * inertia,
                   0.5 + end);
    struct measured m = measure(text, NULL, 1);
    const struct wanted w = closed_form();
    CHECK_CASE("a step at 0.5 s");
    CHECK_ERROR(fabs(measured(&m, "rise_time", 0)[0] - w.rise), 2e-6);
    CHECK_ERROR(fabs(measured(&m, "settling_time", 0)[0] - w.settling), 1e-7);
    CHECK_ERROR(fabs(measured(&m, "recovery_time", 0)[0] - w.settling), 1e-7);
    CHECK_ERROR(fabs(measured(&m, "peak_error", 0)[0] - target), 1e-15);
    CHECK_ERROR(fabs(measured(&m, "ise", 0)[0] - w.ise), 1e-11);
    measured_free(&m);
}

/* A push gives the rod a rate r: e = -r exp(-zeta omega t) sin(swing t)/swing, largest where
 * tan(swing t) = swing / (zeta omega). */
static void a_push_is_recovered_from(void)
{
    const double rate = 1.3, decay = zeta * omega, swing = omega * sqrt(1.0 - zeta * zeta);
    const double top = atan2(swing, decay) / swing, h = 1e-7;
    const double peak = rate * exp(-decay * top) * sin(swing * top) / swing;
    double recovery = 0.0;
    for (long k = lrint(end / h); k > 0 && recovery == 0.0; k--) {
        const double t = (double)k * h;
        if (fabs(rate * exp(-decay * t) * sin(swing * t) / swing) > 0.1 * peak)
            recovery = t;
    }
    char more[128];
    (void)snprintf(more, sizeof more,
                   "initial: {angle: %.17g, rate: %.17g}\nanalyse: {tracking: {from: 0, band: "
                   "0.1}}\n",
                   target, rate);
    struct measured m = step_response(NULL, more);
    CHECK_CASE("a push");
    CHECK(isnan(measured(&m, "rise_time", 0)[0]) && isnan(measured(&m, "settling_time", 0)[0]));
    CHECK_ERROR(fabs(measured(&m, "peak_error", 0)[0] - peak), 1e-6);
    CHECK_ERROR(fabs(measured(&m, "recovery_time", 0)[0] - recovery), 3e-6);
    measured_free(&m);
}

int main(void)
{
    for (int i = 0; ml_kernels_at(i); i++)
        a_step_response_is_that_of_the_closed_form(ml_kernels_at(i)->isa);
    reaches_overshoot_relative_to_their_way();
    what_is_not_reached_is_no_number();
    what_passes_through_zero_has_not_settled();
    a_step_that_comes_later_is_measured_from_there();
    a_push_is_recovered_from();
    power_is_balanced();
    return check_done();
}
