/* What the store promises about interruption, other studies and bad places. */
#include "store/store.h"

#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "check.h"
#include "engine/team/team.h"
#include "fixture.h"

/* HDF5 1.10.8 crashes when a file with a dataset that cannot be written is closed, so the store
 * leaves such a file open: its memory is lost, and the leak sanitizer is not to report that. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

static struct ml_store *open_store(const struct fixture *f, enum ml_store_state expected)
{
    struct ml_store *store;
    enum ml_store_state state;
    struct ml_error err = {0};
    CHECK(fixture_open(&f->study, f->path, &store, &state, &err) == ML_OK);
    CHECK(store && state == expected);
    if (err.text)
        check_fail_(__FILE__, __LINE__, err.text);
    ml_error_clear(&err);
    return store;
}

/* Opening fails with this status and these words. */
static void refuses(const struct ml_study *study, const char *path, enum ml_status expected,
                    const char *words)
{
    struct ml_store *store;
    enum ml_store_state state;
    struct ml_error err = {0};
    CHECK(fixture_open(study, path, &store, &state, &err) == expected);
    CHECK(!store);
    CHECK(err.text && strstr(err.text, words));
    if (err.text && !strstr(err.text, words))
        (void)fputs(err.text, stderr);
    ml_error_clear(&err);
    ml_store_close(store);
}

static void finish(const struct fixture *f, struct ml_store *store)
{
    struct ml_error err = {0};
    CHECK(ml_store_finish(store, fixture_provenance(), &err) == ML_OK);
    if (err.text)
        check_fail_(__FILE__, __LINE__, err.text);
    ml_error_clear(&err);
    CHECK(access(f->path, R_OK) == 0);
}

static int folder_is_gone(const struct fixture *f)
{
    char parts[160];
    (void)snprintf(parts, sizeof parts, "%s.parts", f->path);
    return access(parts, F_OK) != 0;
}

static void an_interrupted_store_goes_on_where_it_was(void)
{
    struct fixture f;
    struct ml_error err = {0};
    fixture_init(&f, FIXTURE_GRID);
    struct ml_store *store = open_store(&f, ML_STORE_NEW);
    CHECK(ml_store_blocks_present(store) == 0);
    CHECK(fixture_write(&f, store, 1, 2, 4, &err) == ML_OK);
    CHECK(ml_store_finish(store, fixture_provenance(), &err) == ML_E_FILE);
    CHECK(err.text && strstr(err.text, "7 of 11 blocks are missing"));
    ml_error_clear(&err);
    ml_store_close(store);

    store = open_store(&f, ML_STORE_RESUMED);
    struct ml_sink sink = ml_store_sink(store);
    CHECK(ml_store_blocks_present(store) == 4);
    for (int64_t i = 0; i < 11; i++)
        CHECK(sink.has(sink.context, i) == (i % 2 == 1 && i < 8));
    CHECK(fixture_write(&f, store, 0, 1, 11, &err) == ML_OK);
    finish(&f, store);
    CHECK(folder_is_gone(&f));
    ml_store_close(store);
    fixture_remove(&f);
}

static void a_finished_result_is_left_alone(void)
{
    struct fixture f;
    struct stat before, after;
    fixture_init(&f, FIXTURE_LOG);
    struct ml_store *store = open_store(&f, ML_STORE_NEW);
    CHECK(fixture_write(&f, store, 0, 1, 5, NULL) == ML_OK);
    finish(&f, store);
    struct ml_tally tally = ml_store_tally(store);
    ml_store_close(store);
    CHECK(stat(f.path, &before) == 0);

    store = open_store(&f, ML_STORE_DONE);
    struct ml_sink sink = ml_store_sink(store);
    for (int64_t i = 0; i < 5; i++)
        CHECK(sink.has(sink.context, i));
    struct ml_tally again = ml_store_tally(store);
    for (int i = 0; i < ML_N_OUTCOME; i++)
        CHECK(tally.count[i].runs == again.count[i].runs);
    CHECK(tally.count[ML_FINISHED].runs == 33);
    finish(&f, store);
    ml_store_close(store);
    CHECK(stat(f.path, &after) == 0 && before.st_ino == after.st_ino);

    f.study.resolved = (char *)"manylink: 1\ntitle: a\ntime:\n  end: 21\n";
    refuses(&f.study, f.path, ML_E_OTHER_STUDY, "line 4");
    refuses(&f.study, f.path, ML_E_OTHER_STUDY, "end: 20\n");
    refuses(&f.study, f.path, ML_E_OTHER_STUDY, "end: 21\n");
    CHECK(stat(f.path, &after) == 0 && before.st_ino == after.st_ino);
    fixture_remove(&f);
}

