/* The numbers of runs that were computed again: memory, those of several shards joined, and their
 * file in the work folder, from which an interrupted process continues. */
#include "store/accuracy.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/atomic_file.h"
#include "base/io.h"
#include "base/open.h"

bool ml_accuracy_describe(struct ml_accuracy *accuracy, const struct ml_ensemble *ensemble)
{
    struct ml_outputs at = {.ensemble = ensemble};
    const int n = ml_ensemble_outputs(ensemble);
    struct ml_accuracy_output *own = calloc((size_t)n + 1, sizeof *own);
    *accuracy = (struct ml_accuracy){.is_adaptive = ensemble->time.is_adaptive,
                                     .is_unstable = ensemble->time.is_unstable,
                                     .outputs = own};
    for (; own && ml_outputs_next(&at); own++) {
        (void)snprintf(own->name, sizeof own->name, "%s", at.output.name);
        (void)snprintf(own->unit, sizeof own->unit, "%s", at.output.unit);
        own[1].first = own->first + (int)ml_output_rows(&at.output, ensemble->model.n);
    }
    accuracy->n_output = own ? n : 0;
    return own;
}

bool ml_accuracy_is_of(const struct ml_accuracy *accuracy, const struct ml_ensemble *ensemble)
{
    struct ml_outputs at = {.ensemble = ensemble};
    bool is = ml_ensemble_outputs(ensemble) == accuracy->n_output &&
              ensemble->time.is_adaptive == accuracy->is_adaptive;
    for (int o = 0; is && ml_outputs_next(&at); o++)
        is = strcmp(at.output.name, accuracy->outputs[o].name) == 0 &&
             ml_output_rows(&at.output, ensemble->model.n) == ml_accuracy_rows(accuracy, o);
    return is;
}

int ml_accuracy_all_rows(const struct ml_accuracy *accuracy)
{
    return accuracy->outputs[accuracy->n_output].first;
}

bool ml_accuracy_take(struct ml_accuracy *accuracy, int n)
{
    const size_t runs = (size_t)n, rows = (size_t)ml_accuracy_all_rows(accuracy);
    const size_t numbers = runs * (2 + ML_N_ACCURACY * rows);
    accuracy->n = n;
    accuracy->size = numbers * sizeof(double) + runs * (2 + 1 + ML_N_ACCURACY);
    accuracy->bytes = calloc(accuracy->size + 1, 1);
    if (!accuracy->bytes)
        return false;
    accuracy->runs = accuracy->bytes;
    accuracy->step_most = (double *)accuracy->bytes + runs;
    double *values = accuracy->step_most + runs;
    int8_t *marks = (int8_t *)((double *)accuracy->bytes + numbers);
    for (int k = 0; k < ML_N_ACCURACY; k++, values += runs * rows, marks += n) {
        accuracy->values[k] = values;
        accuracy->is_done[k] = marks;
    }
    accuracy->outcomes[0] = marks;
    accuracy->outcomes[1] = marks + n;
    accuracy->is_finest = marks + 2 * (size_t)n;
    for (size_t i = 0; i < ML_N_ACCURACY * runs * rows; i++)
        accuracy->values[0][i] = (double)NAN;
    return true;
}

void ml_accuracy_free(struct ml_accuracy *accuracy)
{
    free(accuracy->bytes);
    free(accuracy->outputs);
    *accuracy = (struct ml_accuracy){0};
}

int ml_accuracy_rows(const struct ml_accuracy *accuracy, int output)
{
    return accuracy->outputs[output + 1].first - accuracy->outputs[output].first;
}

double *ml_accuracy_row(const struct ml_accuracy *accuracy, enum ml_accuracy_values which,
                        int output, int i)
{
    return accuracy->values[which] + (size_t)accuracy->outputs[output].first * (size_t)accuracy->n +
           (size_t)i * (size_t)ml_accuracy_rows(accuracy, output);
}

