/* Designs: trajectories of Morris move one input at a time and are as likely for all levels and
 * orders, chosen trajectories are spread, one-at-a-time runs leave the middle along one input, and
 * curves of FAST are those of the paper and give the first-order indices of Ishigami's function. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "design/trajectories.h"

enum { N = 5, LEVELS = 4, TRAJECTORIES = 6000 };

static const double pi = 3.14159265358979323846;

static struct ml_sample_points morris(int64_t n, int64_t n_candidate)
{
    return (struct ml_sample_points){.seed = 7,
                                     .n_point = n,
                                     .n_input = N,
                                     .design = ML_DESIGN_MORRIS,
                                     .levels = LEVELS,
                                     .n_candidate = n_candidate};
}

/* The input that a run moves, and by how much; -1 unless exactly one moves. */
static int moved(const struct ml_sample_points *points, int64_t run, double *by)
{
    int found = -1, n = 0;
    for (int i = 0; i < N; i++) {
        const double d = ml_sample_input(points, run, i) - ml_sample_input(points, run - 1, i);
        if (d == 0.0)
            continue;
        found = i;
        *by = d;
        n++;
    }
    return n == 1 ? found : -1;
}

static void trajectories_move_every_input_once(void)
{
    const struct ml_sample_points points = morris(TRAJECTORIES, 0);
    int at_level[N][LEVELS] = {{0}}, first[N] = {0}, rises = 0;
    CHECK(ml_sample_runs(&points) == (N + 1) * TRAJECTORIES);
    for (int64_t t = 0; t < TRAJECTORIES; t++) {
        bool has_moved[N] = {false};
        for (int row = 0; row <= N; row++) {
            const int64_t run = t * (N + 1) + row;
            double by = 0.0;
            for (int i = 0; i < N; i++) {
                const double level = ml_sample_input(&points, run, i) * (LEVELS - 1);
                CHECK_ERROR(fabs(level - nearbyint(level)), 1e-15);
                at_level[i][lrint(level)]++;
            }
            if (row == 0)
                continue;
            const int i = moved(&points, run, &by);
            CHECK(i >= 0 && !has_moved[i]);
            has_moved[i < 0 ? 0 : i] = true;
            CHECK_ERROR(fabs(fabs(by) - 2.0 / 3.0), 3e-16); /* LEVELS/(2 (LEVELS - 1)) */
            rises += by > 0.0;
            first[i < 0 ? 0 : i] += row == 1;
        }
    }
    /* all as frequent, to 5 standard deviations */
    const double n_row = (N + 1.0) * TRAJECTORIES;
    for (int i = 0; i < N; i++) {
        CHECK_ERROR(fabs(first[i] - TRAJECTORIES / (double)N) / sqrt(TRAJECTORIES * 0.16), 5.0);
        for (int k = 0; k < LEVELS; k++)
            CHECK_ERROR(fabs(at_level[i][k] - n_row / LEVELS) / sqrt(3.0 * n_row), 5.0);
    }
    CHECK_ERROR(fabs(rises - 0.5 * N * TRAJECTORIES) / sqrt(0.25 * N * TRAJECTORIES), 5.0);
}

/* Of a linear function each effect is its slope. */
static void effects_of_a_linear_function_are_its_slopes(void)
{
    const struct ml_sample_points points = morris(20, 0);
    const double slope[N] = {1.0, -2.0, 0.5, 0.0, 3.0};
    for (int64_t run = 1; run < ml_sample_runs(&points); run++) {
        double by = 1.0, f = 0.0;
        if (run % (N + 1) == 0)
            continue;
        const int i = moved(&points, run, &by);
        for (int k = 0; k < N; k++)
            f += slope[k] *
                 (ml_sample_input(&points, run, k) - ml_sample_input(&points, run - 1, k));
        CHECK_ERROR(fabs(f / by - slope[i < 0 ? 0 : i]), 2e-15);
    }
}

