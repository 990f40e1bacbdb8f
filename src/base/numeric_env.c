/* The C locale and the default floating-point environment, for one thread. */
#include "base/numeric_env.h"

struct ml_numeric_env ml_numeric_env_set(void)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (struct ml_numeric_env){
        .plain = plain, .locale = uselocale(plain), .floating = ml_float_env_set()};
}

void ml_numeric_env_restore(const struct ml_numeric_env *env)
{
    ml_float_env_restore(&env->floating);
    (void)uselocale(env->locale);
    freelocale(env->plain);
}
