/* Computes the minimum-jerk motions that a study specifies, of joints or of the hand. */
#include "inverse/open_motion.h"

#include <math.h>

#include "config/schema/schema.h"
#include "config/schema/slots.h"
#include "manylink/fail.h"

/* The motion of one run. */
struct course {
    double onset, duration;
    const double *start, *end; /* as of struct ml_motion_spec */
};

static struct course course_of(const struct ml_motions *motions,
                               const struct ml_segment_params *segments)
{
    const struct ml_study_spec *spec = &motions->study->spec;
    const struct ml_motion_spec *of = &spec->inverse.motion;
    const double *values = segments->run_values;
    return (struct course){
        *ml_study_of_run(spec, &of->onset, values), *ml_study_of_run(spec, &of->duration, values),
        ml_study_of_run(spec, of->start, values), ml_study_of_run(spec, of->end, values)};
}

/* Part of the way, and its derivatives by time. */
struct progress {
    double way, rate, acceleration;
};

static struct progress progress_at(const struct course *plan, double t)
{
    double s = (t - plan->onset) / plan->duration, left = 1.0 - s, scale = 1.0 / plan->duration;
    if (!(s > 0.0))
        return (struct progress){0.0, 0.0, 0.0};
    if (!(s < 1.0))
        return (struct progress){1.0, 0.0, 0.0};
    return (struct progress){
        .way = s * s * s * (10.0 - s * (15.0 - 6.0 * s)),
        .rate = 30.0 * s * s * left * left * scale,
        .acceleration = 60.0 * s * left * (1.0 - 2.0 * s) * scale * scale,
    };
}

/* Every angle on its way. */
static void motion_spec_read_angles(const struct ml_motions *motions, const struct course *plan,
                                    double *const rows[ML_N_MOTION])
{
    for (int64_t k = 0; k < motions->n_time; k++) {
        struct progress p = progress_at(plan, motions->time[k]);
        for (int i = 0; i < motions->n; i++) {
            double way = plan->end[i] - plan->start[i];
            int64_t at = i * motions->n_time + k;
            rows[ML_MOTION_ANGLE][at] = fma(way, p.way, plan->start[i]);
            rows[ML_MOTION_RATE][at] = way * p.rate;
            rows[ML_MOTION_ACCELERATION][at] = way * p.acceleration;
        }
    }
}

enum ml_status ml_motion_spec_open(const struct ml_study *study, struct ml_motions *out,
                                   struct ml_error *err)
{
    const struct ml_ensemble *e = &study->ensemble;
    const struct ml_study_spec *spec = &study->spec;
    const struct ml_motion_spec *of = &spec->inverse.motion;
    const int64_t most = (int64_t)1 << 24;
    if (of->type == ML_NO_MOTION || of->type == ML_MEASURED)
        return ml_fail(err, ML_E_INPUT,
                       "%s: no motion; name a file with --motion, or describe one with the key "
                       "`motion`",
                       spec->name);
    if (e->time.n_step >= most)
        return ml_fail(err, ML_E_INPUT,
                       "%s: time.step makes %lld samples of the motion; at most %lld fit",
                       spec->name, (long long)e->time.n_step + 1, (long long)most);
    out->source = ml_motion_word(of->type);
    out->n_motion = 1;
    out->n_time = e->time.n_step + 1;
    out->time = ml_pool_take(&out->pool, (size_t)out->n_time, sizeof(double));
    for (int64_t k = 0; out->time && k < out->n_time; k++)
        out->time[k] = fma((double)k, e->time.step, e->time.start);
    for (int q = 0; q < ML_MOTION_BASE; q++)
        out->is_given[q] = true;
    out->is_by_parameters = of->type == ML_HAND_PATH || ml_study_is_swept(spec, &of->onset) ||
                            ml_study_is_swept(spec, &of->duration) ||
                            ml_study_is_swept(spec, of->start) || ml_study_is_swept(spec, of->end);
    return out->pool.is_short ? ML_E_MEMORY : ML_OK;
}

/* A point, or a velocity, or an acceleration. */
struct vector {
    double x, y;
};

/* Joint angles, from +x, that bring the hand to a point. */
static void reach(const struct ml_segment_params *b, struct vector p, double elbow, double joint[2])
{
    const double *l = b->length;
    double cosine = (p.x * p.x + p.y * p.y - l[0] * l[0] - l[1] * l[1]) / (2.0 * l[0] * l[1]);
    double sine = elbow * sqrt((1.0 - cosine) * (1.0 + cosine));
    joint[1] = atan2(sine, cosine);
    joint[0] = atan2(p.y, p.x) - atan2(l[1] * sine, l[0] + l[1] * cosine);
}

