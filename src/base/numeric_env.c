/* The C locale and the default floating-point environment, for one thread. */
#include "base/numeric_env.h"

bool ml_numeric_env_set(struct ml_numeric_env *env)
{
    env->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!env->plain)
        return false;
    env->locale = uselocale(env->plain);
    env->floating = ml_float_env_set();
    return true;
}

void ml_numeric_env_restore(struct ml_numeric_env *env)
{
    ml_float_env_restore(&env->floating);
    (void)uselocale(env->locale);
    freelocale(env->plain);
}