void ml_accuracy_copy_run(struct ml_accuracy *to, int i, const struct ml_accuracy *from, int j)
{
    to->runs[i] = from->runs[j];
    to->step_most[i] = from->step_most[j];
    to->is_finest[i] = from->is_finest[j];
    for (int k = 0; k < 2; k++)
        to->outcomes[k][i] = from->outcomes[k][j];
    for (int k = 0; k < ML_N_ACCURACY; k++) {
        const enum ml_accuracy_values which = (enum ml_accuracy_values)k;
        to->is_done[k][i] = from->is_done[k][j];
        for (int o = 0; o < to->n_output; o++)
            memcpy(ml_accuracy_row(to, which, o, i), ml_accuracy_row(from, which, o, j),
                   (size_t)ml_accuracy_rows(to, o) * sizeof(double));
    }
}

/* Runs that either has: both are in ascending order. */
static int accuracy_union(const struct ml_accuracy *a, const struct ml_accuracy *b)
{
    int n = 0;
    for (int i = 0, j = 0; i < a->n || j < b->n; n++) {
        const bool has_a = i < a->n, has_b = j < b->n;
        const int64_t x = has_a ? a->runs[i] : INT64_MAX, y = has_b ? b->runs[j] : INT64_MAX;
        i += x <= y;
        j += y <= x;
    }
    return n;
}

bool ml_accuracy_join(struct ml_accuracy *accuracy, const struct ml_accuracy *other)
{
    struct ml_accuracy joined = *accuracy;
    if (!ml_accuracy_take(&joined, accuracy_union(accuracy, other)))
        return false;
    for (int n = 0, i = 0, j = 0; n < joined.n; n++) {
        const int64_t x = i < accuracy->n ? accuracy->runs[i] : INT64_MAX;
        const int64_t y = j < other->n ? other->runs[j] : INT64_MAX;
        if (x <= y)
            ml_accuracy_copy_run(&joined, n, accuracy, i);
        else
            ml_accuracy_copy_run(&joined, n, other, j);
        i += x <= y;
        j += y <= x;
    }
    free(accuracy->bytes);
    *accuracy = joined;
    return true;
}

static const uint64_t accuracy_magic = 0x326e696167616c6d; /* "mlagain2" */

struct accuracy_head {
    uint64_t magic, study; /* identity of the study */
    uint64_t size, sum;    /* bytes that follow, and their XXH3 (64 bits) */
};

static struct accuracy_head accuracy_head_of(const struct ml_accuracy *accuracy, uint64_t study,
                                             const void *bytes)
{
    return (struct accuracy_head){.magic = accuracy_magic,
                                  .study = study,
                                  .size = accuracy->size,
                                  .sum = XXH3_64bits(bytes, accuracy->size)};
}

enum ml_status ml_accuracy_part_write(const char *path, uint64_t study,
                                      const struct ml_accuracy *accuracy, struct ml_error *err)
{
    const struct accuracy_head head = accuracy_head_of(accuracy, study, accuracy->bytes);
    char *bytes = malloc(sizeof head + accuracy->size);
    if (!bytes)
        return ML_E_MEMORY;
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, accuracy->bytes, accuracy->size);
    const enum ml_status status =
        ml_atomic_file_write(path, bytes, sizeof head + accuracy->size, err);
    free(bytes);
    return status;
}

/* The whole file, if it is as long as it has to be; to be freed. */
static char *accuracy_part_bytes(const char *path, size_t size)
{
    struct stat about;
    const int file = ml_open_file(path, O_RDONLY | O_NOFOLLOW);
    if (file < 0)
        return NULL;
    char *bytes = fstat(file, &about) == 0 && about.st_size == (off_t)size ? malloc(size) : NULL;
    if (bytes && !ml_io_read(file, 0, bytes, size)) {
        free(bytes);
        bytes = NULL;
    }
    (void)close(file); /* read only */
    return bytes;
}

void ml_accuracy_part_read(const char *path, uint64_t study, struct ml_accuracy *accuracy)
{
    const size_t n = (size_t)accuracy->n;
    char *bytes = accuracy_part_bytes(path, sizeof(struct accuracy_head) + accuracy->size);
    if (!bytes)
        return;
    const char *numbers = bytes + sizeof(struct accuracy_head);
    const struct accuracy_head head = accuracy_head_of(accuracy, study, numbers);
    /* The runs come first, and are the same if it is of as many. */
    if (memcmp(bytes, &head, sizeof head) == 0 &&
        memcmp(numbers, accuracy->runs, n * sizeof *accuracy->runs) == 0)
        memcpy(accuracy->bytes, numbers, accuracy->size);
    free(bytes);
}
