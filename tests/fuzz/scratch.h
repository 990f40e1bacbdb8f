/* The folder that a fuzz target works in, and whole files. */
#ifndef FUZZ_SCRATCH_H
#define FUZZ_SCRATCH_H

#include <errno.h>
#include <fts.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "require.h"

#define SCRATCH "scratch"

struct bytes {
    uint8_t *at;
    size_t size;
};

static inline bool is_same(struct bytes a, struct bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.at, b.at, a.size) == 0);
}

/* To be freed. */
static inline struct bytes read_file(const char *path)
{
    struct stat about;
    FILE *file = fopen(path, "rb");
    require(file && fstat(fileno(file), &about) == 0, "cannot be read", path);
    struct bytes bytes = {.size = (size_t)about.st_size};
    bytes.at = malloc(bytes.size + 1);
    require(bytes.at && fread(bytes.at, 1, bytes.size, file) == bytes.size, "ends early", path);
    (void)fclose(file); /* read only */
    return bytes;
}

static inline void write_file(const char *path, struct bytes bytes)
{
    FILE *file = fopen(path, "wb");
    require(file && fwrite(bytes.at, 1, bytes.size, file) == bytes.size && fclose(file) == 0,
            "cannot be written", path);
}

static inline void make_folder(const char *path)
{
    require(mkdir(path, 0777) == 0 || errno == EEXIST, "cannot be made", path);
}

/* Makes the folder, with nothing in it. */
static inline void clear_scratch(void)
{
    char *const paths[] = {(char *)SCRATCH, NULL};
    make_folder(SCRATCH);
    FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    require(tree, "cannot be read", SCRATCH);
    for (const FTSENT *entry; (entry = fts_read(tree));)
        if (entry->fts_level > 0 && entry->fts_info != FTS_D)
            (void)remove(entry->fts_accpath);
    (void)fts_close(tree); /* read only */
}

#endif
