/* What fuzz targets demand of whatever they are given. */
#ifndef FUZZ_REQUIRE_H
#define FUZZ_REQUIRE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/status.h"
#include "yaml/yaml.h"

static inline void require(bool is_so, const char *what, const char *text)
{
    if (is_so)
        return;
    fprintf(stderr, "%s:\n%s\n", what, text ? text : "(nothing)");
    abort();
}

static inline void require_printable(const char *text)
{
    struct ml_pool pool = {0};
    struct ml_problems problems = {.pool = &pool};
    require(ml_text_check(text, strlen(text), 0, &problems), "a text not printable", text);
    ml_pool_free(&pool);
}

static inline void require_message(const struct ml_error *err)
{
    require(err->count > 0 && err->text, "a failure without a message", err->text);
    require_printable(err->text);
}

#endif
