/* State-dependent forces in a kernel: called through their table, or, where a spec names them,
 * inlined with their places and parameters as constants. */
#ifndef ML_ENGINE_SPEC_LAWS_H
#define ML_ENGINE_SPEC_LAWS_H

#ifdef ML_SPEC_EACH_LAW

#include "forces.gen.h"

static const struct ml_law spec_laws[] = {ML_SPEC_LAWS};

/* ML_SPEC_EACH_LAW(DO) is DO(name, index) for each. */
#define ML_SPEC_FORCE(name, i) \
    ML_LAW_EACH(name##_law_at, &spec_laws[i], laws[i].signals, view, t, false);
#define ML_SPEC_TANGENT(name, i) \
    ML_LAW_EACH(name##_law_at, &spec_laws[i], laws[i].signals, view, t, true);

ML_INLINE void ml_laws_force(int n, const struct ml_law *laws, const struct ml_law_view *view,
                             const ml_vec *t)
{
    (void)n;
    ML_SPEC_EACH_LAW(ML_SPEC_FORCE)
}

ML_INLINE void ml_laws_tangent(int n, const struct ml_law *laws, const struct ml_law_view *view,
                               const ml_vec *t)
{
    (void)n;
    ML_SPEC_EACH_LAW(ML_SPEC_TANGENT)
}

#else

#include "model/law.kern.h"

ML_INLINE void ml_laws_force(int n, const struct ml_law *laws, const struct ml_law_view *view,
                             const ml_vec *t)
{
    for (int l = 0; l < n; l++)
        ML_K(ml_law_functions_of)(laws[l].type)->force(&laws[l], view, t);
}

ML_INLINE void ml_laws_tangent(int n, const struct ml_law *laws, const struct ml_law_view *view,
                               const ml_vec *t)
{
    for (int l = 0; l < n; l++)
        ML_K(ml_law_functions_of)(laws[l].type)->tangent(&laws[l], view, t);
}

#endif

#endif
