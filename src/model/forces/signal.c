/* The key table of a number that follows time (a signal): its types, rows and their meaning. */
#include "model/forces/signal.h"

#include <stddef.h>

static const struct {
    const char *word, *doc;
} types[ML_N_SIGNAL_TYPE] = {
    [ML_RAMP_SIGNAL] = {"ramp",
                        "from one value to another at a constant rate, constant before and after"},
    [ML_MINIMUM_JERK_SIGNAL] =
        {"minimum_jerk", "from one value to another, at rest before and after: the smoothest such "
                         "motion (Flash, Hogan 1985)"},
    [ML_SINE_SIGNAL] = {"sine", "mean + amplitude sin(2 pi frequency t + phase)"},
    [ML_PULSE_SIGNAL] = {"pulse", "amplitude from onset to onset + duration, else 0"},
    [ML_TABLE_SIGNAL] = {"table", "samples of a file, a smooth curve through them that never "
                                  "overshoots (Fritsch, Butland 1984)"},
};

enum {
    MOVES = 1 << ML_RAMP_SIGNAL | 1 << ML_MINIMUM_JERK_SIGNAL,
    LASTS = MOVES | 1 << ML_PULSE_SIGNAL,
    SWINGS = 1 << ML_SINE_SIGNAL
};

/* unit NULL: unit and range are the owner's */
static const struct {
    unsigned types;
    struct ml_param param;
} rows[ML_SIGNAL_ROWS] = {
    [ML_SIGNAL_VALUE] = {1 << ML_CONSTANT_SIGNAL, {.flags = ML_REQUIRED}},
    [ML_SIGNAL_FROM] = {MOVES, {"from", NULL, .flags = ML_REQUIRED, .doc = "value before"}},
    [ML_SIGNAL_TO] = {MOVES, {"to", NULL, .flags = ML_REQUIRED, .doc = "value after"}},
    [ML_SIGNAL_ONSET] = {LASTS, {"onset", "s", 0.0, -1e15, 1e15, 0, "time at which it sets in"}},
    [ML_SIGNAL_DURATION] = {LASTS,
                            {"duration", "s", 0.0, 0.0, 1e15, ML_REQUIRED | ML_OPEN_LOW,
                             "how long it takes"}},
    [ML_SIGNAL_MEAN] = {SWINGS, {"mean", NULL, .doc = "what it swings about"}},
    [ML_SIGNAL_AMPLITUDE] = {SWINGS | 1 << ML_PULSE_SIGNAL,
                             {"amplitude", NULL, .flags = ML_REQUIRED, .doc = "height"}},
    [ML_SIGNAL_FREQUENCY] = {SWINGS,
                             {"frequency", "Hz", 0.0, -1e9, 1e9, ML_REQUIRED, "cycles per second"}},
    [ML_SIGNAL_PHASE] = {SWINGS, {"phase", "rad", 0.0, -1e6, 1e6, 0, "angle at the time 0"}},
    [ML_SIGNAL_SCALE] = {1 << ML_TABLE_SIGNAL,
                         {"scale", "1", 1.0, -1e12, 1e12, 0,
                          "what the values of the table are multiplied by"}},
};

const char *ml_signal_word(int type, const char **doc)
{
    *doc = type < ML_N_SIGNAL_TYPE ? types[type].doc : NULL;
    return type < ML_N_SIGNAL_TYPE ? types[type].word : NULL;
}

struct ml_param ml_signal_row_param(const struct ml_param *owner, int row)
{
    struct ml_param param = rows[row].param;
    if (row == ML_SIGNAL_VALUE)
        return *owner;
    if (!param.unit) {
        param.unit = owner->unit;
        param.low = owner->low;
        param.high = owner->high;
    }
    return param;
}

struct ml_param ml_signal_param(const struct ml_param *owner, int type, int row)
{
    if (rows[row].types & 1U << type)
        return ml_signal_row_param(owner, row);
    return (struct ml_param){.name = NULL};
}
