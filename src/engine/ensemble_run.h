/* Runs an ensemble in parallel, block by block. */
#ifndef ML_ENGINE_ENSEMBLE_RUN_H
#define ML_ENGINE_ENSEMBLE_RUN_H

#include "engine/team.h"

/* Runs every block that the sink does not have, as ml_team_run. */
enum ml_status ml_ensemble_run(const struct ml_ensemble *ensemble,
                               const struct ml_ensemble_options *options,
                               const struct ml_sink *sink, struct ml_error *err);

#endif
