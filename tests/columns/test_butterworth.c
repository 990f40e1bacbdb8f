/* The Butterworth filter: SciPy's filtfilt and sosfiltfilt of the same samples, and what it keeps.
 */
#include "check.h"
#include "columns/butterworth.h"
#include "reference/reference.h"

enum { MOST = 4096 };

/* SciPy's filtfilt multiplies the sections out, which costs it digits at low cutoffs: 8e-12 of them
 * at order 4 and 1 of 100 Hz. */
static void filtered_samples_are_those_of_scipy(void)
{
    json_t *root = ref_load("smoothing.json");
    const json_t *cases = json_object_get(root, "butterworth");
    static double y[MOST], sections[MOST], product[MOST], work[2 * MOST];
    CHECK(json_array_size(cases) == 8);
    for (size_t c = 0; c < json_array_size(cases); c++) {
        const json_t *one = json_array_get(cases, c);
        const int n = ref_numbers(json_object_get(one, "y"), MOST, y);
        CHECK_CASE("%s", ref_name(one));
        CHECK(ref_numbers(json_object_get(one, "sosfiltfilt"), MOST, sections) == n);
        CHECK(ref_numbers(json_object_get(one, "filtfilt"), MOST, product) == n);
        ml_butterworth((int)ref_number(one, "order"),
                       ref_number(one, "cutoff") / ref_number(one, "rate"), n, y, work);
        CHECK_ERROR(ref_error(n, y, sections), 1e-13);
        CHECK_ERROR(ref_error(n, y, product), 5e-11);
    }
    json_decref(root);
}

/* Both passes halve a wave of the cutoff frequency. */
static void the_cutoff_is_halved(void)
{
    static double y[MOST], work[2 * MOST];
    const double turn = 0.05 * 2.0 * 3.14159265358979323846;
    for (int order = 1; order <= 8; order++) {
        double error = 0.0;
        for (int i = 0; i < MOST; i++)
            y[i] = sin(turn * i);
        ml_butterworth(order, 0.05, MOST, y, work);
        for (int i = MOST / 4; i < 3 * MOST / 4; i++)
            error = fmax(error, fabs(y[i] - 0.5 * sin(turn * i)));
        CHECK_CASE("order %d", order);
        CHECK_ERROR(error, 1e-12);
    }
}

/* Waves of 3 and 20 Hz with powers as 1 to 4. */
static void power_above_a_frequency_is_told(void)
{
    static double y[MOST], work[4 * MOST];
    const double turn = 2.0 * 3.14159265358979323846 / 200.0;
    for (int i = 0; i < MOST / 2; i++)
        y[i] = sin(3.0 * turn * i) + 2.0 * sin(20.0 * turn * i);
    CHECK(ml_noise_work(MOST / 2) <= 4 * MOST);
    CHECK_ERROR(fabs(ml_noise_share(MOST / 2, 0.005, y, 10.0, work) - 0.8), 0.02);
    CHECK(ml_noise_share(MOST / 2, 0.1, y, 10.0, work) == 0.0);
    CHECK(ml_noise_share(10, 0.005, y, 10.0, work) == 0.0);
}

int main(void)
{
    filtered_samples_are_those_of_scipy();
    the_cutoff_is_halved();
    power_above_a_frequency_is_told();
    return check_done();
}
