/* Measures of a control loop (engine/margins.c), by joint. */
#ifndef ML_ANALYSIS_MARGINS_H
#define ML_ANALYSIS_MARGINS_H

enum ml_margin {
    ML_MARGIN_GAIN,
    ML_MARGIN_GAIN_AT, /* rad/s, like the next with _AT */
    ML_MARGIN_GAIN_LOW,
    ML_MARGIN_GAIN_LOW_AT,
    ML_MARGIN_PHASE, /* rad */
    ML_MARGIN_PHASE_AT,
    ML_MARGIN_DELAY,     /* s */
    ML_MARGIN_BANDWIDTH, /* rad/s */
    ML_MARGIN_ANGLE,     /* rad */
    ML_MARGIN_UNSTABLE,  /* of the run: the first joint has it */
    ML_N_MARGIN
};

#endif
