/* Residual analysis: noise and cutoff of noisy curves are those of SciPy's filter and roots. */
#include "check.h"
#include "inverse/residual.h"
#include "reference/reference.h"

enum { MOST = 512 };

int main(void)
{
    json_t *root = ref_load("residuals.json");
    const json_t *cases = json_object_get(root, "residuals");
    static double y[MOST], work[4 * MOST];
    CHECK(json_array_size(cases) == 6);
    for (size_t c = 0; c < json_array_size(cases); c++) {
        const json_t *one = json_array_get(cases, c);
        const int n = ref_numbers(json_object_get(one, "y"), MOST, y);
        const json_t *cutoff = json_object_get(one, "cutoff");
        CHECK_CASE("%s", ref_name(one));
        CHECK(ml_residual_work(n) <= 4 * MOST && n >= ml_residual_least());
        const struct ml_residual found = ml_residual_find(n, ref_number(one, "rate"), y, work);
        CHECK_ERROR(fabs(found.noise - ref_number(one, "noise")), 1e-13);
        CHECK(isnan(found.cutoff) == json_is_null(cutoff));
        if (!json_is_null(cutoff))
            CHECK_ERROR(fabs(found.cutoff - json_number_value(cutoff)), 1e-11);
    }
    json_decref(root);
    return check_done();
}
