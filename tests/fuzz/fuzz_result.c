/* What is read from disk, damaged: a result, or the parts of one that was interrupted. It is
 * refused with printable text, or what is taken from it is what was put there. An input is a letter
 * and the bytes that stand for a file:
 *     r   the result; R: discard it
 *     v   other values in a result that is sealed again (reseal.h), after a byte that says in which
 *     s   other structure in one (restructure.h), after the same byte; above 127 it is drawn, gone
 *         on with and taken for the motion of `inverse`, below it is verified and merged
 *     j   the journal; J: compute what is missing and finish; so with all below
 *     f   the journal, and whatever its checksums say is true
 *     i   the identity
 *     t   the trajectories
 * What the files are when they are not damaged is in the folder ./made from the beginning on. */
#include <dirent.h>
#include <math.h>
#include <sys/select.h>

#include "engine/team/team.h"
#include "generated_results.h"
#include "manylink/fail.h"
#include "manylink/inverse.h"
#include "manylink/merge.h"
#include "manylink/plot.h"
#include "manylink/result.h"
#include "manylink/verify.h"
#include "reseal.h"
#include "restructure.h"
#include "store/result_h5.h"
#include "store/source.h"

/* libFuzzer sees what a checksum is compared with, and puts that into the file. Damage does not,
 * and HDF5 does not survive what would come of it. So no checksum is right here but those of what
 * was made: the linker puts the two functions below in place of ours, because of the next line. */
