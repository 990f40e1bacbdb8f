/* Runs that are integrated, and the torques of their motion: those that drove them, which the test
 * knows from the saved states and the controllers' law. */
#include "inverse/files.h"

enum { N = 3, MOST_TEXT = 4096, MOST_SAMPLES = MOST_NUMBERS / N };

/* A pid at the joint, and of the angle, of one segment; ki may be switched off. */
struct pid {
    double target, kp, ki, kd;
};

struct plant {
    const char *name;
    int n;
    const char *system, *forces; /* smooth ones, besides the controllers */
    const char *rough;           /* with a kink where they set in */
    const char *initial;
    struct pid pids[N];
};

static const struct plant plants[] = {
    {"double pendulum",
     2,
     "system: {type: chain, segments: [{length: 0.6, mass: 2}, {length: 0.5, mass: 1.2}]}\n",
     "  - {type: damper, joint: 1, coefficient: 0.3}\n"
     "  - {type: spring, segment: 2, at: 0.4, anchor: [0.5, -0.2], stiffness: 30}\n",
     "  - {type: joint_limit, joint: 2, upper: 0.4, lower: -0.6, stiffness: 20, damping: 0.1}\n",
     "initial: {angle: [1, -0.5], rate: [-1, 2]}\n",
     {{1.4, 60.0, 25.0, 8.0}, {0.8, 40.0, 15.0, 3.0}}},
    {"arm",
     3,
     "system:\n"
     "  type: chain\n  angles: joint\n  zero: right\n"
     "  segments:\n"
     "    - {length: 0.31, mass: 1.93, com: 0.165, inertia: 0.0141}\n"
     "    - {length: 0.27, mass: 1.32, com: 0.118, inertia: 0.0120}\n"
     "    - {length: 0.19, mass: 0.52, com: 0.133, inertia: 0.0025}\n",
     "  - {type: damper, joint: 2, coefficient: 0.2}\n"
     "  - {type: point_force, segment: 3, at: 0.13, force: [-10, 2]}\n",
     "  - {type: joint_limit, joint: 2, upper: 0.9, stiffness: 20}\n"
     "  - {type: ground, segment: 3, level: 0.1, stiffness: 900, damping: 0.3, friction: 0.4}\n"
     "  - {type: friction, joint: 2, coulomb: 0.3, static: 0.5, velocity_scale: 0.3}\n"
     "  - {type: contact, segment: 2, at: 0.2, point: [0.3, -0.2], radius: 0.25, stiffness: 900,"
     " damping: 0.3, friction: 0.4}\n",
     "initial: {angle: [-1.2, 0.4, 0.3], rate: [0, 1, -2]}\n",
     {{0.2, 30.0, 20.0, 2.5}, {1.0, 12.0, 8.0, 0.8}, {-0.4, 2.0, 1.5, 0.08}}},
};

enum { STEPS_PER_SECOND = 4000 };

/* What is run: every `every`-th step of half a second is kept. */
struct trial {
    const struct plant *plant;
    bool has_integral, is_rough;
    int every;
};

static void write_study(const struct trial *trial, const char *quantities, char text[MOST_TEXT])
{
    const struct plant *plant = trial->plant;
    int used = snprintf(text, MOST_TEXT, "manylink: 1\n%s%sforces:\n%s%s", plant->system,
                        plant->initial, plant->forces, trial->is_rough ? plant->rough : "");
    for (int i = 0; i < plant->n; i++) {
        const struct pid *pid = &plant->pids[i];
        used += snprintf(text + used, (size_t)(MOST_TEXT - used),
                         "  - {type: pid, joint: %d, target: %g, kp: %g, ki: %g, kd: %g}\n", i + 1,
                         pid->target, pid->kp, trial->has_integral ? pid->ki : 0.0, pid->kd);
    }
    (void)snprintf(text + used, (size_t)(MOST_TEXT - used),
                   "time: {step: 1/%d, end: 0.5}\n"
                   "save: {trajectory: {every: %d, quantities: [%s]}}\n",
                   STEPS_PER_SECOND, trial->every, quantities);
}

static void run(const char *text, const char *name)
{
    char path[256];
    struct ml_error err = {0};
    struct ml_run_report report = {.size = sizeof report};
    struct ml_study *study = parse(text);
    (void)unlink(in_folder(name, path));
    if (ml_run(study,
               &(struct ml_run_options){
                   .size = sizeof(struct ml_run_options), .output = path, .n_thread = 1},
               &report, &err))
        ref_stop("%s", err.text);
    ml_study_free(study);
}

