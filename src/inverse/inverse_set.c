/* The datasets of one result of inverse dynamics: names, units, dimensions, sizes. */
#include "inverse/inverse_set.h"

#include <string.h>

#include "manylink/fail.h"
#include "store/result.h"

static const struct ml_inverse_set sets[ML_N_SET] = {
#define X(code, called, text) [code] = {called, "N m", text, {"joint", "time"}},
    ML_TORQUE_LIST(X)
#undef X
#define X(code, called, unit_, text, ...) [code] = {called, unit_, text, {__VA_ARGS__}},
        ML_JOINT_SET_LIST(X)
#undef X
            [ML_SET_PEAK] = {"peak_torque",
                             "N m",
                             "largest |torque of the actuators| over the samples",
                             {"joint"},
                             true},
    [ML_SET_RMS] = {"rms_torque",
                    "N m",
                    "root mean square of the torque of the actuators over time",
                    {"joint"},
                    true},
    [ML_SET_POSITIVE] =
        {"positive_work", "J", "work that the actuators of a joint put in", {"joint"}, true},
    [ML_SET_NEGATIVE] = {"negative_work",
                         "J",
                         "work that the actuators of a joint take out, at most 0",
                         {"joint"},
                         true},
#define OF_CYCLES(code, called, unit_, text)                                     \
    [code##_MEAN] = {.name = called "_mean",                                     \
                     .unit = unit_,                                              \
                     .doc = "mean " text " over the cycles",                     \
                     .dim = {"joint", "percent"},                                \
                     .deviation = called "_sd"},                                 \
    [code##_SD] = {called "_sd",                                                 \
                   unit_,                                                        \
                   "standard deviation of the " text " over the cycles (n - 1)", \
                   {"joint", "percent"}}
    OF_CYCLES(ML_SET_CYCLE_TORQUE, "cycle_torque", "N m", "torque"),
    OF_CYCLES(ML_SET_CYCLE_POWER, "cycle_power", "W", "power"),
    OF_CYCLES(ML_SET_CYCLE_ANGLE, "cycle_angle", "rad", "angle of the joint"),
#undef OF_CYCLES
#define IN_CYCLES(code, name, unit, text) \
    [ML_SET_CYCLE_##code] = {"cycle_" name, unit, text " of a cycle", {"joint", "cycle"}}
#define AND_MEAN(code, name, unit, text) \
    IN_CYCLES(code, name, unit, text),   \
        [ML_SET_MEAN_##code] = {         \
            "mean_cycle_" name, unit, text " of a cycle, mean over the cycles", {"joint"}, true}
    AND_MEAN(MAX, "max_torque", "N m", "largest torque"),
    AND_MEAN(MAX_AT, "max_torque_at", "%", "instant of the largest torque"),
    IN_CYCLES(MAX_TIME, "max_torque_time", "s", "instant of the largest torque"),
    AND_MEAN(MIN, "min_torque", "N m", "smallest torque"),
    AND_MEAN(MIN_AT, "min_torque_at", "%", "instant of the smallest torque"),
    IN_CYCLES(MIN_TIME, "min_torque_time", "s", "instant of the smallest torque"),
    AND_MEAN(POSITIVE, "positive_work", "J", "work that the actuators of a joint put in"),
    AND_MEAN(NEGATIVE, "negative_work", "J", "work that the actuators of a joint take out"),
#undef AND_MEAN
#undef IN_CYCLES
    [ML_SET_BURST] = {"burst_work",
                      "J",
                      "work of the bursts of power of hip, knee and ankle",
                      {"burst", "cycle"}},
    [ML_SET_BURST_POWER] = {"burst_power",
                            "W",
                            "largest power of a burst, with its sign",
                            {"burst", "cycle"}},
    [ML_SET_BURST_POWER_AT] = {"burst_power_at",
                               "%",
                               "instant of the largest power of a burst",
                               {"burst", "cycle"}},
    [ML_SET_CYCLE_ANGLE] = {"cycle_angle",
                            "rad",
                            "angle of the joint in each cycle",
                            {"joint", "cycle", "percent"}},
    [ML_SET_CYCLE_START] = {"cycle_start", "s", "foot strike that begins a cycle", {"cycle"}},
    [ML_SET_CYCLE_DURATION] = {"cycle_duration", "s", "time to the next foot strike", {"cycle"}},
    [ML_SET_TOE_OFF] = {"toe_off",
                        "%",
                        "end of the stance, and its share, in % of the cycle",
                        {"cycle"}},
    [ML_SET_TOE_OFF_BEFORE] = {"toe_off_before",
                               "s",
                               "end of the stance before the cycle",
                               {"cycle"}},
    [ML_SET_MOTION + ML_MOTION_ANGLE] = {"angle",
                                         "rad",
                                         "angle, in the coordinates of the study",
                                         {"segment", "time"}},
    [ML_SET_MOTION +
        ML_MOTION_RATE] = {"rate", "rad/s", "time derivative of angle", {"segment", "time"}},
    [ML_SET_MOTION + ML_MOTION_ACCELERATION] = {"acceleration",
                                                "rad/s^2",
                                                "time derivative of rate",
                                                {"segment", "time"}},
    [ML_SET_MOTION +
        ML_MOTION_BASE] = {"base", "m", "position of the first joint", {"coordinate", "time"}},
    [ML_SET_MOTION + ML_MOTION_BASE_RATE] = {"base_rate",
                                             "m/s",
                                             "time derivative of base",
                                             {"coordinate", "time"}},
    [ML_SET_MOTION + ML_MOTION_BASE_ACCELERATION] = {"base_acceleration",
                                                     "m/s^2",
                                                     "time derivative of base_rate",
                                                     {"coordinate", "time"}},
    [ML_SET_RAW] = {"angle_raw", "rad", "angle as given, before smoothing", {"segment", "time"}},
    [ML_SET_RESIDUAL] = {"angle_residual_rms",
                         "rad",
                         "root mean square of angle_raw - angle: the change by smoothing",
                         {"segment"},
                         true},
    [ML_SET_CUTOFF] = {"smoothing_cutoff",
                       "Hz",
                       "frequency that the smoothing spline of the angle halves",
                       {"segment"},
                       true},
};

const struct ml_inverse_set *ml_inverse_set(int set) { return &sets[set]; }

bool ml_inverse_set_is_by_mass(const struct ml_motions *motions, int set)
{
    return motions->outputs && motions->outputs->per_mass > 0.0 && strchr("NWJ", *sets[set].unit);
}

const char *ml_inverse_set_unit(const struct ml_motions *motions, int set)
{
    static const char *const by_mass[][2] = {
        {"N m", "N m/kg"}, {"N", "N/kg"}, {"W", "W/kg"}, {"J", "J/kg"}};
    for (size_t i = 0; i < sizeof by_mass / sizeof *by_mass; i++)
        if (ml_inverse_set_is_by_mass(motions, set) && strcmp(sets[set].unit, by_mass[i][0]) == 0)
            return by_mass[i][1];
    return sets[set].unit;
}

int ml_inverse_set_rank(int set)
{
    int rank = 0;
    while (rank < ML_INVERSE_MOST_DIM && sets[set].dim[rank])
        rank++;
    return rank;
}

bool ml_inverse_set_has_dim(int set, const char *dim)
{
    for (int d = 0; d < ml_inverse_set_rank(set); d++)
        if (strcmp(sets[set].dim[d], dim) == 0)
            return true;
    return false;
}

int64_t ml_inverse_set_size(const struct ml_motions *motions, const char *dim)
{
    return strcmp(dim, "coordinate") == 0 ? 2
           : strcmp(dim, "time") == 0     ? motions->n_time
           : strcmp(dim, "cycle") == 0    ? motions->cycles.n
           : strcmp(dim, "burst") == 0    ? motions->cycles.n_burst
           : strcmp(dim, "percent") == 0  ? ML_CYCLE_POINTS
                                          : motions->n;
}

bool ml_inverse_set_is_shared(const struct ml_motions *motions, int set)
{
    return set >= ML_SET_MOTION && motions->n_motion == 1 && !motions->is_by_parameters;
}

/* Whether the study keeps a dataset; always true for the torque, by which files of this kind are
 * recognised.
 */
static bool is_asked_for(const struct ml_inverse_outputs *outputs, int set)
{
    const unsigned kept = outputs ? outputs->kept : 0;
    if (set >= ML_N_JOINT_SET || set == ML_TORQUE_ALL)
        return true;
    return kept ? kept >> set & 1 : ml_inverse_set_is_usual(set);
}

static bool is_of_cycles(int set)
{
    return (set > ML_SET_NEGATIVE && set < ML_SET_MOTION) || set > ML_SET_CUTOFF ||
           ml_inverse_set_is_of_cycles(set);
}

/* Whether a dataset is written for these motions. */
static bool is_kept(const struct ml_motions *motions, int set)
{
    const struct ml_smoothing *smoothing = motions->smoothing;
    if (is_of_cycles(set))
        return motions->cycles.n > 0 && is_asked_for(motions->outputs, set);
    if (set == ML_TORQUE_BASE || (set >= ML_SET_MOTION + ML_MOTION_BASE && set < ML_SET_RAW))
        return ml_motions_have_base(motions) && is_asked_for(motions->outputs, set);
    if (set < ML_N_JOINT_SET)
        return is_asked_for(motions->outputs, set);
    if (set == ML_SET_RAW || set == ML_SET_RESIDUAL)
        return smoothing;
    return set != ML_SET_CUTOFF || (smoothing && smoothing->is_validated);
}

int64_t ml_torque_numbers(const struct ml_motions *motions, int set)
{
    int64_t n = 1;
    if (!is_kept(motions, set))
        return 0;
    if (set == ML_SET_COUPLING && motions->n > ML_MAX_COUPLED)
        return 0;
    for (int d = 0; d < ml_inverse_set_rank(set); d++)
        n *= ml_inverse_set_size(motions, sets[set].dim[d]);
    return n;
}

struct ml_motion_rows ml_torque_motion(double *const values[ML_N_SET])
{
    struct ml_motion_rows rows = {.raw = values[ML_SET_RAW],
                                  .residual = values[ML_SET_RESIDUAL],
                                  .cutoff = values[ML_SET_CUTOFF]};
    for (int q = 0; q < ML_N_MOTION; q++)
        rows.row[q] = values[ML_SET_MOTION + q];
    return rows;
}

enum ml_status ml_inverse_names_check(const struct ml_study *study, struct ml_error *err)
{
    static const char *const taken[] = {"time",       "joint", "by_joint", "segment",
                                        "coordinate", "cycle", "percent",  "burst"};
    enum { OF_CYCLES = 3 }; /* the last names */
    const bool has_cycles = study->spec.inverse.cycles.is_given;
    const size_t n_taken = sizeof taken / sizeof *taken - (has_cycles ? 0 : OF_CYCLES);
    const int own = 3; /* dimensions of the dataset that has most */
    struct ml_layout layout;
    struct ml_result_bytes bytes;
    ml_layout_init(&layout, study);
    if (layout.runs.rank + own > ML_MAX_RANK)
        return ml_fail(err, ML_E_INPUT, "%s: torques can be shaped on at most %d axes, not %d",
                       study->spec.name, ML_MAX_RANK - own, layout.runs.rank);
    for (int i = 0; i < study->spec.runs.n_axis; i++) {
        bool is_taken = false;
        for (int s = 0; s < ML_N_SET; s++)
            is_taken |= is_asked_for(&study->spec.inverse.outputs, s) &&
                        (has_cycles || !is_of_cycles(s)) &&
                        strcmp(study->spec.runs.axes[i].name, sets[s].name) == 0;
        for (size_t d = 0; d < n_taken; d++)
            is_taken |= strcmp(study->spec.runs.axes[i].name, taken[d]) == 0;
        if (is_taken)
            return ml_fail(err, ML_E_INPUT,
                           "%s: an axis cannot be named \"%s\": a dataset of the result is",
                           study->spec.name, study->spec.runs.axes[i].name);
    }
    return ml_result_sketch(&layout, 0, &bytes, err);
}