/* Campolongo's distance of two trajectories. */
static double apart(const struct ml_sample_points *points, int64_t a, int64_t b)
{
    double sum = 0.0;
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++) {
            double square = 0.0;
            for (int k = 0; k < N; k++)
                square += pow(ml_sample_input(points, a * (N + 1) + i, k) -
                                  ml_sample_input(points, b * (N + 1) + j, k),
                              2.0);
            sum += sqrt(square);
        }
    return sum;
}

static double spread(const struct ml_sample_points *points)
{
    double sum = 0.0;
    for (int64_t a = 0; a < points->n_point; a++)
        for (int64_t b = 0; b < a; b++)
            sum += pow(apart(points, a, b), 2.0);
    return sqrt(sum);
}

static void chosen_trajectories_are_spread(void)
{
    enum { CANDIDATES = 40 };
    struct ml_pool pool = {0};
    struct ml_sample_points all = morris(CANDIDATES, 0), two = morris(2, CANDIDATES),
                            six = morris(6, CANDIDATES), first = morris(6, 0);
    double most = 0.0;
    for (int64_t a = 0; a < CANDIDATES; a++)
        for (int64_t b = 0; b < a; b++)
            most = fmax(most, apart(&all, a, b));
    ml_trajectories_choose(&two, &pool);
    ml_trajectories_choose(&six, &pool);
    CHECK(two.chosen && six.chosen && two.chosen[0] < two.chosen[1]);
    CHECK_ERROR(fabs(apart(&two, 0, 1) - most), 1e-13);
    CHECK_ERROR(spread(&first) / spread(&six), 0.95); /* 0.9185 */
    for (int i = 1; i < 6; i++)
        CHECK(six.chosen[i] > six.chosen[i - 1]);
    ml_pool_free(&pool);
}

static void one_at_a_time_leaves_the_middle_along_one_input(void)
{
    const struct ml_sample_points points = {.n_point = 3, .n_input = 2, .design = ML_DESIGN_OAT};
    const double known[7][2] = {{0.5, 0.5}, {0, 0.5},   {0.5, 0.5}, {1, 0.5},
                                {0.5, 0},   {0.5, 0.5}, {0.5, 1}};
    CHECK(ml_sample_runs(&points) == 7);
    for (int run = 0; run < 7; run++)
        for (int i = 0; i < 2; i++) {
            const double u = ml_sample_input(&points, run, i);
            CHECK_ERROR(fabs(u - known[run][i]), 2e-16);
            /* the middles of thirds of the probability */
            CHECK_ERROR(fabs(ml_sample_part(&points, u) - (1.0 + 4.0 * known[run][i]) / 6.0),
                        2e-16);
        }
}

/* Rows A, A with each group of B, B with each group of A, B; of inputs 0 and 2, and of input 1. */
static void groups_are_exchanged_together(void)
{
    enum { INPUTS = 3, ROWS = 6 };
    static const int group[INPUTS] = {0, 1, 0};
    static const bool is_b[ROWS][INPUTS] = {{0, 0, 0}, {1, 0, 1}, {0, 1, 0},
                                            {0, 1, 0}, {1, 0, 1}, {1, 1, 1}};
    struct ml_sample_points points = {.sampling = ML_SOBOL,
                                      .n_point = 4,
                                      .n_input = INPUTS,
                                      .design = ML_DESIGN_SALTELLI,
                                      .has_second = true,
                                      .group = group,
                                      .n_group = 2};
    double x[INPUTS][4 * ROWS];
    const double *inputs[INPUTS] = {x[0], x[1], x[2]};
    CHECK(ml_sample_runs(&points) == 4 * ROWS);
    for (int run = 0; run < 4 * ROWS; run++)
        for (int i = 0; i < INPUTS; i++) {
            const int coordinate = i + (is_b[run % ROWS][i] ? INPUTS : 0);
            x[i][run] = ml_sample_input(&points, run, i);
            CHECK(x[i][run] == ml_sample(ML_SOBOL, 0, 4, run / ROWS, coordinate));
        }
    CHECK(ml_sample_misplaced(&points, inputs) == -1);
    x[2][2 * ROWS + 1] = x[2][2 * ROWS];
    CHECK(ml_sample_misplaced(&points, inputs) == 2 * ROWS + 1);
}