/* wraps: ml_seal_check ml_part_is_whole */
enum ml_status __real_ml_seal_check(const char *path, bool *is_sealed, struct ml_error *err);
enum ml_status __wrap_ml_seal_check(const char *path, bool *is_sealed, struct ml_error *err);
bool __real_ml_part_is_whole(const void *bytes, size_t size);
bool __wrap_ml_part_is_whole(const void *bytes, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct made made;
static bool may_be_forged; /* what the present input is made of */

enum ml_status __wrap_ml_seal_check(const char *path, bool *is_sealed, struct ml_error *err)
{
    bool is_found;
    enum ml_status status = __real_ml_seal_check(path, &is_found, err);
    if (is_sealed)
        *is_sealed = is_found;
    if (status == ML_OK && is_found && !may_be_forged && strcmp(path, OUT) == 0 &&
        !has_made_seal(&made, path))
        status = ml_fail(err, ML_E_FILE, "%s: its seal is forged", path);
    return status;
}

bool __wrap_ml_part_is_whole(const void *bytes, size_t size)
{
    return __real_ml_part_is_whole(bytes, size) &&
           (may_be_forged || has_made_checksum(&made, bytes, size));
}

/* In place of the system's, which take most of the time: nothing here outlives the process. */
int fsync(int file)
{
    (void)file;
    return 0;
}
int fdatasync(int file) { return fsync(file); }

/* Frees a page that was printed, or says what there is instead. */
static void end_page(enum ml_status status, char *page, struct ml_error *err)
{
    require((status == ML_OK) == (page != NULL), "status and page differ", err->text);
    if (status != ML_OK)
        require_message(err);
    free(page);
    ml_error_clear(err);
}

static void print_pages(void)
{
    struct ml_error err = {0};
    char *page;
    enum ml_status status = ml_result_status(OUT, &page, &err);
    if (page)
        require_printable(page);
    end_page(status, page, &err);
    status = ml_result_describe(OUT, false, &page, &err);
    end_page(status, page, &err);
}

/* All numbers of a dataset, or its first text. */
static void read_array(struct ml_result *result, const struct ml_array_info *info)
{
    struct ml_error err = {0};
    const char *text;
    size_t n = 1;
    for (int k = 0; k < info->rank; k++)
        n *= (size_t)info->shape[k];
    double *values = info->type != ML_ARRAY_TEXT ? calloc(n, sizeof *values) : NULL;
    const enum ml_status status =
        values ? ml_result_read(result, info->name, NULL, NULL, values, n, &err)
               : ml_result_text(result, info->name, 0, &text, &err);
    if (status != ML_OK)
        require_message(&err);
    free(values);
    ml_error_clear(&err);
}

static void read_arrays(void)
{
    struct ml_error err = {0};
    struct ml_result *result;
    struct ml_array_info info = {.size = sizeof info};
    const enum ml_status status = ml_result_open(OUT, &result, &err);
    require((status == ML_OK) == (result != NULL), "status and result differ", err.text);
    if (status != ML_OK)
        require_message(&err);
    for (int i = 0; result && ml_result_dataset(result, i, &info); i++)
        read_array(result, &info);
    ml_result_free(result);
    ml_error_clear(&err);
}

/* What was read without complaint is as it was made. */
static void end_reading(enum ml_status status, bool is_all, struct ml_error *err)
{
    if (status != ML_OK)
        require_message(err);
    else
        require(may_be_forged || is_made(&made, OUT, is_all), "it is damaged, and was read", OUT);
    ml_error_clear(err);
}

static void read_result(void)
{
    struct ml_error err = {0};
    struct ml_tally tally;
    struct ml_origin origin;
    struct ml_verify_report verified = {.size = sizeof verified};
    struct ml_merge_report merged = {.size = sizeof merged};
    const struct ml_verify_options verify = {
        .size = sizeof verify, .path = OUT, .n_run = 3, .seed = 1, .n_thread = 1};
    const char *const inputs[] = {OUT};
    const struct ml_merge_options merge = {.size = sizeof merge,
                                           .inputs = inputs,
                                           .n_input = 1,
                                           .output = SCRATCH "/merged.h5",
                                           .partial = true};
    end_reading(ml_origin_read(&origin, OUT, &err), false, &err);
    ml_origin_free(&origin);
    end_reading(ml_result_h5_check(OUT, &made.layout, &tally, &err), false, &err);
    end_reading(ml_verify(&verify, &verified, &err), true, &err);
    end_reading(ml_merge(&merge, &merged, &err), true, &err);
}

/* What a command returns must go with a message. */
static void end_command(enum ml_status status, struct ml_error *err)
{
    if (status != ML_OK)
        require_message(err);
    ml_error_clear(err);
}

/* Scripts of pictures; gnuplot is not run. */
static void draw_result(void)
{
    static const char *const whats[] = {NULL, "end_angle", "angle", "stick"};
    struct ml_error err = {0};
    for (size_t i = 0; i < 2 * sizeof whats / sizeof whats[0]; i++) {
        const int64_t run = 4;
        const struct ml_plot_options options = {.size = sizeof options,
                                                .result = OUT,
                                                .may_be_changed = i % 2 == 0,
                                                .what = whats[i / 2],
                                                .runs = &run,
                                                .n_run = i % 2,
                                                .script = SCRATCH "/pictures"};
        end_command(ml_plot(&options, &err), &err);
    }
}

static void invert_result(void)
{
    struct ml_error err = {0};
    struct ml_inverse_report report = {.size = sizeof report};
    const struct ml_inverse_options options = {.size = sizeof options,
                                               .output = SCRATCH "/inverse.h5",
                                               .motion = OUT,
                                               .run = -1,
                                               .n_thread = 1};
    end_command(ml_inverse(made.study, &options, &report, &err), &err);
}

static void notice(void *context, const char *text)
{
    (void)context;
    require_printable(text);
}

static enum ml_status open_out(bool restart, struct ml_store **store, struct ml_error *err)
{
    enum ml_store_state state;
    const struct ml_store_options options = {
        .shard = ML_UNSHARDED, .restart = restart, .notice = notice};
    enum ml_status status = ml_store_open(made.study, OUT, &options, store, &state, err);
    require((status == ML_OK) == (*store != NULL), "status and store differ", err->text);
    if (status != ML_OK)
        require_message(err);
    return status;
}

/* What else there is to do with a result that is there. */
static void use_result(void)
{
    struct ml_error err = {0};
    struct ml_store *store;
    draw_result();
    invert_result();
    (void)open_out(false, &store, &err);
    ml_store_close(store);
    ml_error_clear(&err);
}

/* Starts over; what cannot be told to be a result is left alone. */
static void discard_result(struct bytes file)
{
    struct ml_error err = {0};
    struct ml_store *store;
    if (open_out(true, &store, &err) != ML_OK) {
        struct bytes there = read_file(OUT);
        require(is_same(file, there), "it was refused, and changed", OUT);
        free(there.at);
    }
    ml_store_close(store);
    ml_error_clear(&err);
}

/* What the store has is in the journal, and is what was put. */
static void check_blocks(struct ml_store *store)
{
    struct ml_error err = {0};
    struct ml_journal journal;
    struct ml_part part;
    const struct ml_sink sink = ml_store_sink(store);
    require_ok(ml_journal_open(&journal, &made.layout, PARTS, &err), &err);
    for (int64_t i = 0; i < N_BLOCK; i++) {
        require(sink.has(sink.context, i) == ml_journal_has(&journal, i), "store and journal",
                "differ");
        if (!ml_journal_has(&journal, i))
            continue;
        require_ok(ml_journal_get(&journal, i, &part, &err), &err);
        require(may_be_forged || memcmp(part.bytes, made.parts[i].bytes, part.size) == 0,
                "a block is not what was put", PARTS);
        ml_part_close(&part);
    }
    ml_journal_close(&journal);
}

static void finish(struct ml_store *store)
{
    struct ml_error err = {0};
    for (int64_t n_damaged = 1; n_damaged > 0;) {
        compute(&made, store, N_BLOCK);
        require_ok(ml_store_check(store, &n_damaged), &err);
    }
    enum ml_status status = ml_store_finish(store, made_provenance(), &err);
    if (may_be_forged && status != ML_OK)
        require_message(&err);
    else
        require_ok(status, &err);
    ml_error_clear(&err);
    if (may_be_forged)
        return;
    struct bytes result = read_file(OUT);
    require(is_same(result, made.results[WHOLE]), "it goes on to another result", OUT);
    free(result.at);
    require(access(PARTS, F_OK) != 0, "the parts are still there", PARTS);
}

/* Nothing is left over but what the store keeps there. */
static void check_names(void)
{
    DIR *folder = opendir(PARTS);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        require(!strstr(entry->d_name, ".tmp"), "a temporary file is left", entry->d_name);
    if (folder)
        (void)closedir(folder); /* read only */
}

static void read_parts(bool can_be_refused, bool to_the_end)
{
    struct ml_error err = {0};
    struct ml_store *store;
    int64_t n_damaged;
    enum ml_status status = open_out(false, &store, &err);
    require(can_be_refused || status == ML_OK, "it does not go on", err.text);
    if (status == ML_OK) {
        check_blocks(store);
        const int64_t n = ml_store_blocks_present(store);
        require_ok(ml_store_check(store, &n_damaged), &err);
        require(ml_store_blocks_present(store) == n - n_damaged, "blocks do not add up", OUT);
        if (to_the_end)
            finish(store);
    }
    ml_store_close(store);
    ml_error_clear(&err);
    check_names();
}

static void write_parts(char which, struct bytes file)
{
    make_folder(PARTS);
    write_file(PARTS "/blocks-1", which == 'j' || which == 'f' ? file : made.journal);
    write_file(PARTS "/identity.yaml", which == 'i' ? file : made.identity);
    write_file(PARTS "/trajectories", which == 't' ? file : made.trajectories);
}

/* false if the letter is none. */
static bool read_file_of(char letter, struct bytes file)
{
    const char small = (char)(letter | 0x20);
    may_be_forged = small == 'f' || small == 'v' || small == 's';
    if (small == 'r') {
        write_file(OUT, file);
    } else if (letter == 'v' && file.size > 0) {
        reseal(&made, file.at[0] % N_RESULT, (struct bytes){file.at + 1, file.size - 1});
    } else if (letter == 's' && file.size > 0) {
        restructure(&made, file.at[0] % N_RESULT, (struct bytes){file.at + 1, file.size - 1});
    } else if (small == 'j' || small == 'f' || small == 'i' || small == 't') {
        write_parts(small, file);
    } else {
        return false;
    }
    print_pages();
    read_arrays();
    if (letter == 'R')
        discard_result(file);
    else if (small == 's' && file.at[0] > 127)
        use_result();
    else if (small == 'r' || small == 'v' || small == 's')
        read_result();
    else
        read_parts(small == 'i', letter != small);
    return true;
}

/* Files and folders that are open; libFuzzer has pipes. */
static int count_files(void)
{
    struct stat about;
    int n = 0;
    for (int file = 0; file < FD_SETSIZE; file++)
        n += fstat(file, &about) == 0 && (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode));
    return n;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    may_be_forged = true;
    make(&made);
    write_made(&made);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int n_file = count_files();
    if (size == 0)
        return -1;
    clear_scratch();
    if (!read_file_of((char)data[0], (struct bytes){(uint8_t *)data + 1, size - 1}))
        return -1;
    require(count_files() == n_file, "a file is left open", NULL);
    return 0;
}
