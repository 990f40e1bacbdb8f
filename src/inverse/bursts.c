/* Peaks of the torques in each cycle, and work and peaks of the stretches in which the power of a
 * joint keeps its sign. Names of bursts: D. A. Winter, Clin. Orthop. 175, 1983 (ankle and knee); J.
 * J. Eng, D. A. Winter, J. Biomech. 28, 1995 (hip). */
#include "inverse/bursts.h"

#include <string.h>

#include "inverse/joint_curve.h"

/* A burst is the work of all stretches of that sign whose largest power is at a phase from `from`
 * up to, but not at `to`: 0 to 1 in stance, 1 to 2 in swing; 2 is the next foot strike. */
static const struct burst {
    const char *name, *segment;
    int sign;
    double from, to;
} bursts[ML_N_BURST] = {
    {"H1", "thigh", 1, 0.0, 0.5},  {"H2", "thigh", -1, 0.25, 1.0}, {"H3", "thigh", 1, 0.7, 1.6},
    {"K1", "shank", -1, 0.0, 0.4}, {"K2", "shank", 1, 0.1, 0.7},   {"K3", "shank", -1, 0.7, 1.4},
    {"K4", "shank", -1, 1.4, 2.1}, {"A1", "foot", -1, 0.0, 1.0},   {"A2", "foot", 1, 0.5, 1.1},
};

void ml_bursts_find(const struct ml_study *study, struct ml_cycles *cycles)
{
    for (int b = 0; b < ML_N_BURST; b++) {
        int joint = study->ensemble.model.n - 1;
        while (joint >= 0 && strcmp(study->spec.segment_names[joint], bursts[b].segment) != 0)
            joint--;
        cycles->burst_joint[b] = joint;
        cycles->n_burst += joint >= 0;
    }
}

int ml_bursts_name(const struct ml_cycles *cycles, const char *names[ML_N_BURST])
{
    int n = 0;
    for (int b = 0; b < ML_N_BURST; b++)
        if (cycles->burst_joint[b] >= 0)
            names[n++] = bursts[b].name;
    return n;
}

/* A stretch in which the power keeps its sign. */
struct stretch {
    double work, most, when; /* J; W, of the largest size; s */
};

/* The sums of one joint and cycle. */
struct sums {
    const struct ml_cycle *cycle;
    double gain, loss;
    double burst[ML_N_BURST];
    double power[ML_N_BURST], when[ML_N_BURST]; /* largest, W, and its instant, s */
};

static double percent_of(const struct ml_cycle *cycle, double time)
{
    return 100.0 * (time - cycle->start) / (cycle->end - cycle->start);
}

static void end_stretch(struct sums *sums, int i, const struct ml_cycles *cycles,
                        const struct stretch *s)
{
    const struct ml_cycle *c = sums->cycle;
    const double phase = s->when < c->toe_off
                             ? (s->when - c->start) / (c->toe_off - c->start)
                             : 1.0 + (s->when - c->toe_off) / (c->end - c->toe_off);
    *(s->work > 0.0 ? &sums->gain : &sums->loss) += s->work;
    for (int b = 0; b < ML_N_BURST; b++)
        if (cycles->burst_joint[b] == i && bursts[b].sign * s->work > 0.0 &&
            phase >= bursts[b].from && phase < bursts[b].to) {
            const bool is_largest = fabs(s->most) > fabs(sums->power[b]);
            sums->burst[b] += s->work;
            sums->power[b] = is_largest ? s->most : sums->power[b];
            sums->when[b] = is_largest ? s->when : sums->when[b];
        }
}

/* Adds the bursts of joint i in cycle c. */
static void fill_bursts(const struct ml_cycles *cycles, int i, int64_t c, const struct sums *sums,
                        double *const sets[ML_N_SET])
{
    for (int b = 0, row = 0; b < ML_N_BURST; b++) {
        const int64_t at = row * cycles->n + c;
        row += cycles->burst_joint[b] >= 0;
        if (cycles->burst_joint[b] != i)
            continue;
        sets[ML_SET_BURST][at] = sums->burst[b];
        sets[ML_SET_BURST_POWER][at] = sums->power[b];
        sets[ML_SET_BURST_POWER_AT][at] =
            sums->power[b] != 0.0 ? percent_of(sums->cycle, sums->when[b]) : (double)NAN;
    }
}

