/* The smoothing spline: dense solutions in 50 digits, and the noise it has to find. */
#include <string.h>

#include "check.h"
#include "inverse/spline.h"
#include "reference/reference.h"

enum { MOST = 2000 };

struct curves {
    int n;
    double t[MOST], y[2 * MOST], first[2 * MOST], second[2 * MOST], cutoff[2];
};

static void smooth(struct curves *c, int n_y)
{
    struct ml_error err = {0};
    for (int i = 0; i < 2 * MOST; i++)
        c->first[i] = c->second[i] = (double)NAN;
    const struct ml_smoothed all = {n_y, c->y, c->first, c->second, c->cutoff};
    CHECK(ml_smooth(c->n, c->t, &all, &err) == ML_OK);
    ml_error_clear(&err);
}

/* The minimum of the score is flat: half of the digits of a double give lambda. */
static void splines_are_those_of_the_reference(void)
{
    static const char *const keys[] = {"smooth", "first", "second"};
    json_t *root = ref_load("smoothing.json");
    const json_t *cases = json_object_get(root, "gcv");
    static struct curves c;
    double should[MOST];
    CHECK(json_array_size(cases) == 3);
    for (size_t k = 0; k < json_array_size(cases); k++) {
        const json_t *one = json_array_get(cases, k);
        CHECK_CASE("%s", ref_name(one));
        c.n = ref_numbers(json_object_get(one, "t"), MOST, c.t);
        CHECK(ref_numbers(json_object_get(one, "y"), MOST, c.y) == c.n);
        smooth(&c, 1);
        const double *const is[] = {c.y, c.first, c.second};
        for (int d = 0; d < 3; d++) {
            (void)ref_numbers(json_object_get(one, keys[d]), MOST, should);
            CHECK_ERROR(ref_error(c.n, is[d], should), 1e-6);
        }
        CHECK_ERROR(fabs(c.cutoff[0] / ref_number(one, "cutoff") - 1.0), 1e-6);
    }
    json_decref(root);
}

/* A wave of 1.1 Hz at 100 Hz, and noise of 3e-3: it is taken away, and the accelerations are those
 * of the wave but for a few percent. */
static void noise_is_taken_away(void)
{
    static struct curves c;
    const double pi = 3.14159265358979323846, turn = 2.0 * pi * 1.1;
    double taken = 0.0, square = 0.0, off = 0.0;
    uint64_t state = 42;
    c.n = 400;
    for (int i = 0; i < c.n; i++) {
        double noise = -6.0; /* of twelve uniform numbers: nearly normal, variance 1 */
        for (int k = 0; k < 12; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            noise += (double)(state >> 11) * 0x1p-53;
        }
        c.t[i] = 0.01 * i;
        c.y[i] = 0.5 * sin(turn * c.t[i]) + 3e-3 * noise;
        c.y[c.n + i] = c.t[i] * c.t[i] - c.t[i]; /* no noise: it stays */
        c.first[i] = c.y[i];
    }
    static double raw[MOST];
    memcpy(raw, c.y, sizeof raw);
    smooth(&c, 2);
    double own = 0.0;
    for (int i = 0; i < c.n; i++) {
        const double wave = -0.5 * turn * turn * sin(turn * c.t[i]);
        taken += (raw[i] - c.y[i]) * (raw[i] - c.y[i]);
        off += i >= 20 && i < c.n - 20 ? (c.second[i] - wave) * (c.second[i] - wave) : 0.0;
        square += i >= 20 && i < c.n - 20 ? wave * wave : 0.0;
        own = fmax(own, fabs(c.second[c.n + i] - 2.0));
    }
    CHECK_ERROR(fabs(sqrt(taken / c.n) / 3e-3 - 1.0), 0.1);
    CHECK_ERROR(sqrt(off / square), 0.1);
    CHECK(c.cutoff[0] > 1.5 && c.cutoff[0] < 6.0);
    CHECK_ERROR(own, 1e-7);
}

int main(void)
{
    splines_are_those_of_the_reference();
    noise_is_taken_away();
    return check_done();
}
