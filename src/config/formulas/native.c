/* Consent to native code. A result can come from anybody, and the study in it names any file: that
 * file is loaded only if the user named it, or a study that names it, and if it is the one that the
 * result was made with. */
#include "config/schema/reader.h"

#include <stdlib.h>
#include <string.h>

#include "yaml/pool.h"
#include "yaml/yaml.h"

/* The key system.file of a study file; NULL if it has none, or cannot be read. */
static const char *find_file(const char *study, struct ml_pool *pool)
{
    enum { MOST_BYTES = 64 << 20 };
    size_t length = 0;
    const char *text = ml_file_read(pool, study, MOST_BYTES, &length);
    struct ml_problems problems = {.pool = pool, .name = study, .text = text, .length = length};
    const struct ml_node *root = text ? ml_yaml_read(text, length, 0, &problems) : NULL;
    const struct ml_node *file = ml_node_find(ml_node_find(root, "system"), "file");
    return file && file->kind == ML_NODE_SCALAR ? file->text : NULL;
}

/* The number behind ML_NATIVE_CHECKSUM; 0 without such a line. */
static uint64_t native_find_checksum(const char *resolved)
{
    static const char words[] = ": XXH3 (64 bits) of the file ";
    for (const char *at = resolved; (at = strstr(at, "\n  # ")); at++) {
        const char *end = at + 1 + strcspn(at + 1, "\n"), *found = strstr(at, words);
        if (found && found < end)
            return strtoull(found + sizeof words - 1, NULL, 16);
    }
    return 0;
}

struct ml_native ml_native_of_result(const char *resolved, const char *study, const char *file,
                                     struct ml_pool *pool)
{
    return (struct ml_native){
        .is_of_result = true,
        .file = file && !strchr(file, '/') ? ml_pool_format(pool, "./%s", file) : file,
        .study_file = study ? find_file(study, pool) : NULL,
        .checksum = native_find_checksum(resolved),
    };
}

const char *ml_native_choose(const struct ml_native *native, const char *file, const char *path,
                             const char **why)
{
    *why = NULL;
    if (native->is_refused)
        *why = "native code is refused (--no-native)";
    else if (native->file)
        return native->file;
    else if (native->is_of_result && !(native->study_file && strcmp(native->study_file, file) == 0))
        *why = "a result cannot be trusted to name native code: name the study with --study FILE, "
               "or the shared object with --plugin FILE";
    return *why ? NULL : path;
}
