/* Signals over time, as laws see them. */
#ifndef ML_MODEL_FORCES_LAW_SIGNAL_KERN_H
#define ML_MODEL_FORCES_LAW_SIGNAL_KERN_H

#include "model/forces/law.kern.h"
#include "simd/vmath.h"

/* A number and its first two derivatives by time. */
struct ml_signal_now {
    struct ml_dual value, rate, acceleration;
};

/* The time that says on which piece of its curve a signal is: the middle of the step, as steps end
 * where one piece goes over to the next (engine/steps/jumps.h). The end of a step then has the
 * limit from the left. Else now. */
ML_INLINE ml_vec ml_signal_side(const struct ml_law_at *at)
{
    const struct ml_law_view *view = at->view;
    return view->begin ? ml_fma(ml_splat(0.5), view->length[at->j], view->begin[at->j]) : at->t;
}

/* How far a signal from one value to another has come, 0 to 1, standing still outside, and lanes in
 * which it moves. */
ML_INLINE struct ml_dual ml_signal_progress(const struct ml_law_at *at, int row, ml_mask *moves)
{
    struct ml_dual onset = ml_law_param(at, row + ML_SIGNAL_ONSET);
    struct ml_dual duration = ml_law_param(at, row + ML_SIGNAL_DURATION);
    struct ml_dual s = ml_dual_div(ml_dual_sub(ml_law_time(at), onset), duration);
    ml_vec since = ml_signal_side(at) - onset.v;
    ml_mask is_past = (ml_mask)(since >= duration.v);
    *moves = (ml_mask)(since >= 0.0) & ~is_past;
    return ml_dual_select(*moves, s,
                          ml_dual_select(is_past, ml_dual_splat(1.0), ml_dual_splat(0.0)));
}

ML_INLINE struct ml_signal_now ml_signal_ramp(const struct ml_law_at *at, int row)
{
    ml_mask moves;
    struct ml_dual s = ml_signal_progress(at, row, &moves), none = ml_dual_splat(0.0);
    struct ml_dual from = ml_law_param(at, row + ML_SIGNAL_FROM);
    struct ml_dual span = ml_dual_sub(ml_law_param(at, row + ML_SIGNAL_TO), from);
    struct ml_dual rate = ml_dual_div(span, ml_law_param(at, row + ML_SIGNAL_DURATION));
    return (struct ml_signal_now){ml_dual_fma(span, s, from), ml_dual_select(moves, rate, none),
                                  none};
}

/* from + span s^3 (10 - 15 s + 6 s^2); the derivatives vanish at both ends. */
ML_INLINE struct ml_signal_now ml_signal_minimum_jerk(const struct ml_law_at *at, int row)
{
    ml_mask moves;
    struct ml_dual s = ml_signal_progress(at, row, &moves), square = ml_dual_mul(s, s);
    struct ml_dual from = ml_law_param(at, row + ML_SIGNAL_FROM);
    struct ml_dual span = ml_dual_sub(ml_law_param(at, row + ML_SIGNAL_TO), from);
    struct ml_dual rest = ml_dual_sub(ml_dual_splat(1.0), s);
    struct ml_dual duration = ml_law_param(at, row + ML_SIGNAL_DURATION);
    struct ml_dual speed = ml_dual_div(span, duration);
    struct ml_dual rise = ml_dual_fma(s, ml_dual_fma(s, ml_dual_splat(6.0), ml_dual_splat(-15.0)),
                                      ml_dual_splat(10.0));
    struct ml_dual bump = ml_dual_mul(s, rest); /* s (1 - s) */
    struct ml_dual tilt = ml_dual_fma(s, ml_dual_splat(-120.0), ml_dual_splat(60.0));
    return (struct ml_signal_now){
        .value = ml_dual_fma(span, ml_dual_mul(ml_dual_mul(square, s), rise), from),
        .rate = ml_dual_mul(speed, ml_dual_mul(ml_dual_splat(30.0), ml_dual_mul(bump, bump))),
        .acceleration = ml_dual_mul(ml_dual_div(speed, duration), ml_dual_mul(bump, tilt)),
    };
}

ML_INLINE struct ml_signal_now ml_signal_sine(const struct ml_law_at *at, int row)
{
    const double turn = 0x1.921fb54442d18p+2; /* 2 pi */
    struct ml_dual rate =
        ml_dual_mul(ml_dual_splat(turn), ml_law_param(at, row + ML_SIGNAL_FREQUENCY));
    struct ml_dual phase =
        ml_dual_fma(rate, ml_law_time(at), ml_law_param(at, row + ML_SIGNAL_PHASE));
    struct ml_dual amplitude = ml_law_param(at, row + ML_SIGNAL_AMPLITUDE);
    ml_vec sine, cosine;
    ml_sincos(1, &phase.v, &sine, &cosine);
    struct ml_dual s = {sine, cosine * phase.d}, c = {cosine, -sine * phase.d};
    struct ml_dual swing = ml_dual_mul(amplitude, s), speed = ml_dual_mul(amplitude, rate);
    return (struct ml_signal_now){
        .value = ml_dual_add(ml_law_param(at, row + ML_SIGNAL_MEAN), swing),
        .rate = ml_dual_mul(speed, c),
        .acceleration = ml_dual_neg(ml_dual_mul(ml_dual_mul(rate, rate), swing)),
    };
}