static void a_corrected_title_makes_no_other_study(void)
{
    struct fixture f;
    fixture_init(&f, FIXTURE_LOG);
    struct ml_store *store = open_store(&f, ML_STORE_NEW);
    CHECK(fixture_write(&f, store, 0, 1, 3, NULL) == ML_OK);
    ml_store_close(store);
    f.study.resolved = (char *)"manylink: 1\ntitle: another\ntime:\n  end: 20\n";
    store = open_store(&f, ML_STORE_RESUMED);
    CHECK(fixture_write(&f, store, 3, 1, 2, NULL) == ML_OK);
    finish(&f, store);
    ml_store_close(store);
    f.study.resolved = (char *)"manylink: 1\ntitle: \"\"\ntime:\n  end: 20\n";
    ml_store_close(open_store(&f, ML_STORE_DONE));
    f.study.resolved = (char *)"manylink: 1\ntime:\n  end: 20\n";
    refuses(&f.study, f.path, ML_E_OTHER_STUDY, "line 2");
    fixture_remove(&f);
}

static void parts_left_beside_a_finished_result_are_cleared(void)
{
    struct fixture f;
    char copy[320];
    fixture_init(&f, FIXTURE_SINGLE);
    struct ml_store *store = open_store(&f, ML_STORE_NEW);
    CHECK(fixture_write(&f, store, 0, 1, 1, NULL) == ML_OK);
    (void)snprintf(copy, sizeof copy, "cp -r %s.parts %s/kept", f.path, f.folder);
    CHECK(system(copy) == 0);
    finish(&f, store);
    ml_store_close(store);
    (void)snprintf(copy, sizeof copy, "mv %s/kept %s.parts", f.folder, f.path);
    CHECK(system(copy) == 0 && !folder_is_gone(&f));
    ml_store_close(open_store(&f, ML_STORE_DONE));
    CHECK(folder_is_gone(&f));
    fixture_remove(&f);
}

static void parts_of_another_study_are_refused(void)
{
    struct fixture f;
    fixture_init(&f, FIXTURE_GRID);
    struct ml_store *store = open_store(&f, ML_STORE_NEW);
    CHECK(fixture_write(&f, store, 0, 1, 2, NULL) == ML_OK);
    ml_store_close(store);
    f.study.ensemble.block_runs = 16;
    refuses(&f.study, f.path, ML_E_OTHER_STUDY, "blocks of another size");
    refuses(&f.study, f.path, ML_E_OTHER_STUDY, "blocks of 8 of 84 runs\n");
    refuses(&f.study, f.path, ML_E_OTHER_STUDY, "blocks of 16 of 84 runs\n");
    f.study.resolved = (char *)"manylink: 1\ntitle: a\ntime:\n  end: 21\n";
    refuses(&f.study, f.path, ML_E_OTHER_STUDY, "end: 20\n");
    char command[320];
    (void)snprintf(command, sizeof command, "sed -i '1s/link [^,]*/link 9.9/' %s.parts/*.yaml",
                   f.path);
    CHECK(system(command) == 0);
    refuses(&f.study, f.path, ML_E_OTHER_STUDY, "another version");
    (void)snprintf(command, sizeof command, "sed -i '1s/9.9/9\\x1b9/' %s.parts/*.yaml", f.path);
    CHECK(system(command) == 0);
    refuses(&f.study, f.path, ML_E_OTHER_STUDY, "link 9?9");
    (void)snprintf(command, sizeof command, "rm %s.parts/*.yaml", f.path);
    CHECK(system(command) == 0);
    refuses(&f.study, f.path, ML_E_OTHER_STUDY, "no identity.yaml");
    fixture_remove(&f);
}

/* Runs a shell command on the journal and expects finish to fail with `words`; the store opened
 * again lacks the blocks from `first` on, and with them all is well. */