/* Saltelli, Tarantola and Chan's curve.
 *   omega  [4][4] frequencies of the inputs along each curve */
static void check_curves(int64_t n_point, const int omega[4][4])
{
    const struct ml_sample_points points = {
        .seed = 3, .n_point = n_point, .n_input = 4, .design = ML_DESIGN_FAST};
    CHECK(ml_sample_runs(&points) == 4 * n_point);
    for (int64_t run = 0; run < 4 * n_point; run++)
        for (int i = 0; i < 4; i++) {
            const int curve = (int)(run / n_point);
            const double phase = 2.0 * pi * ml_sample(ML_RANDOM, 3, 0, curve, 0);
            const double s = 2.0 * pi / (double)n_point * (double)(run % n_point);
            const double u = 0.5 + asin(sin(omega[curve][i] * s + phase)) / pi;
            CHECK_ERROR(fabs(ml_sample_input(&points, run, i) - u), 3e-8); /* asin near 1 */
        }
}

/* The frequencies of SALib's fast_sampler: of 4 inputs and 1025 runs 128 and 1, 8, 16; and of
 * longer curves primes up to a sixteenth of the highest, 312 of 2500 runs. */
static void curves_are_those_of_the_paper(void)
{
    static const int
        few[4][4] = {{128, 1, 8, 16}, {1, 128, 8, 16}, {1, 8, 128, 16}, {1, 8, 16, 128}},
        many[4][4] = {{312, 11, 13, 19}, {11, 312, 13, 19}, {11, 13, 312, 19}, {11, 13, 19, 312}};
    check_curves(1025, few);
    check_curves(2500, many);
}

/* Power of a curve's output at the harmonics of a frequency, times 4/n^2. */
static double power_of(const double *y, int n, int frequency)
{
    double sum = 0.0;
    for (int h = 1; h <= ML_FAST_HARMONICS; h++) {
        double c = 0.0, s = 0.0;
        for (int k = 0; k < n; k++) {
            c += y[k] * cos(2.0 * pi * h * frequency * k / n);
            s += y[k] * sin(2.0 * pi * h * frequency * k / n);
        }
        sum += 2.0 * (c * c + s * s) / n / n;
    }
    return sum;
}

static void curves_give_the_indices_of_ishigami(void)
{
    enum { RUNS = 4097, INPUTS = 3 };
    const struct ml_sample_points points = {
        .seed = 1, .n_point = RUNS, .n_input = INPUTS, .design = ML_DESIGN_FAST};
    const double closed[INPUTS] = {0.3139, 0.4424, 0.0};
    static double y[RUNS];
    for (int curve = 0; curve < INPUTS; curve++) {
        double mean = 0.0, variance = 0.0;
        for (int k = 0; k < RUNS; k++) {
            double x[INPUTS];
            for (int i = 0; i < INPUTS; i++)
                x[i] = pi * (2.0 * ml_sample_input(&points, (int64_t)curve * RUNS + k, i) - 1.0);
            y[k] = sin(x[0]) + 7.0 * pow(sin(x[1]), 2.0) + 0.1 * pow(x[2], 4.0) * sin(x[0]);
            mean += y[k] / RUNS;
        }
        for (int k = 0; k < RUNS; k++)
            variance += (y[k] - mean) * (y[k] - mean) / RUNS;
        CHECK_ERROR(fabs(power_of(y, RUNS, (RUNS - 1) / (2 * ML_FAST_HARMONICS)) / variance -
                         closed[curve]),
                    0.0075);
    }
}

int main(void)
{
    trajectories_move_every_input_once();
    effects_of_a_linear_function_are_its_slopes();
    chosen_trajectories_are_spread();
    one_at_a_time_leaves_the_middle_along_one_input();
    groups_are_exchanged_together();
    curves_are_those_of_the_paper();
    curves_give_the_indices_of_ishigami();
    return check_done();
}
