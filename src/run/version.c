/* What library this is. */
#include "manylink/version.h"

#include "engine/kernels.h"

const char *ml_version(void) { return ML_VERSION; }

const char *ml_isa(int i)
{
    const struct ml_kernels *kernels = i >= 0 ? ml_kernels_at(i) : NULL;
    return kernels ? kernels->isa : NULL;
}
