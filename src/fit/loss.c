/* Huber's loss, a smooth one, and that of Cauchy's distribution: P. J. Huber, Robust Statistics,
 * 1981; P. W. Holland, R. E. Welsch, Commun. Stat. A6, 813, 1977. */
#include "fit/loss.h"

#include <math.h>

struct ml_loss_value ml_loss_at(enum ml_fit_loss loss, double scale, double r)
{
    const double square = scale * scale, z = scale > 0.0 ? r * r / square : 0.0,
                 root = sqrt(1.0 + z);
    if (loss == ML_LOSS_HUBER && z > 1.0)
        return (struct ml_loss_value){square * (2.0 * sqrt(z) - 1.0), 1.0 / sqrt(z), 0.0};
    if (loss == ML_LOSS_SOFT_L1 && scale > 0.0)
        return (struct ml_loss_value){square * 2.0 * z / (root + 1.0), 1.0 / root,
                                      1.0 / (root * root * root)};
    if (loss == ML_LOSS_CAUCHY && scale > 0.0)
        return (struct ml_loss_value){square * log1p(z), 1.0 / (1.0 + z),
                                      (1.0 - z) / ((1.0 + z) * (1.0 + z))};
    return (struct ml_loss_value){r * r, 1.0, 1.0};
}

double ml_loss_tuning(enum ml_fit_loss loss) { return loss == ML_LOSS_CAUCHY ? 2.385 : 1.345; }