/* Absolute rates w that move the hand with velocity v: l_1 w_1 n_1 + l_2 w_2 n_2 = v. */
static void turn(const double *l, const struct vector u[2], struct vector v, double w[2])
{
    double sine = u[0].x * u[1].y - u[0].y * u[1].x;
    w[0] = (v.x * u[1].x + v.y * u[1].y) / (l[0] * sine);
    w[1] = -(v.x * u[0].x + v.y * u[0].y) / (l[1] * sine);
}

/* Angles of the study from joint angles and rates of segments. */
static void write_sample(const struct ml_segment_params *b, int64_t at, int64_t n_time,
                         const double joint[2], const double w[2], const double dw[2],
                         double *const rows[ML_N_MOTION])
{
    const double quarter = 0x1.921fb54442d18p+0; /* pi/2: from +x to the downward vertical */
    const double first = b->is_down ? joint[0] + quarter : joint[0];
    rows[ML_MOTION_ANGLE][at] = first;
    rows[ML_MOTION_ANGLE][n_time + at] = b->is_joint ? joint[1] : first + joint[1];
    rows[ML_MOTION_RATE][at] = w[0];
    rows[ML_MOTION_RATE][n_time + at] = b->is_joint ? w[1] - w[0] : w[1];
    rows[ML_MOTION_ACCELERATION][at] = dw[0];
    rows[ML_MOTION_ACCELERATION][n_time + at] = b->is_joint ? dw[1] - dw[0] : dw[1];
}

/* Reads the motion of a hand path. */
static void read_hand_path(const struct ml_motions *motions,
                           const struct ml_segment_params *segments, const struct course *plan,
                           double *const rows[ML_N_MOTION])
{
    const double *l = segments->length;
    const double elbow = motions->study->spec.inverse.motion.elbow;
    const struct vector from = {plan->start[0], plan->start[1]};
    const struct vector way = {plan->end[0] - from.x, plan->end[1] - from.y};
    for (int64_t k = 0; k < motions->n_time; k++) {
        struct progress p = progress_at(plan, motions->time[k]);
        struct vector hand = {fma(way.x, p.way, from.x), fma(way.y, p.way, from.y)};
        double joint[2], w[2], dw[2];
        reach(segments, hand, elbow, joint);
        const double angle[2] = {joint[0], joint[0] + joint[1]};
        const struct vector u[2] = {{cos(angle[0]), sin(angle[0])}, {cos(angle[1]), sin(angle[1])}};
        turn(l, u, (struct vector){way.x * p.rate, way.y * p.rate}, w);
        /* acceleration at constant rates: - l_i w_i^2 u_i */
        struct vector left = {way.x * p.acceleration, way.y * p.acceleration};
        for (int i = 0; i < 2; i++) {
            left.x += l[i] * w[i] * w[i] * u[i].x;
            left.y += l[i] * w[i] * w[i] * u[i].y;
        }
        turn(l, u, left, dw);
        write_sample(segments, k, motions->n_time, joint, w, dw, rows);
    }
}

void ml_motion_spec_read(const struct ml_motions *motions, const struct ml_segment_params *segments,
                         double *const rows[ML_N_MOTION])
{
    const struct course plan = course_of(motions, segments);
    if (motions->study->spec.inverse.motion.type == ML_HAND_PATH)
        read_hand_path(motions, segments, &plan, rows);
    else
        motion_spec_read_angles(motions, &plan, rows);
}

enum ml_status ml_motion_spec_check(const struct ml_motions *motions,
                                    const struct ml_segment_params *segments, int64_t run,
                                    struct ml_error *err)
{
    const struct ml_study_spec *spec = &motions->study->spec;
    const struct ml_location place = spec->inverse.motion.location;
    const struct course plan = course_of(motions, segments);
    const double *l = segments->length;
    if (spec->inverse.motion.type != ML_HAND_PATH)
        return ML_OK;
    const double x = plan.start[0], y = plan.start[1];
    const double dx = plan.end[0] - x, dy = plan.end[1] - y, square = dx * dx + dy * dy;
    double nearest = square > 0.0 ? -(x * dx + y * dy) / square : 0.0;
    nearest = fmin(fmax(nearest, 0.0), 1.0);
    double least = hypot(x + nearest * dx, y + nearest * dy);
    double most = fmax(hypot(x, y), hypot(plan.end[0], plan.end[1]));
    if (least > fabs(l[0] - l[1]) && most < l[0] + l[1])
        return ML_OK;
    return ml_fail(err, ML_E_INPUT,
                   "%s:%d:%d: the hand is %g to %g m from the base, but segments of %g and %g m "
                   "(run %lld) reach distances greater than %g and less than %g m",
                   spec->name, place.line, place.column, least, most, l[0], l[1], (long long)run,
                   fabs(l[0] - l[1]), l[0] + l[1]);
}
