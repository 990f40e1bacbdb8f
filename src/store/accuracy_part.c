/* Runs that are being computed again, kept in the work folder: an interrupted process goes on from
 * there. Nobody but this program reads the file, on a machine of the same kind. */
#include "store/accuracy_part.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/atomic_file.h"
#include "base/fail.h"
#include "base/io.h"
#include "base/open.h"

static const uint64_t accuracy_magic = 0x316e696167616c6d; /* "mlagain1" */

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
        return ml_fail(err, ML_E_MEMORY, "out of memory");
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
