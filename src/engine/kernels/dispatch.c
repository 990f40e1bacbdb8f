/* Which kernels there are: those of every instruction set that was compiled and that this CPU has.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "engine/kernels/kernels.h"
#include "manylink/fail.h"

#if defined __x86_64__
#define CPU_HAS __builtin_cpu_supports
#define LEARN_CPU __builtin_cpu_init
#else
#define LEARN_CPU() (void)0
#endif

/* The lines of simd/isas.def that are compiled; the slowest is taken for granted. */
#define ML_ISA(name, flags, usable) extern const struct ml_kernels ml_kernels_##name;
#include "isas.gen.def"
#undef ML_ISA

const struct ml_kernels *ml_kernels_at(int i)
{
    LEARN_CPU();
#define ML_ISA(name, flags, usable) \
    if ((usable) && i-- == 0)       \
        return &ml_kernels_##name;
#include "isas.gen.def"
#undef ML_ISA
    return NULL;
}

enum ml_status ml_kernels_pick(const char *isa, const struct ml_kernels **out, struct ml_error *err)
{
    const struct ml_kernels *k;
    char allowed[64] = "";
    *out = NULL;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        if (!isa || strcmp(k->isa, isa) == 0)
            *out = k;
        size_t used = strlen(allowed);
        (void)snprintf(allowed + used, sizeof allowed - used, "%s%s", used ? ", " : "", k->isa);
    }
    if (*out)
        return ML_OK;
    return ml_fail(err, ML_E_INPUT, "instruction set `%s`: this machine has %s", isa, allowed);
}
