/* Where forces of tables act in the room, and where the segments are. */
#include "inverse/load_places.h"

#include <string.h>

#include "model/forces/numbers.h"

/* The value of a force's number at time t; NaN for a signal that no plate measures. */
static double value_at(const struct ml_signal *signal, const double *values, double t)
{
    const struct ml_breakpoints *table = signal->breakpoints;
    if (signal->type == ML_CONSTANT_SIGNAL)
        return values[ML_SIGNAL_VALUE];
    if (!table)
        return (double)NAN;
    const int64_t piece = ml_breakpoints_piece(table, t);
    const double *c = table->cubic[piece], u = t - table->time[piece];
    return values[ML_SIGNAL_SCALE] * (c[0] + u * (c[1] + u * (c[2] + u * c[3])));
}

/* Whether a number of a force is never given, or always 0. */
static bool is_unused(const struct ml_signal *signal, const double *values)
{
    const double value = values[ML_SIGNAL_VALUE];
    return signal->type == ML_CONSTANT_SIGNAL && (isnan(value) || value == 0.0);
}

/* Notes where the values of a row of the force's table are: its signal `signal`, and these values.
 */
static void take_row(struct ml_plate_force *out, const char *name, int signal, const double *values)
{
    static const char *const vectors[] = {
        [ML_PLATE_FORCE] = "force.", [ML_PLATE_POINT] = "point.", [ML_PLATE_MOMENT] = "moment"};
    for (int v = 0; v < ML_PLATE_N; v++)
        if (strncmp(name, vectors[v], 6) == 0) {
            const int d = v != ML_PLATE_MOMENT && name[6] == 'y';
            out->signal[v] = signal - d;
            out->values[v][d] = values;
        }
}

bool ml_plate_force_find(const struct ml_study *study, const double *run_values,
                         const struct ml_force_use *use, struct ml_plate_force *out)
{
    const int n = study->ensemble.model.n;
    const double *values = run_values + use->slot;
    *out = (struct ml_plate_force){.use = use, .scale = 1.0, .signal = {-1, -1, -1}};
    for (int p = 0, signal = 0; p < use->type->n_param; p++) {
        const struct ml_param *row = &use->type->params[p];
        const double *own = values + ml_force_first_number(use->type, n, p);
        if (!row->name)
            continue;
        if (strcmp(row->name, "scale") == 0)
            out->scale = *own;
        if (row->flags & ML_SIGNAL)
            take_row(out, row->name, signal++, own);
    }
    if (out->signal[ML_PLATE_FORCE] < 0 || out->signal[ML_PLATE_POINT] < 0)
        return false;
    const struct ml_signal *point = &use->signals[out->signal[ML_PLATE_POINT]];
    out->has_point = true;
    for (int d = 0; d < 2; d++)
        out->has_point &= !(point[d].type == ML_CONSTANT_SIGNAL &&
                            isnan(out->values[ML_PLATE_POINT][d][ML_SIGNAL_VALUE]));
    const int moment = out->signal[ML_PLATE_MOMENT];
    out->has_moment =
        moment >= 0 && !is_unused(&use->signals[moment], out->values[ML_PLATE_MOMENT][0]);
    return true;
}

struct ml_point ml_plate_force_at(const struct ml_plate_force *plate, double t)
{
    const struct ml_signal *signal = &plate->use->signals[plate->signal[ML_PLATE_FORCE]];
    return (struct ml_point){plate->scale * value_at(&signal[0], plate->values[0][0], t),
                             plate->scale * value_at(&signal[1], plate->values[0][1], t)};
}

struct ml_point ml_plate_place_at(const struct ml_plate_force *plate, double t)
{
    const struct ml_signal *signal = &plate->use->signals[plate->signal[ML_PLATE_POINT]];
    return (struct ml_point){value_at(&signal[0], plate->values[ML_PLATE_POINT][0], t),
                             value_at(&signal[1], plate->values[ML_PLATE_POINT][1], t)};
}

double ml_plate_line_at(const struct ml_plate_force *plate, double t, struct ml_point q)
{
    const struct ml_point at = ml_plate_place_at(plate, t), f = ml_plate_force_at(plate, t);
    double moment = 0.0;
    if (plate->has_moment) {
        const struct ml_signal *signal = &plate->use->signals[plate->signal[ML_PLATE_MOMENT]];
        moment = plate->scale * value_at(signal, plate->values[ML_PLATE_MOMENT][0], t);
    }
    return (moment - (q.x - at.x) * f.y + (q.y - at.y) * f.x) / hypot(f.x, f.y);
}

const struct ml_breakpoints *ml_plate_table(const struct ml_plate_force *plate)
{
    const struct ml_signal *force = &plate->use->signals[plate->signal[ML_PLATE_FORCE]];
    return force[0].breakpoints ? force[0].breakpoints : force[1].breakpoints;
}

double ml_plate_most(const struct ml_plate_force *plate)
{
    const struct ml_breakpoints *table = ml_plate_table(plate);
    double most = 0.0;
    for (int64_t k = 0; table && k < table->n; k++) {
        const struct ml_point f = ml_plate_force_at(plate, table->time[k]);
        most = fmax(most, hypot(f.x, f.y));
    }
    return most;
}

void ml_segment_ends(const struct ml_segment_params *b, const struct ml_motions *m,
                     double *const sets[ML_N_SET], int segment, int64_t k, struct ml_point ends[2])
{
    const double *angle = sets[ML_SET_MOTION + ML_MOTION_ANGLE] + k;
    const double *base = sets[ML_SET_MOTION + ML_MOTION_BASE];
    struct ml_point at = {base ? base[k] : 0.0, base ? base[m->n_time + k] : 0.0};
    double phi = 0.0;
    ends[0] = at;
    for (int i = 0; i <= segment; i++) {
        phi = angle[i * m->n_time] + (b->is_joint ? phi : 0.0);
        ends[0] = at;
        at.x += b->length[i] * (b->is_down ? sin(phi) : cos(phi));
        at.y += b->length[i] * (b->is_down ? -cos(phi) : sin(phi));
    }
    ends[1] = at;
}
