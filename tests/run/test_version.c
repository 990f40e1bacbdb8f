/* The library says which one it is. */
#include "manylink/version.h"

#include <string.h>

#include "check.h"
#include "manylink/study.h"
#include "study.h"

static const char text[] = "manylink: 1\nsystem: {type: lorenz}\ntime: {step: 1e-2, end: 1}\n";

int main(void)
{
    CHECK(strcmp(ml_version(), ML_VERSION) == 0);
    CHECK(ml_isa(0) && *ml_isa(0) && !ml_isa(-1));
    for (int i = 0; ml_isa(i); i++) { /* each can be asked for */
        struct ml_study *study;
        CHECK_CASE("%s", ml_isa(i));
        study_set_isa(ml_isa(i));
        CHECK(ml_study_load(STUDY_TEXT("text", text), &study, NULL) == ML_OK);
        ml_study_free(study);
    }
    return check_done();
}