static void finish_fails_after(const char *damage, const char *words, int64_t first, int64_t n)
{
    struct fixture f;
    struct ml_error err = {0};
    char command[640];
    CHECK_CASE("%s", damage);
    fixture_init(&f, FIXTURE_GRID);
    fixture_save(&f, 1, INT64_MAX);
    struct ml_store *store = open_store(&f, ML_STORE_NEW);
    CHECK(fixture_write(&f, store, 0, 1, 11, NULL) == ML_OK);
    (void)snprintf(command, sizeof command, "cd %s.parts && J=$(ls blocks-*) && %s", f.path,
                   damage);
    CHECK(system(command) == 0);
    CHECK(ml_store_finish(store, fixture_provenance(), &err) == ML_E_FILE);
    CHECK(err.text && strstr(err.text, words));
    if (err.text && !strstr(err.text, words))
        (void)fputs(err.text, stderr);
    CHECK(access(f.path, F_OK) != 0);
    (void)snprintf(command, sizeof command, "test -z \"$(ls %s.parts | grep tmp)\"", f.path);
    CHECK(system(command) == 0);
    ml_error_clear(&err);
    ml_store_close(store);
    store = open_store(&f, ML_STORE_RESUMED);
    CHECK(ml_store_blocks_present(store) == 11 - n);
    CHECK(fixture_write(&f, store, first, 1, n, NULL) == ML_OK);
    finish(&f, store);
    ml_store_close(store);
    fixture_remove(&f);
    CHECK_CASE("%s", "");
}

static void what_is_damaged_is_made_again(void)
{
    finish_fails_after("truncate -s -100 $J", "it ends early", 10, 1);
    finish_fails_after("printf x | dd of=$J bs=1 seek=10 conv=notrunc 2>/dev/null",
                       "block 0: it holds other runs", 0, 1);
    finish_fails_after("printf xyz | dd of=$J bs=1 seek=100 conv=notrunc 2>/dev/null",
                       "block 0: its checksum", 0, 1);
}

