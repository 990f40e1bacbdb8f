/* Appends parts to the journal of this process, and finds the parts of all journals when work
 * continues.
 */
#include "store/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/open.h"
#include "base/path.h"
#include "manylink/fail.h"
#include "store/work_folder.h"

enum { PIECE = 1 << 16 }; /* bytes that are searched at a time */

static const struct ml_journal_location no_location = {.file = -1};

static enum ml_status journal_fail(const char *path, const char *what, struct ml_error *err)
{
    return ml_fail(err, ML_E_FILE, "%s: %s: %s", path, what,
                   errno ? ml_open_reason(errno) : "it ends early");
}

/* Takes the ownership of both; -1 without memory. */
static int add_file(struct ml_journal *journal, char *path, int file)
{
    size_t n = (size_t)journal->n_file + 1;
    char **paths = realloc(journal->paths, n * sizeof *paths);
    journal->paths = paths ? paths : journal->paths;
    int *files = paths ? realloc(journal->files, n * sizeof *files) : NULL;
    journal->files = files ? files : journal->files;
    if (!files) {
        (void)close(file);
        free(path);
        return -1;
    }
    paths[n - 1] = path;
    files[n - 1] = file;
    return journal->n_file++;
}

/* Where the next head of a part may be, from `at` on; `end` if it cannot be anywhere. */
static off_t seek_head(int file, off_t at, off_t end)
{
    char bytes[PIECE + sizeof(struct ml_part_head)];
    struct ml_part_head head;
    for (; at + (off_t)sizeof head <= end; at += PIECE) {
        const off_t left = end - at;
        const size_t size = left < (off_t)sizeof bytes ? (size_t)left : sizeof bytes;
        if (!ml_io_read(file, at, bytes, size))
            return end;
        for (size_t i = 0; i < PIECE && i + sizeof head <= size; i += ML_PART_ALIGNMENT) {
            memcpy(&head, bytes + i, sizeof head);
            if (ml_part_is_head(&head))
                return at + (off_t)i;
        }
    }
    return end;
}

/* Whether there is a whole part at `at`. */
static bool read_whole(int file, off_t at, off_t end, struct ml_part_head *head)
{
    if (end - at < (off_t)sizeof *head || !ml_io_read(file, at, head, sizeof *head) ||
        !ml_part_is_head(head) || (off_t)head->size > end - at)
        return false;
    char *bytes = malloc(head->size);
    const bool is_whole =
        bytes && ml_io_read(file, at, bytes, head->size) && ml_part_is_whole(bytes, head->size);
    free(bytes);
    return is_whole;
}

void ml_journal_scan(int file,
                     void (*found)(void *context, const struct ml_part_head *head, off_t at),
                     void *context, int64_t *n_damaged)
{
    struct ml_part_head head;
    struct stat about;
    const off_t end = fstat(file, &about) == 0 ? about.st_size : 0;
    bool is_in_gap = false;
    for (off_t at = 0; at < end;) {
        const bool is_whole = read_whole(file, at, end, &head);
        if (is_whole)
            found(context, &head, at);
        *n_damaged += !is_whole && !is_in_gap;
        is_in_gap = !is_whole;
        at = is_whole ? at + (off_t)head.size : seek_head(file, at + ML_PART_ALIGNMENT, end);
    }
}

struct scanning {
    struct ml_journal *journal;
    int i_file;
    enum ml_status status;
    struct ml_error *err;
};

/* Notes a part of this study that has the outcomes of its runs. */
static void note(void *context, const struct ml_part_head *head, off_t at)
{
    const struct scanning *scanning = context;
    if (ml_part_is_head_of(scanning->journal->layout, head) && !head->is_missing)
        scanning->journal->locations[head->block] =
            (struct ml_journal_location){scanning->i_file, at};
}

static void journal_read_file(void *context, const char *path)
{
    struct scanning *scanning = context;
    struct ml_journal *journal = scanning->journal;
    if (scanning->status != ML_OK)
        return;
    char *name = ml_path("%s", path);
    int file = name ? ml_open_file(name, O_RDONLY | O_NOFOLLOW) : -1;
    if (!name || file < 0) {
        scanning->status = journal_fail(path, "cannot be read", scanning->err);
        free(name);
        return;
    }
    scanning->i_file = add_file(journal, name, file);
    if (scanning->i_file < 0)
        scanning->status = ML_E_MEMORY;
    else
        ml_journal_scan(file, note, scanning, &journal->n_damaged);
}

