/* The table of functions of one instruction set. */
#include "simd/functions.h"

#include <stddef.h>

#include "simd/dual_functions.h"

#define ML_FUNCTION_1(name)                                                            \
    static void name##_rows(int n, const double *a, const double *da, const double *b, \
                            const double *db, double *v, double *d)                    \
    {                                                                                  \
        (void)b, (void)db;                                                             \
        for (int i = 0; i < n; i++)                                                    \
            ML_EACH_GROUP(g) {                                                         \
                struct ml_dual y = ml_dual_##name(ml_dual_get(a + g, da + g, i));      \
                ml_store(v + g, i, y.v);                                               \
                ml_store(d + g, i, y.d);                                               \
            }                                                                          \
    }
#define ML_FUNCTION_2(name)                                                                       \
    static void name##_rows(int n, const double *a, const double *da, const double *b,            \
                            const double *db, double *v, double *d)                               \
    {                                                                                             \
        for (int i = 0; i < n; i++)                                                               \
            ML_EACH_GROUP(g) {                                                                    \
                struct ml_dual y =                                                                \
                    ml_dual_##name(ml_dual_get(a + g, da + g, i), ml_dual_get(b + g, db + g, i)); \
                ml_store(v + g, i, y.v);                                                          \
                ml_store(d + g, i, y.d);                                                          \
            }                                                                                     \
    }
#include "simd/functions.def"
#undef ML_FUNCTION_1
#undef ML_FUNCTION_2

extern const struct ml_function ML_K(ml_functions)[];
const struct ml_function ML_K(ml_functions)[] = {
#define ML_FUNCTION_1(name) {#name, 1, name##_rows},
#define ML_FUNCTION_2(name) {#name, 2, name##_rows},
#include "simd/functions.def"
    {NULL, 0, NULL},
};
