/* How tests come to studies. */
#ifndef TEST_STUDY_H
#define TEST_STUDY_H

#include <stdlib.h>

#include "manylink/study.h"

/* What ml_study_load reads: the file at a path, or a text. */
#define STUDY_FILE(...) \
    (&(const struct ml_study_source){.size = sizeof(struct ml_study_source), .path = __VA_ARGS__})
#define STUDY_TEXT(name, ...) STUDY_FILE(name, .text = __VA_ARGS__)
#define STUDY_SET(set, n) .overrides = (set), .n_override = (n)

/* The instruction set of studies that are read from then on; NULL: the fastest. */
static inline void study_set_isa(const char *isa)
{
    (void)setenv("MANYLINK_ISA", isa ? isa : "", 1);
}

#endif
