/* Half widths of 95 % intervals. */
#include "fit/student.h"

double ml_student_975(int64_t dof)
{
    static const double few[] = {12.706204736432095, 4.302652729911275,  3.182446305284264,
                                 2.7764451051977987, 2.5705818366147395, 2.4469118487916806,
                                 2.3646242510102993, 2.306004135033371};
    const double z = 1.959963984540054, n = (double)dof;
    if (dof <= (int64_t)(sizeof few / sizeof *few))
        return few[dof > 0 ? dof - 1 : 0];
    /* Expansion by powers of 1 / n: Abramowitz and Stegun 26.7.5 */
    const double z2 = z * z;
    const double g1 = z * (z2 + 1.0) / 4.0;
    const double g2 = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    const double g3 = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    const double g4 =
        z * ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92160.0;
    return z + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n;
}
