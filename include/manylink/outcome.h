/* How runs end. */
#ifndef MANYLINK_OUTCOME_H
#define MANYLINK_OUTCOME_H

#include <stdint.h>

#include "manylink/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Code, value (never changes, it is in results), name, text. */
#define ML_OUTCOME_LIST(X)                                                               \
    X(ML_FINISHED, 0, "finished", "reached the end time")                                \
    X(ML_DIVERGED, 1, "diverged", "the state left the range of finite numbers")          \
    X(ML_SINGULAR_MASS, 2, "singular_mass", "the mass matrix was not positive definite") \
    X(ML_MISSING, 3, "missing", "it was in no shard that was merged")                    \
    X(ML_IMPOSSIBLE_START, 4, "impossible_start",                                        \
      "no rates at the start have the energy that is given, or the run that it goes on " \
      "from did not finish")                                                             \
    X(ML_STEP_TOO_SHORT, 5, "step_too_short",                                            \
      "no step was short enough for the tolerance: the time no longer advanced")         \
    X(ML_TOO_MANY_STEPS, 6, "too_many_steps", "it took as many steps as are allowed")    \
    X(ML_ENDED_BY_EVENT, 7, "event", "an event ended it, as the study asks")             \
    X(ML_ZENO, 8, "zeno", "events that set the state accumulated at its end time")

#define X(code, value, name, text) code = (value),
enum ml_outcome { ML_OUTCOME_LIST(X) ML_N_OUTCOME }; /* more in later versions */
#undef X

/* Name of an outcome; NULL past the last. Static. */
ML_API const char *ml_outcome_name(int outcome);

/* Whether a run with this outcome has results: it reached its end, or an event ended it as the
 * study asks. */
ML_API int ml_outcome_is_sound(int outcome);

/* Runs with one outcome. */
struct ml_outcome_count {
    int64_t runs;
    int64_t first_run; /* the first of them, and when it ended, s; 0 if they were counted in a */
    double first_time; /* result that was there already */
};

#ifdef __cplusplus
}
#endif

#endif