/* The power of joint i from one end of cycle c to the other, by trapezoids, which are cut where the
 * line between two samples is 0. */
static void add_up(const struct ml_motions *m, const struct ml_joint_curve *power, int i, int64_t c,
                   struct sums *sums)
{
    const struct ml_cycle_point *points = &m->cycles.points[c * ML_CYCLE_POINTS];
    const struct ml_cycle *cycle = &m->cycles.cycle[c];
    double before = cycle->start, p_before = ml_joint_curve_at(power, points);
    struct stretch s = {.most = p_before, .when = before};
    bool is_last = false;
    for (int64_t k = cycle->first; !is_last; k++) {
        is_last = k >= m->n_time || m->time[k] >= cycle->end;
        const double now = is_last ? cycle->end : m->time[k];
        const double p = is_last ? ml_joint_curve_at(power, points + ML_CYCLE_POINTS - 1)
                                 : ml_joint_curve_sample(power, k);
        double since = before, p_since = p_before;
        if (s.most * p < 0.0) {
            since = before + (now - before) * (p_before / (p_before - p));
            s.work += 0.5 * p_before * (since - before);
            end_stretch(sums, i, &m->cycles, &s);
            p_since = 0.0;
            s = (struct stretch){.most = p, .when = now};
        }
        s.work += 0.5 * (p_since + p) * (now - since);
        if (fabs(p) > fabs(s.most))
            s.most = p, s.when = now;
        before = now, p_before = p;
    }
    end_stretch(sums, i, &m->cycles, &s);
}

/* The largest and the smallest torque of joint i at the samples of cycle c. */
static void find_peaks(const struct ml_motions *m, int i, int64_t c, double *const sets[ML_N_SET])
{
    const struct ml_cycle *cycle = &m->cycles.cycle[c];
    const double *torque = sets[ML_TORQUE_ALL] + i * m->n_time;
    const int64_t first = cycle->first, at = i * m->cycles.n + c;
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1.0 : -1.0;
        int64_t most = first;
        for (int64_t k = first; k < m->n_time && m->time[k] <= cycle->end; k++)
            if (sign * torque[k] > sign * torque[most])
                most = k;
        double *const *own = sets + (side == 0 ? ML_SET_CYCLE_MAX : ML_SET_CYCLE_MIN);
        own[0][at] = torque[most];
        own[1][at] = percent_of(cycle, m->time[most]);
        own[2][at] = m->time[most];
    }
}

/* Means over the cycles. */
static void fill_means(const struct ml_motions *m, double *const sets[ML_N_SET])
{
    static const int means[][2] = {{ML_SET_MEAN_MAX, ML_SET_CYCLE_MAX},
                                   {ML_SET_MEAN_MAX_AT, ML_SET_CYCLE_MAX_AT},
                                   {ML_SET_MEAN_MIN, ML_SET_CYCLE_MIN},
                                   {ML_SET_MEAN_MIN_AT, ML_SET_CYCLE_MIN_AT},
                                   {ML_SET_MEAN_POSITIVE, ML_SET_CYCLE_POSITIVE},
                                   {ML_SET_MEAN_NEGATIVE, ML_SET_CYCLE_NEGATIVE}};
    const int64_t n = m->cycles.n;
    for (size_t k = 0; k < sizeof means / sizeof *means; k++)
        for (int i = 0; i < m->n; i++) {
            double sum = 0.0;
            for (int64_t c = 0; c < n; c++)
                sum += sets[means[k][1]][i * n + c];
            sets[means[k][0]][i] = sum / (double)n;
        }
}

void ml_bursts_fill(const struct ml_motions *m, double *const sets[ML_N_SET])
{
    const int64_t n = m->cycles.n;
    if (n == 0)
        return;
    for (int i = 0; i < m->n; i++) {
        const struct ml_joint_curve power = {.value = sets[ML_SET_POWER] + i * m->n_time};
        for (int64_t c = 0; c < n; c++) {
            struct sums sums = {.cycle = &m->cycles.cycle[c]};
            add_up(m, &power, i, c, &sums);
            sets[ML_SET_CYCLE_POSITIVE][i * n + c] = sums.gain;
            sets[ML_SET_CYCLE_NEGATIVE][i * n + c] = sums.loss;
            fill_bursts(&m->cycles, i, c, &sums, sets);
            find_peaks(m, i, c, sets);
        }
    }
    fill_means(m, sets);
}