/* The controllers' torques [n][n_time] from the saved states. The integral of the error e is that
 * of the polynomials of degree 5 through e, e' and e'' of neighbouring samples:
 * h (e0 + e1)/2 + h^2 (e0' - e1')/10 + h^3 (e0'' + e1'')/120, with an error of O(h^6). */
static int torques_of_controllers(const struct trial *trial, double *out)
{
    static double x[3][MOST_NUMBERS];
    static const char *const names[3] = {"angle", "rate", "acceleration"};
    const int n = trial->plant->n;
    const double h = (double)trial->every / STEPS_PER_SECOND;
    int size = 0;
    for (int q = 0; q < 3; q++) {
        char set[128];
        (void)snprintf(set, sizeof set, "/study/trajectories/%s", names[q]);
        size = read_set("states.h5", set, x[q]);
    }
    const int n_time = size / n;
    for (int i = 0; i < n; i++) {
        const struct pid *pid = &trial->plant->pids[i];
        double z = 0.0;
        for (int k = 0; k < n_time; k++) {
            const int at = i * n_time + k;
            const double error = pid->target - x[0][at];
            if (k > 0)
                z += h * (pid->target - 0.5 * (x[0][at] + x[0][at - 1])) +
                     h * h * (x[1][at] - x[1][at - 1]) / 10.0 -
                     h * h * h * (x[2][at] + x[2][at - 1]) / 120.0;
            out[at] =
                pid->kp * error - pid->kd * x[1][at] + (trial->has_integral ? pid->ki * z : 0.0);
        }
    }
    return size;
}

/* How far the torques of the saved motion are from those of the controllers, relative to the
 * largest. */
static double error_of(const struct trial *trial, const char *quantities)
{
    static double torque[MOST_NUMBERS], should[MOST_NUMBERS];
    char text[MOST_TEXT], path[256];
    write_study(trial, "angle, rate, acceleration", text);
    run(text, "states.h5");
    const int size = torques_of_controllers(trial, should);
    write_study(trial, quantities, text);
    run(text, "motion.h5");
    solve(text, in_folder("motion.h5", path));
    if (read_set("inverse.h5", "/study/inverse/torque", torque) != size)
        ref_stop("the torques are not as many as the states");
    return ref_error(size, torque, should);
}

/* Of a dataset of the result. */
static double largest(const char *name)
{
    static double x[MOST_NUMBERS];
    char set[128];
    double most = 0.0;
    (void)snprintf(set, sizeof set, "/study/inverse/%s", name);
    for (int i = read_set("inverse.h5", set, x) - 1; i >= 0; i--)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* With accelerations there is no spline: rounding is left, and of the integral how the run
 * approximates it. */
static void accelerations_give_the_torques(const struct plant *plant, bool has_integral,
                                           bool is_rough, double bound)
{
    const struct trial trial = {plant, has_integral, is_rough, 4};
    CHECK_CASE("%s%s%s", plant->name, has_integral ? ", integral" : "",
               is_rough ? ", limits and ground" : "");
    CHECK_ERROR(error_of(&trial, "angle, rate, acceleration"), bound);
    if (is_rough)
        CHECK(largest("torque_passive") > 1.0);
}

/* The error is that of the spline: halving the interval divides it by 2^order. */
static void splines_give_them_nearly(const struct plant *plant, const char *quantities,
                                     double order, double bound)
{
    const struct trial wide = {plant, true, false, 4}, narrow = {plant, true, false, 2};
    const double error = error_of(&wide, quantities), half = error_of(&narrow, quantities);
    CHECK_CASE("%s, saved: %s", plant->name, quantities);
    CHECK_ERROR(fabs(log2(error / half) - order), 0.3);
    CHECK_ERROR(half, bound);
}

int main(void)
{
    begin_folder();
    for (size_t p = 0; p < sizeof plants / sizeof *plants; p++) {
        accelerations_give_the_torques(&plants[p], false, false, 1e-14);
        accelerations_give_the_torques(&plants[p], false, true, 1e-14);
        accelerations_give_the_torques(&plants[p], true, false, 1e-12);
        splines_give_them_nearly(&plants[p], "angle, rate", 5.0, 1e-8);
        splines_give_them_nearly(&plants[p], "angle", 4.0, 2e-6);
    }
    end_folder((const char *[]){"inverse.h5", "motion.h5", "states.h5", NULL});
    return check_done();
}
