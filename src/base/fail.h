/* Recording errors. */
#ifndef ML_BASE_FAIL_H
#define ML_BASE_FAIL_H

#include "manylink/fail.h"

#endif
