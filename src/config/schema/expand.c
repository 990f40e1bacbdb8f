/* Builds the descriptor of a system for a given number of degrees of freedom. */
#include "config/formulas/makers.h"

#include "simd/layout.h"

int ml_expand_first(const struct ml_system *system, int i_array, int n)
{
    int first = 0;
    for (int a = 0; a < i_array; a++)
        first += ml_array_size(&system->tables.arrays[a], n);
    return first;
}

/* One number: of an array with the flags that are the array's own left out. */
static struct ml_param expand_number_of(const struct ml_param *array, const char *name)
{
    struct ml_param param = *array;
    param.name = name;
    param.flags &= ~(unsigned)(ML_REQUIRED | ML_MATRIX | ML_SYMMETRIC);
    return param;
}

static void expand_vector(struct ml_pool *pool, const struct ml_param *array, int n,
                          const char *const *names, struct ml_param *params)
{
    for (int i = 0; i < n; i++)
        params[i] = expand_number_of(array, ml_pool_format(pool, "%s.%s", array->name, names[i]));
}

static void expand_matrix(struct ml_pool *pool, const struct ml_param *array, int n,
                          const char *const *names, struct ml_param *params)
{
    bool is_symmetric = array->flags & ML_SYMMETRIC;
    for (int i = 0; i < n; i++)
        for (int j = is_symmetric ? i : 0; j < n; j++)
            params[is_symmetric ? ml_tri(j, i) : i * n + j] = expand_number_of(
                array, ml_pool_format(pool, "%s.%s.%s", array->name, names[i], names[j]));
}

const struct ml_system *ml_expand(struct ml_pool *pool, const struct ml_system *like, int n,
                                  const char *const *names)
{
    const int n_number = ml_expand_first(like, like->tables.n_array, n);
    const int n_param = n_number + like->tables.n_param;
    struct ml_system *system = ml_pool_take(pool, 1, sizeof *system);
    struct ml_param *params = ml_pool_take(pool, (size_t)n_param, sizeof *params);
    if (!system || !params)
        return NULL;
    for (int a = 0; a < like->tables.n_array; a++) {
        const struct ml_param *array = &like->tables.arrays[a];
        (array->flags & ML_MATRIX ? expand_matrix : expand_vector)(
            pool, array, n, names, params + ml_expand_first(like, a, n));
    }
    for (int p = 0; p < like->tables.n_param; p++)
        params[n_number + p] = like->tables.params[p];
    *system = *like;
    system->tables.params = params;
    system->tables.n_param = n_param;
    return pool->is_short ? NULL : system;
}
