/* How far a result and its shards are, as a page of text. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/path.h"
#include "base/ranges.h"
#include "base/text.h"
#include "manylink/result.h"
#include "store/result_progress.h"
#include "store/shard_name.h"
#include "store/store.h"

static void print_owner(FILE *out, const struct ml_result_progress *s)
{
    if (s->owner.is_held)
        (void)fprintf(out, ", %s is at work", *s->owner.text ? s->owner.text : "a process");
    else
        (void)fprintf(out, ", nobody is at work");
    if (s->age >= 0.0)
        (void)fprintf(out, ", the last block %.0f s ago", s->age);
}

static void print_standing(FILE *out, const struct ml_result_progress *s)
{
    switch (s->state) {
    case ML_NOT_BEGUN:
        (void)fprintf(out, "not begun");
        break;
    case ML_UNDERWAY:
        (void)fprintf(out, "%lld of %lld blocks are done", (long long)s->blocks_done,
                      (long long)s->n_block);
        print_owner(out, s);
        break;
    case ML_COMPLETE:
        if (s->runs_missing > 0)
            (void)fprintf(out, "merged, but %lld of %lld runs are missing",
                          (long long)s->runs_missing, (long long)s->n_run);
        else
            (void)fprintf(out, "finished");
        break;
    }
    if (s->shard.count > 1)
        (void)fprintf(out, " (shard %lld of %lld)", (long long)s->shard.index,
                      (long long)s->shard.count);
}

/* The shards of a result, found by their names beside it. */
struct family {
    int64_t count; /* how many there should be; 0: there are none */
    struct member {
        struct ml_result_progress progress;
        char *fault; /* why it cannot be read; NULL: it can */
    } * members;
    int64_t block_runs, n_run; /* of the study of the first that can be read; 0: not known */
    int64_t n_block;
    unsigned char *is_done;
};

static bool is_missing(const void *context, int64_t block)
{
    const unsigned char *is_done = context;
    return !is_done[block];
}

static void print_missing(FILE *out, const unsigned char *is_done, int64_t n_block,
                          const char *indent)
{
    char *text = ml_ranges(n_block, is_missing, is_done);
    if (text && *text)
        (void)fprintf(out, "%smissing blocks: %s\n", indent, text);
    free(text);
}

/* Adds the blocks of a shard to those of all, once it is of the same study as the first one. False
 * without memory. */
static bool add_blocks(struct family *family, int64_t index, const struct ml_result_progress *s)
{
    if (!s->is_done || s->block_runs == 0)
        return true;
    if (!family->is_done) {
        family->block_runs = s->block_runs;
        family->n_run = s->n_run;
        family->n_block = ml_shard_all_blocks(s->block_runs, s->n_run);
        family->is_done = calloc((size_t)family->n_block + 1, 1);
    }
    if (!family->is_done)
        return false;
    if (s->block_runs != family->block_runs || s->n_run != family->n_run) {
        family->members[index].fault =
            ml_path("is of a study of %lld runs, and the first one of %lld\n", (long long)s->n_run,
                    (long long)family->n_run);
        return family->members[index].fault;
    }
    for (int64_t j = 0; j < s->n_block; j++)
        family->is_done[ml_shard_block(s->shard, j)] |= s->is_done[ml_shard_block(s->shard, j)];
    return true;
}

/* Notes how far a shard is; of its blocks only their sum is kept. What cannot be read is told, and
 * hides none of the others. */
static enum ml_status read_shard(struct family *family, const char *folder, const char *name,
                                 int length, int64_t index, struct ml_error *err)
{
    struct ml_result_progress *s = &family->members[index].progress;
    struct ml_error why = {0};
    if (s->state == ML_COMPLETE || family->members[index].fault)
        return ML_OK;
    char *path = ml_path("%s/%.*s", folder, length, name);
    enum ml_status status = path ? ml_result_progress_read(s, path, &why) : ML_E_MEMORY;
    if (status == ML_OK && !add_blocks(family, index, s))
        status = ML_E_MEMORY;
    if (status == ML_E_FILE && why.text) {
        family->members[index].fault = why.text;
        why.text = NULL;
        status = ML_OK;
    }
    ml_result_progress_free(s);
    ml_error_clear(&why);
    free(path);
    return status == ML_OK ? ML_OK : ml_fail(err, status, "out of memory");
}