static void set_file_limit(rlim_t bytes)
{
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    limit.rlim_cur = bytes;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

/* Puts blocks 0 .. n - 1 of a grid with trajectories and closes the store; the next one finds them.
 */
static void write_and_close(struct fixture *f, int64_t n)
{
    fixture_init(f, FIXTURE_GRID);
    fixture_save(f, 1, INT64_MAX);
    struct ml_store *store = open_store(f, ML_STORE_NEW);
    CHECK(fixture_write(f, store, 0, 1, n, NULL) == ML_OK);
    ml_store_close(store);
}

/* Flips a bit in the 13th byte of where `sought` is in a file. */
static void flip(const char *path, const void *sought, size_t length)
{
    static char bytes[1 << 20];
    FILE *file = fopen(path, "r+b");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0, at = 0;
    for (size_t i = 0; i + length <= size && at == 0; i++)
        if (memcmp(bytes + i, sought, length) == 0)
            at = i + 13;
    CHECK(at > 0);
    CHECK(file && fseek(file, (long)at, SEEK_SET) == 0 && fputc(bytes[at] ^ 1, file) != EOF);
    CHECK(file && fclose(file) == 0);
}

static void keep_notice(void *context, const char *text)
{
    (void)snprintf(context, 400, "%s", text);
}

/* Opens what was put again and expects a notice with these words, or none; block 5, made again,
 * heals. */
static void block_5_is_missed(struct fixture *f, const char *words)
{
    struct ml_error err = {0};
    struct ml_store *store;
    enum ml_store_state state;
    char said[400] = "";
    const struct ml_store_options options = {
        .shard = ML_UNSHARDED, .notice = keep_notice, .context = said};
    int64_t n_damaged;
    CHECK(ml_store_open(&f->study, f->path, &options, &store, &state, &err) == ML_OK);
    CHECK(fixture_write(f, store, 10, 1, 1, NULL) == ML_OK);
    CHECK(ml_store_check(store, &n_damaged) == ML_OK && n_damaged == (words != NULL));
    CHECK(!words || strstr(said, words));
    struct ml_sink sink = ml_store_sink(store);
    for (int64_t i = 0; i < 11; i++)
        CHECK(sink.has(sink.context, i) == (i != 5));
    CHECK(ml_store_finish(store, fixture_provenance(), &err) == ML_E_FILE);
    CHECK(err.text && strstr(err.text, "1 of 11 blocks are missing"));
    ml_error_clear(&err);
    CHECK(fixture_write(f, store, 5, 1, 1, NULL) == ML_OK);
    finish(f, store);
    ml_store_close(store);
}

/* One flipped bit in a saved trajectory or in its checksum is found when the study goes on. */
static void no_flipped_bit_reaches_the_result(void)
{
    for (int i = 0; i < 3; i++) {
        struct fixture f;
        char path[320], command[320];
        CHECK_CASE("flipped bit %d", i);
        write_and_close(&f, 10);
        struct ml_block block = fixture_block(&f, 5);
        uint64_t sum = XXH3_64bits(block.records[0], sizeof(double) * 2 * 10);
        (void)snprintf(command, sizeof command, "cd %s.parts && mv blocks-* blocks-it", f.path);
        CHECK(system(command) == 0);
        (void)snprintf(path, sizeof path, "%s.parts/%s", f.path,
                       i < 2 ? "trajectories" : "blocks-it");
        if (i < 2)
            flip(path, block.records[i], sizeof(double) * 10);
        else
            flip(path, &sum, sizeof sum);
        block_5_is_missed(&f, i < 2 ? "of run 40: the checksum" : NULL);
        fixture_block_free(&block);
        fixture_remove(&f);
    }
    CHECK_CASE("%s", "");
}

/* The file ends in the last dataset, with the last run of the last block that was put. */
static void trajectories_that_are_gone_are_missed(void)
{
    struct fixture f;
    struct stat about;
    char path[320];
    write_and_close(&f, 6);
    (void)snprintf(path, sizeof path, "%s.parts/trajectories", f.path);
    CHECK(stat(path, &about) == 0 && truncate(path, about.st_size - 8) == 0);
    struct ml_store *store = open_store(&f, ML_STORE_RESUMED);
    CHECK(fixture_write(&f, store, 6, 1, 4, NULL) == ML_OK); /* fills the gap with zeros */
    ml_store_close(store);
    block_5_is_missed(&f, "of run 47: the checksum");
    fixture_remove(&f);

    write_and_close(&f, 6);
    (void)snprintf(path, sizeof path, "%s.parts/trajectories", f.path);
    CHECK(unlink(path) == 0);
    refuses(&f.study, f.path, ML_E_FILE, "trajectories: is missing");
    fixture_remove(&f);
}

static struct ml_store *finished_reference(struct fixture *g)
{
    fixture_init(g, FIXTURE_GRID);
    fixture_save(g, 1, INT64_MAX);
    struct ml_store *whole = open_store(g, ML_STORE_NEW);
    CHECK(fixture_write(g, whole, 0, 1, 11, NULL) == ML_OK);
    finish(g, whole);
    return whole;
}

/* While the rest is being copied around the trajectories the process may end: whatever is there of
 * it by then does not matter. */
static void an_interrupted_finish_is_done_again(void)
{
    struct fixture f, g;
    char command[700];
    ml_store_close(finished_reference(&g));
    static const char *const left[] = {
        "dd if=%s of=%s.parts/trajectories bs=1000 count=1 conv=notrunc 2>dd.out",
        "head -c 70000 %s | cat >%s.parts/result.here-1.tmp",
        "head -c 2000 /dev/urandom | dd of=%2$s.parts/trajectories conv=notrunc 2>dd.out; : %1$s",
        "tail -c 5000 %s >>%s.parts/trajectories",
    };
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        CHECK_CASE("%s", left[i]);
        write_and_close(&f, 11);
        (void)snprintf(command, sizeof command, left[i], g.path, f.path);
        CHECK(system(command) == 0);
        struct ml_store *store = open_store(&f, ML_STORE_RESUMED);
        finish(&f, store);
        CHECK(folder_is_gone(&f));
        ml_store_close(store);
        (void)snprintf(command, sizeof command, "cmp %s %s", f.path, g.path);
        CHECK(system(command) == 0);
        fixture_remove(&f);
    }
    (void)unlink("dd.out");
    fixture_remove(&g);
    CHECK_CASE("%s", "");
}