ML_INLINE struct ml_signal_now ml_signal_pulse(const struct ml_law_at *at, int row)
{
    ml_mask lasts;
    struct ml_dual none = ml_dual_splat(0.0);
    (void)ml_signal_progress(at, row, &lasts);
    return (struct ml_signal_now){
        ml_dual_select(lasts, ml_law_param(at, row + ML_SIGNAL_AMPLITUDE), none), none, none};
}

/* Value and derivatives of a table at the time of each lane, which usually is that of all.
 *   side  as of ml_signal_side */
static __attribute__((noinline, unused)) void
ml_signal_look_up(const struct ml_breakpoints *breakpoints, const double *t, const double *side,
                  double *value, double *rate, double *acceleration)
{
    for (int l = 0; l < ML_WIDTH; l++) {
        if (l > 0 && t[l] == t[l - 1] && side[l] == side[l - 1]) {
            value[l] = value[l - 1];
            rate[l] = rate[l - 1];
            acceleration[l] = acceleration[l - 1];
            continue;
        }
        const int64_t piece = ml_breakpoints_piece(breakpoints, side[l]);
        value[l] = ml_breakpoints_at(breakpoints, piece, t[l], 0);
        rate[l] = ml_breakpoints_at(breakpoints, piece, t[l], 1);
        acceleration[l] = ml_breakpoints_at(breakpoints, piece, t[l], 2);
    }
}

ML_INLINE struct ml_signal_now ml_signal_table(const struct ml_law_at *at,
                                               const struct ml_breakpoints *breakpoints, int row)
{
    const struct ml_dual scale = ml_law_param(at, row + ML_SIGNAL_SCALE);
    ml_vec t = at->t, side = ml_signal_side(at), value, rate, acceleration;
    ml_signal_look_up(breakpoints, (const double *)&t, (const double *)&side, (double *)&value,
                      (double *)&rate, (double *)&acceleration);
    return (struct ml_signal_now){
        .value = ml_dual_mul(scale, (struct ml_dual){value, ml_splat(0.0)}),
        .rate = ml_dual_mul(scale, (struct ml_dual){rate, ml_splat(0.0)}),
        .acceleration = ml_dual_mul(scale, (struct ml_dual){acceleration, ml_splat(0.0)}),
    };
}

/* Signal `signal` of the force, whose numbers are its parameters from `row` on, at at->t. */
ML_INLINE struct ml_signal_now ml_signal_of(const struct ml_law_at *at, int signal, int row)
{
    struct ml_dual none = ml_dual_splat(0.0);
    switch (at->law->signals[signal].type) {
    case ML_RAMP_SIGNAL:
        return ml_signal_ramp(at, row);
    case ML_MINIMUM_JERK_SIGNAL:
        return ml_signal_minimum_jerk(at, row);
    case ML_SINE_SIGNAL:
        return ml_signal_sine(at, row);
    case ML_PULSE_SIGNAL:
        return ml_signal_pulse(at, row);
    case ML_TABLE_SIGNAL:
        return ml_signal_table(at, at->breakpoints_of[signal].breakpoints, row);
    default:
        return (struct ml_signal_now){ml_law_param(at, row + ML_SIGNAL_VALUE), none, none};
    }
}

/* The signal as the law sees it: in a sampled law at the time of the last sample. */
ML_INLINE struct ml_signal_now ml_law_signal(const struct ml_law_at *at, int signal, int row)
{
    if (!at->law->is_sampled)
        return ml_signal_of(at, signal, row);
    struct ml_law_view view = *at->view;
    struct ml_law_at held = *at;
    view.begin = view.length = NULL;
    held.view = &view;
    held.t = ml_law_told(at, ML_FEEDBACK_SAMPLED);
    return ml_signal_of(&held, signal, row);
}

/* Sets the error of segment i, target - angle, rad, in the view: that of now, even if the law sees
 * the past. The target is the signal.
 *   error  that the law sees */
ML_INLINE void ml_law_error(const struct ml_law_at *at, int i, int signal, int row,
                            struct ml_dual error)
{
    const struct ml_law_view *view = at->view;
    if (!view->error)
        return;
    if (at->law->feedback > 0)
        error.v = ml_signal_of(at, signal, row).value.v -
                  ml_law_pick(at, view->x, 0, i, view->is_joint && i > 0);
    view->error[i * view->n_group + at->j] = error.v;
}

#endif