enum ml_status ml_journal_open(struct ml_journal *journal, const struct ml_layout *layout,
                               const char *folder, struct ml_error *err)
{
    const int64_t n_block = ml_ensemble_blocks(&layout->study->ensemble);
    *journal = (struct ml_journal){.layout = layout, .own = -1};
    journal->folder = ml_path("%s", folder);
    journal->locations = malloc((size_t)n_block * sizeof *journal->locations);
    if (!journal->folder || !journal->locations)
        return ML_E_MEMORY;
    for (int64_t i = 0; i < n_block; i++)
        journal->locations[i] = no_location;
    struct scanning scanning = {journal, -1, ML_OK, err};
    enum ml_status status = ml_work_folder_each_journal(folder, journal_read_file, &scanning, err);
    return status == ML_OK ? scanning.status : status;
}

void ml_journal_close(struct ml_journal *journal)
{
    if (journal->own >= 0 && journal->end == 0 && journal->n_file > 0)
        (void)unlink(journal->paths[journal->own]); /* a disk that is full has cut the first one */
    for (int i = 0; i < journal->n_file; i++) {
        (void)close(journal->files[i]); /* read only, or synced */
        free(journal->paths[i]);
    }
    free(journal->files);
    free(journal->paths);
    free(journal->locations);
    free(journal->folder);
    *journal = (struct ml_journal){.own = -1};
}

bool ml_journal_has(const struct ml_journal *journal, int64_t block)
{
    return journal->locations[block].file >= 0;
}

static enum ml_status make_own(struct ml_journal *journal, struct ml_error *err)
{
    char *path;
    int file = -1;
    for (int i = 0; file < 0; i++) { /* a number of a process comes back */
        path = ml_work_folder_journal(journal->folder, i);
        if (!path)
            return ML_E_MEMORY;
        file = ml_open_file(path, O_RDWR | O_CREAT | O_EXCL);
        if (file < 0 && errno != EEXIST) {
            enum ml_status status = journal_fail(path, "cannot be made", err);
            free(path);
            return status;
        }
        if (file < 0)
            free(path);
    }
    int own = add_file(journal, path, file);
    if (own < 0)
        return ML_E_MEMORY;
    journal->own = own;
    return ml_atomic_file_sync_folder_of(path, err);
}

enum ml_status ml_journal_write(struct ml_journal *journal, const struct ml_block *block,
                                const uint64_t *sums, struct ml_error *err)
{
    struct ml_part part;
    enum ml_status status = journal->own < 0 ? make_own(journal, err) : ML_OK;
    if (status != ML_OK)
        return status;
    if (!ml_part_init(&part, journal->layout, block->index))
        return ML_E_MEMORY;
    ml_part_fill(&part, block, sums);
    const int file = journal->files[journal->own];
    const char *path = journal->paths[journal->own];
    if (!ml_io_write(file, journal->end, part.bytes, part.size))
        status = journal_fail(path, "cannot be written", err);
    else if (!ml_io_has_name(file))
        status = ml_fail(err, ML_E_FILE, "%s: was removed while it was written", path);
    if (status == ML_OK) {
        journal->locations[block->index] = (struct ml_journal_location){journal->own, journal->end};
        journal->end += (off_t)part.size;
    }
    ml_part_close(&part);
    return status;
}

enum ml_status ml_journal_sync(struct ml_journal *journal, struct ml_error *err)
{
    if (journal->own < 0 || fdatasync(journal->files[journal->own]) == 0)
        return ML_OK;
    return journal_fail(journal->paths[journal->own], "cannot be synced to disk", err);
}

enum ml_status ml_journal_get(const struct ml_journal *journal, int64_t block, struct ml_part *part,
                              struct ml_error *err)
{
    const struct ml_journal_location location = journal->locations[block];
    if (!ml_part_init(part, journal->layout, block))
        return ML_E_MEMORY;
    if (location.file < 0)
        return ml_fail(err, ML_E_FILE, "%s: block %lld is missing", journal->folder,
                       (long long)block);
    const char *path = journal->paths[location.file];
    if (!ml_io_read(journal->files[location.file], location.at, part->bytes, part->size))
        return journal_fail(path, "cannot be read", err);
    const char *damage = ml_part_damage(part);
    return damage
               ? ml_fail(err, ML_E_FILE, "%s: block %lld: %s\nThe same command computes it again",
                         path, (long long)block, damage)
               : ML_OK;
}

void ml_journal_drop(struct ml_journal *journal, int64_t block)
{
    journal->locations[block] = no_location;
}