/* No room for a block's trajectories: an error that names the file, and nothing of it is there. */
static void trajectories_that_do_not_fit_are_an_error(void)
{
    struct fixture f;
    struct stat about;
    struct ml_error err = {0};
    fixture_init(&f, FIXTURE_GRID);
    fixture_save(&f, 1, INT64_MAX);
    struct ml_store *store = open_store(&f, ML_STORE_NEW);
    CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    CHECK(fixture_write(&f, store, 0, 1, 3, NULL) == ML_OK);
    char path[320];
    (void)snprintf(path, sizeof path, "%s.parts/trajectories", f.path);
    CHECK(stat(path, &about) == 0);
    set_file_limit((rlim_t)about.st_size + 100);
    struct ml_sink sink = ml_store_sink(store);
    CHECK(fixture_write(&f, store, 3, 1, 1, &err) == ML_E_FILE);
    set_file_limit(RLIM_INFINITY);
    CHECK(signal(SIGXFSZ, SIG_DFL) != SIG_ERR);
    CHECK(err.text && strstr(err.text, "parts/trajectories: cannot be written: File too large"));
    ml_error_clear(&err);
    CHECK(!sink.has(sink.context, 3) && ml_store_blocks_present(store) == 3);
    CHECK(fixture_write(&f, store, 3, 1, 8, &err) == ML_OK); /* there is room again */
    finish(&f, store);
    ml_store_close(store);
    fixture_remove(&f);
}

static void bad_places_are_named(void)
{
    struct fixture f;
    char path[700], name[300];
    fixture_init(&f, FIXTURE_GRID);
    const struct ml_study *study = &f.study;
    refuses(study, f.folder, ML_E_FILE, "is a folder");
    refuses(study, "", ML_E_FILE, "empty name");
    refuses(study, "/dev/null", ML_E_FILE, "not an ordinary file");
    (void)snprintf(path, sizeof path, "%s/nowhere/out.h5", f.folder);
    refuses(study, path, ML_E_FILE, "No such file or directory");
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    (void)snprintf(path, sizeof path, "%s/%s", f.folder, name);
    refuses(study, path, ML_E_FILE, "name too long");
    name[252] = '\0'; /* fits, but not with .parts */
    (void)snprintf(path, sizeof path, "%s/%s", f.folder, name);
    refuses(study, path, ML_E_FILE, "name too long");
    if (geteuid() != 0) {
        CHECK(chmod(f.folder, 0500) == 0);
        refuses(study, f.path, ML_E_FILE, "Permission denied");
        CHECK(chmod(f.folder, 0700) == 0);
    }
    FILE *file = fopen(f.path, "w");
    CHECK(fputs("my thesis\n", file) >= 0 && fclose(file) == 0);
    refuses(study, f.path, ML_E_INPUT, "not a manylink result");
    CHECK(folder_is_gone(&f));
    fixture_remove(&f);
}

/* No room for a part: an error that names the file, and it is not there. */
static void a_part_that_does_not_fit_is_an_error(void)
{
    struct fixture f;
    struct ml_error err = {0};
    fixture_init(&f, FIXTURE_GRID);
    struct ml_store *store = open_store(&f, ML_STORE_NEW);
    CHECK(fixture_write(&f, store, 0, 1, 2, NULL) == ML_OK);
    CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    set_file_limit(1500); /* the third part is cut off */
    CHECK(fixture_write(&f, store, 2, 1, 1, &err) == ML_E_FILE);
    set_file_limit(RLIM_INFINITY);
    CHECK(signal(SIGXFSZ, SIG_DFL) != SIG_ERR);
    CHECK(err.text && strstr(err.text, "/blocks-") &&
          strstr(err.text, "cannot be written: File too large"));
    ml_error_clear(&err);
    CHECK(ml_store_blocks_present(store) == 2);
    CHECK(fixture_write(&f, store, 2, 1, 9, NULL) == ML_OK); /* there is room again */
    finish(&f, store);
    ml_store_close(store);
    fixture_remove(&f);
}

/* There is room again after one write that failed. */
static void make_room(int signal_number)
{
    (void)signal_number;
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_FSIZE, &limit);
    }
}