static enum ml_status read_family(struct family *family, const char *folder, const char *result,
                                  struct ml_error *err)
{
    DIR *directory = opendir(folder);
    enum ml_status status = ML_OK;
    if (!directory)
        return ml_fail(err, ML_E_FILE, "%s: %s", folder, strerror(errno));
    struct ml_shard shard;
    int length;
    for (const struct dirent *entry; status == ML_OK && (entry = readdir(directory));) {
        if (!ml_shard_name_read(entry->d_name, result, &shard, &length))
            continue;
        if (!family->members) {
            family->count = shard.count;
            family->members = calloc((size_t)shard.count, sizeof *family->members);
        }
        if (!family->members)
            status = ml_fail(err, ML_E_MEMORY, "out of memory");
        else if (shard.count == family->count)
            status = read_shard(family, folder, entry->d_name, length, shard.index, err);
    }
    (void)closedir(directory); /* read only */
    return status;
}

struct in_state {
    const struct family *family;
    enum ml_result_progress_state state;
};

static bool is_in_state(const void *context, int64_t i)
{
    const struct in_state *in = context;
    return !in->family->members[i].fault && in->family->members[i].progress.state == in->state;
}

static void print_in_state(FILE *out, const struct family *family,
                           enum ml_result_progress_state state, const char *word)
{
    char *text = ml_ranges(family->count, is_in_state, &(struct in_state){family, state});
    if (text && *text)
        (void)fprintf(out, "  %-10s %s\n", word, text);
    free(text);
}

static void print_family(FILE *out, const struct family *family)
{
    int64_t n_finished = 0, n_done = 0;
    for (int64_t i = 0; i < family->count; i++)
        n_finished += !family->members[i].fault && family->members[i].progress.state == ML_COMPLETE;
    for (int64_t b = 0; b < family->n_block; b++)
        n_done += family->is_done[b];
    (void)fprintf(out, "  %lld of %lld shards are finished, %lld of %lld blocks are done\n",
                  (long long)n_finished, (long long)family->count, (long long)n_done,
                  (long long)family->n_block);
    print_in_state(out, family, ML_COMPLETE, "finished");
    for (int64_t i = 0; i < family->count; i++) {
        if (!family->members[i].fault && family->members[i].progress.state != ML_UNDERWAY)
            continue;
        (void)fprintf(out, "  shard %-4lld ", (long long)i);
        if (family->members[i].fault) {
            (void)fputs(family->members[i].fault, out);
            continue;
        }
        print_standing(out, &family->members[i].progress);
        (void)fputc('\n', out);
    }
    print_in_state(out, family, ML_NOT_BEGUN, "not begun");
    if (family->is_done)
        print_missing(out, family->is_done, family->n_block, "  ");
}

static void free_family(struct family *family)
{
    for (int64_t i = 0; family->members && i < family->count; i++)
        free(family->members[i].fault);
    free(family->members);
    free(family->is_done);
}

static enum ml_status print_shards(FILE *out, const char *path, struct ml_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = ml_path_folder(path);
    struct family family = {0};
    enum ml_status status = folder ? read_family(&family, folder, name, err)
                                   : ml_fail(err, ML_E_MEMORY, "out of memory");
    if (status == ML_OK && family.count > 0)
        print_family(out, &family);
    free_family(&family);
    free(folder);
    return status;
}

static enum ml_status status_print_page(FILE *out, const char *path, struct ml_error *err)
{
    struct ml_result_progress progress;
    enum ml_status status = ml_result_progress_read(&progress, path, err);
    if (status == ML_OK) {
        (void)fprintf(out, "%s: ", path);
        print_standing(out, &progress);
        (void)fputc('\n', out);
        if (progress.state == ML_UNDERWAY && progress.is_done && progress.shard.count == 1)
            print_missing(out, progress.is_done, progress.n_block, "  ");
        if (progress.state != ML_COMPLETE || progress.runs_missing > 0)
            status = print_shards(out, path, err);
    }
    ml_result_progress_free(&progress);
    return status;
}

enum ml_status ml_result_status(const char *path, char **text, struct ml_error *err)
{
    size_t size;
    *text = NULL;
    FILE *out = open_memstream(text, &size);
    if (!out)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status = status_print_page(out, path, err);
    if (fclose(out) != 0 && status == ML_OK)
        status = ml_fail(err, ML_E_MEMORY, "out of memory");
    *text = ml_text_escape(*text);
    if (status != ML_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
