#include "base/cholesky.h"

#include <math.h>

bool ml_cholesky_factorise(int n, int stride, double least, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double rest = a[i * stride + j];
            for (int k = 0; k < j; k++)
                rest -= a[i * stride + k] * a[j * stride + k];
            if (i == j && !(rest > least))
                return false;
            a[i * stride + j] = i == j ? sqrt(rest) : rest / a[j * stride + j];
        }
    return true;
}

void ml_cholesky_solve(int n, int stride, const double *l, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= l[i * stride + k] * x[k];
        x[i] /= l[i * stride + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= l[k * stride + i] * x[k];
        x[i] /= l[i * stride + i];
    }
}
