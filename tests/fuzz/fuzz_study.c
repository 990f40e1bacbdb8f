/* The study reader, given any text: it says what is wrong, in printable text, or makes a study
 * whose resolved text is the same study. An input is a study, what is in every table that it names,
 * and an override, parted by the byte 0x1C; without it there is no table, or no override. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../examples/cart_pole/cart_pole.c"
#include "config/formulas/makers.h"
#include "config/schema/values.h"
#include "plan/study.h"
#include "require.h"
#include "study.h"
#include "yaml/pool.h"

/* Whatever a study names, nothing is read from the disk and nothing is loaded: the linker puts the
 * two functions below in place of the reader's, because of the next line. */
/* wraps: ml_file_read ml_system_source_open */
char *__wrap_ml_file_read(struct ml_pool *pool, const char *path, size_t most, size_t *length);
bool __wrap_ml_system_source_open(const char *path, const uint64_t *checksum,
                                  struct ml_system_source *out, struct ml_system_fault *fault);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
    const char *at; /* NULL: the input has no such part */
    size_t length;
};

static struct text table; /* of the present input */

/* Not a copy: the sanitizer sees what reads past its end. */
char *__wrap_ml_file_read(struct ml_pool *pool, const char *path, size_t most, size_t *length)
{
    (void)pool, (void)path, (void)most;
    *length = table.length;
    errno = table.at ? 0 : ENOENT;
    return (char *)table.at;
}

/* Every plugin is the example. */
bool __wrap_ml_system_source_open(const char *path, const uint64_t *checksum,
                                  struct ml_system_source *out, struct ml_system_fault *fault)
{
    (void)path, (void)checksum;
    static struct ml_plugin copy;
    copy = manylink_plugin;
    *out = (struct ml_system_source){.own = &copy, .name = copy.name};
    return ml_plugin_is_sound(&copy, fault);
}

/* Cuts the first part off the rest. */
static struct text cut(struct text *rest)
{
    const char separator = 0x1C;
    const struct text all = *rest;
    const char *end = all.length > 0 ? memchr(all.at, separator, all.length) : NULL;
    const size_t first = end ? (size_t)(end - all.at) : all.length;
    *rest = end ? (struct text){end + 1, all.length - first - 1} : (struct text){NULL, 0};
    return (struct text){all.at, first};
}

static void check_values(const struct ml_study *study)
{
    double *values = malloc((size_t)study->ensemble.numbers.n * sizeof *values);
    for (int last = 0; values && last < 2; last++)
        ml_study_values(&study->spec, last ? study->ensemble.n_run - 1 : 0, values);
    free(values);
}

static struct ml_study *parse(struct text text, const char *override, struct ml_error *err)
{
    struct ml_study *study = NULL;
    enum ml_status status =
        ml_study_load(STUDY_TEXT("study.yaml", text.length > 0 ? text.at : "",
                                 .length = text.length, STUDY_SET(&override, override != NULL)),
                      &study, err);
    require((status == ML_OK) == (study != NULL), "status and study differ", err->text);
    if (status != ML_OK)
        require_message(err);
    return study;
}

static void check_same(const struct ml_study *study)
{
    const char *resolved = ml_study_resolved(study);
    struct ml_error err = {0};
    struct ml_study *again = parse((struct text){resolved, strlen(resolved)}, NULL, &err);
    require(again, err.text, resolved);
    require(strcmp(resolved, ml_study_resolved(again)) == 0, "resolved again, it is another study",
            resolved);
    ml_study_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text rest = {(const char *)data, size};
    const struct text text = cut(&rest);
    table = cut(&rest);
    char *override = rest.at ? strndup(rest.at, rest.length) : NULL;
    struct ml_error err = {0};
    struct ml_study *study = parse(text, override, &err);
    if (study) {
        check_values(study);
        check_same(study);
    }
    ml_study_free(study);
    ml_error_clear(&err);
    free(override);
    return 0;
}