/* Finishes the store with room for `limit` bytes. */
static void finish_fails_with_room_for(const struct fixture *f, struct ml_store *store,
                                       rlim_t limit, int64_t n_block)
{
    struct ml_error err = {0};
    set_file_limit(limit);
    enum ml_status status = ml_store_finish(store, fixture_provenance(), &err);
    set_file_limit(RLIM_INFINITY);
    CHECK(status == ML_E_FILE);
    CHECK(err.text && strstr(err.text, "out.h5.parts/result") &&
          strstr(err.text, "File too large"));
    if (err.text && !strstr(err.text, "File too large"))
        check_fail_(__FILE__, __LINE__, err.text);
    ml_error_clear(&err);
    CHECK(access(f->path, F_OK) != 0);
    CHECK(ml_store_blocks_present(store) == n_block);
}

/* Every piece of the final file in turn does not fit: once only, or it and all that follows. */
static void no_write_that_fails_is_lost(void)
{
    /* bytes: closer when each tells another story; sanitizers, which see how memory is used after a
     * write that failed, wherever it was, make all of this ten times as slow */
    const char *sanitizers = getenv("SANITIZE");
    const rlim_t scale = sanitizers && *sanitizers ? 8 : 1, apart[] = {16381 * scale, 4093 * scale};
    static const enum fixture_sweep sweeps[] = {FIXTURE_TOGETHER, FIXTURE_SAMPLE};
    for (int i = 0; i < 4; i++) {
        struct fixture f, g;
        struct stat reference;
        char command[320];
        fixture_init(&f, sweeps[i / 2]);
        fixture_init(&g, sweeps[i / 2]);
        fixture_save(&f, 2, INT64_MAX);
        fixture_save(&g, 2, INT64_MAX);
        int64_t n_block = ml_ensemble_blocks(&f.study.ensemble);
        struct ml_store *whole = open_store(&g, ML_STORE_NEW);
        CHECK(fixture_write(&g, whole, 0, 1, n_block, NULL) == ML_OK);
        finish(&g, whole);
        ml_store_close(whole);
        CHECK(stat(g.path, &reference) == 0);

        struct ml_store *store = open_store(&f, ML_STORE_NEW);
        CHECK(fixture_write(&f, store, 0, 1, n_block, NULL) == ML_OK);
        CHECK(signal(SIGXFSZ, i % 2 ? make_room : SIG_IGN) != SIG_ERR);
        for (rlim_t limit = 0; limit < (rlim_t)reference.st_size; limit += apart[i % 2]) {
            CHECK_CASE("sweep %d, room for %lld of %lld bytes%s", (int)sweeps[i / 2],
                       (long long)limit, (long long)reference.st_size, i % 2 ? ", once" : "");
            finish_fails_with_room_for(&f, store, limit, n_block);
        }
        CHECK(signal(SIGXFSZ, SIG_DFL) != SIG_ERR);
        finish(&f, store);
        ml_store_close(store);
        (void)snprintf(command, sizeof command, "cmp %s %s", f.path, g.path);
        CHECK(system(command) == 0);
        fixture_remove(&g);
        fixture_remove(&f);
    }
    CHECK_CASE("%s", "");
}

static void names_that_clash_are_refused_before_any_work(void)
{
    static const char *const names[] = {"segment", "energy_drift", "a/b",
                                        "",        "a ",           "system.segments.lower.mass"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct fixture f;
        CHECK_CASE("%s", names[i]);
        fixture_init(&f, FIXTURE_GRID);
        f.axes[0].name = (char *)names[i];
        refuses(&f.study, f.path, ML_E_INPUT, names[i]);
        CHECK(folder_is_gone(&f));
        fixture_remove(&f);
    }
}

int main(void)
{
    (void)H5dont_atexit(); /* it crashes after files that could not be written */
    an_interrupted_store_goes_on_where_it_was();
    a_finished_result_is_left_alone();
    a_corrected_title_makes_no_other_study();
    parts_left_beside_a_finished_result_are_cleared();
    parts_of_another_study_are_refused();
    what_is_damaged_is_made_again();
    no_flipped_bit_reaches_the_result();
    trajectories_that_are_gone_are_missed();
    an_interrupted_finish_is_done_again();
    trajectories_that_do_not_fit_are_an_error();
    bad_places_are_named();
    a_part_that_does_not_fit_is_an_error();
    no_write_that_fails_is_lost();
    names_that_clash_are_refused_before_any_work();
    return check_done();
}
