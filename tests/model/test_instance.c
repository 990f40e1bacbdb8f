/* An instance that is made in memory, of tables and functions that nobody built in: it has the bits
 * of the built-in system that does the same operations, and needs no file. */
#include "check.h"
#include "config/formulas/makers.h"
#include "model/transition.h"

#include "../cli/plugins/lorenz.c"

/* With `own` as the functions, for the example with or without tangents of its own. */
static void made_is_as_built_in(const struct ml_kernels *k, struct ml_plugin *own)
{
    const double x0[N_STATE] = {1.0, 2.0, 20.0};
    const struct ml_system_source source = {.own = own, .name = own->name};
    struct ml_pool pool = {0};
    struct numbers built_in, made;
    numbers_init(&built_in, k, "lorenz", x0);
    numbers_init(&made, k, "lorenz", x0);
    made.ensemble.model.system = ml_system_of_source(&pool, &source, ref_system(k, "plugin"));
    made.ensemble.model.own = own;
    CHECK(made.ensemble.model.system->dynamics.has_tangents == (own->tangent != NULL));
    CHECK(ml_slot_forces(&made.ensemble.model) == built_in.ensemble.numbers.n);
    const int n_column = own->tangent ? N_STATE : 0;
    const struct transition a = advance(&built_in.ensemble, n_column, 0.0, 0.01, 1000, 0, 0.0);
    const struct transition b = advance(&made.ensemble, n_column, 0.0, 0.01, 1000, 0, 0.0);
    CHECK(isfinite(a.x[X]) && memcmp(&a, &b, sizeof a) == 0);
    ml_pool_free(&pool);
}

int main(void)
{
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        struct ml_plugin own = manylink_plugin;
        CHECK_CASE("%s", k->isa);
        made_is_as_built_in(k, &own);
        own.tangent = NULL;
        made_is_as_built_in(k, &own);
    }
    return check_done();
}
