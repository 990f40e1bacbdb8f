/* The runs of the designs of samples: which coordinates of which point each run has. */
#include <math.h>

#include "design/sample.h"

const struct ml_design_info ml_designs[ML_N_DESIGN] = {
    [ML_DESIGN_POINTS] = {"points", "a run for each"},
    [ML_DESIGN_SALTELLI] = {"saltelli", "runs for Sobol' indices of the inputs, which `manylink "
                                        "sensitivity` prints: two for each point, and another for "
                                        "each input, or group of inputs"},
    [ML_DESIGN_MORRIS] = {"morris", "`count` trajectories on a grid of `levels`, on each of which "
                                    "the inputs move one after the other"},
    [ML_DESIGN_OAT] = {"oat",
                       "one at a time: the middle of all inputs, then `count` values of each "
                       "input with the others at their middle"},
    [ML_DESIGN_FAST] = {"fast", "`count` runs along a curve for each input, on which every input "
                                "has a frequency of its own"},
};

static const double below_1 = 1.0 - 0x1p-53;

int64_t ml_sample_runs_of_point(const struct ml_sample_points *points)
{
    const int64_t n = ml_sample_groups(points);
    return points->design == ML_DESIGN_SALTELLI ? 2 + (points->has_second ? 2 : 1) * n
           : points->design == ML_DESIGN_MORRIS ? 1 + n
                                                : 1;
}

int64_t ml_sample_runs(const struct ml_sample_points *points)
{
    const int64_t n = points->n_point;
    return points->design == ML_DESIGN_OAT    ? 1 + n * points->n_input
           : points->design == ML_DESIGN_FAST ? n * points->n_input
                                              : n * ml_sample_runs_of_point(points);
}

/* Number `use` of input `input` of a trajectory, uniform in [0, 1). */
static double design_random(const struct ml_sample_points *points, int64_t trajectory, int input,
                            int use)
{
    enum { USES = 3 };
    return ml_sample(ML_RANDOM, points->seed, 0, trajectory, USES * input + use);
}

int ml_morris_turn(const struct ml_sample_points *points, int64_t trajectory, int input)
{
    const double own = design_random(points, trajectory, input, 2);
    int turn = 0;
    for (int i = 0; i < points->n_input; i++) {
        const double other = design_random(points, trajectory, i, 2);
        turn += other < own || (other == own && i < input);
    }
    return turn;
}

/* An input is at one of the lower half of its levels, or half of the levels above. */
static int64_t morris_level(const struct ml_sample_points *points, int64_t run, int input)
{
    const int64_t n_row = ml_sample_runs_of_point(points), half = points->levels / 2;
    const int64_t trajectory = points->chosen ? points->chosen[run / n_row] : run / n_row;
    const int64_t low = (int64_t)(design_random(points, trajectory, input, 0) * (double)half);
    const bool falls = design_random(points, trajectory, input, 1) < 0.5;
    const bool has_moved = run % n_row > ml_morris_turn(points, trajectory, input);
    return low + (has_moved != falls ? half : 0);
}

static double level_coordinate(int64_t level, int64_t n)
{
    return n > 1 ? fmin((double)level / (double)(n - 1), below_1) : 0.5;
}

static double oat_input(const struct ml_sample_points *points, int64_t run, int input)
{
    const int64_t n = points->n_point;
    return run > 0 && (run - 1) / n == input ? level_coordinate((run - 1) % n, n) : 0.5;
}

/* Periods of an input along a curve. */
static int64_t fast_frequency(const struct ml_sample_points *points, int curve, int input)
{
    return input == curve
               ? ml_fast_highest(points->n_point)
               : ml_fast_other(points->n_point, points->n_input - 1, input - (input > curve));
}

/* 1/2 + asin(sin(2 pi t))/pi */
static double fast_input(const struct ml_sample_points *points, int64_t run, int input)
{
    const int64_t n = points->n_point, step = run % n;
    const int curve = (int)(run / n);
    const double phase = ml_sample(ML_RANDOM, points->seed, 0, curve, 0);
    const int64_t turn = fast_frequency(points, curve, input) * step % n;
    const double sum = (double)turn / (double)n + phase, t = sum - floor(sum);
    return fmin(t < 0.25 ? 0.5 + 2.0 * t : t < 0.75 ? 1.5 - 2.0 * t : 2.0 * t - 1.5, below_1);
}

/* Whether a row of a point of Saltelli's design has an input of B. */
static bool saltelli_is_b(const struct ml_sample_points *points, int64_t row, int input)
{
    const int n = ml_sample_groups(points), group = ml_sample_group(points, input);
    return row == ml_sample_runs_of_point(points) - 1 || (row > n && row - n - 1 != group) ||
           (row <= n && row - 1 == group);
}

/* Whether one input is another than in the run before, which had it from the trajectory's first run
 * on. */
static bool morris_moves(const double *const *inputs, int n, int64_t first, int64_t run)
{
    int n_moved = 0;
    for (int i = 0; i < n; i++)
        if (inputs[i][run] != inputs[i][run - 1])
            n_moved += inputs[i][run - 1] == inputs[i][first] ? 1 : 2;
    return n_moved == 1;
}

int64_t ml_sample_misplaced(const struct ml_sample_points *points, const double *const *inputs)
{
    const int64_t n_row = ml_sample_runs_of_point(points), n_run = ml_sample_runs(points);
    for (int64_t run = 0; run < n_run; run++) {
        const int64_t row = run % n_row, first = run - row, last = first + n_row - 1;
        if (points->design == ML_DESIGN_MORRIS && row > 0 &&
            !morris_moves(inputs, points->n_input, first, run))
            return run;
        for (int i = 0; points->design == ML_DESIGN_SALTELLI && i < points->n_input; i++)
            if (inputs[i][run] != inputs[i][saltelli_is_b(points, row, i) ? last : first])
                return run;
    }
    return -1;
}

double ml_sample_input(const struct ml_sample_points *points, int64_t run, int input)
{
    const int64_t n_row = ml_sample_runs_of_point(points);
    bool is_b = false;
    switch (points->design) {
    case ML_DESIGN_MORRIS:
        return level_coordinate(morris_level(points, run, input), points->levels);
    case ML_DESIGN_OAT:
        return oat_input(points, run, input);
    case ML_DESIGN_FAST:
        return fast_input(points, run, input);
    case ML_DESIGN_SALTELLI:
        is_b = saltelli_is_b(points, run % n_row, input);
        break;
    case ML_DESIGN_POINTS:
    case ML_N_DESIGN:
        break;
    }
    return ml_sample(points->sampling, points->seed, points->n_point, run / n_row,
                     input + (is_b ? points->n_input : 0));
}

double ml_sample_part(const struct ml_sample_points *points, double coordinate)
{
    const int64_t n = points->design == ML_DESIGN_MORRIS ? points->levels
                      : points->design == ML_DESIGN_OAT  ? points->n_point
                                                         : 0;
    if (n == 0)
        return coordinate;
    return fmin((coordinate * (double)(n - 1) + 0.5) / (double)n, below_1);
}
