/* A small study, and what the store makes of it: its results, and the parts of one that was
 * interrupted. They are the same bytes in every process, for seeds are made of them in another. */
#ifndef FUZZ_GENERATED_RESULTS_H
#define FUZZ_GENERATED_RESULTS_H

#include "engine/team/team.h"
#include "manylink/study.h"
#include "scratch.h"
#include "store/journal.h"
#include "store/seal.h"
#include "store/store.h"
#include "store/trajectories.h"
#include "store/work_folder.h"
#include "study.h"

#define OUT SCRATCH "/out.h5"
#define PARTS OUT ".parts"

enum {
    N_BLOCK = 5,
    N_THERE = 3, /* blocks that are done in what was interrupted */
    N_RECORD = 2,
};
enum result { WHOLE, SHARD, PARTIAL, N_RESULT };

struct made {
    struct ml_study *study;
    struct ml_layout layout;
    struct ml_offsets offsets; /* in every result */
    unsigned long long address[N_RECORD];
    struct ml_part parts[N_BLOCK]; /* as they were put */
    struct bytes journal, identity, trajectories;
    struct bytes results[N_RESULT];
};

static const char made_study[] = "manylink: 1\n"
                                 "system:\n"
                                 "  type: chain\n"
                                 "  segments: [{name: a, length: 1, mass: 1},\n"
                                 "             {name: b, length: 0.5, mass: 1}]\n"
                                 "time: {step: 0.01, end: 0.05}\n"
                                 "sweep: [{set: initial.angle.a, from: 0, to: 1, count: 72}]\n"
                                 "save:\n"
                                 "  trajectory:\n"
                                 "    quantities: [angle, end_position]\n"
                                 "    runs: {every: 2}\n";

static inline const struct ml_provenance *made_provenance(void)
{
    static const struct ml_provenance provenance = {
        .version = "0",
        .compiler = "one",
        .isa = "one",
        .host = "here",
        .threads = 1,
        .start_time = "2001-02-03T04:05:06Z",
        .end_time = "2001-02-03T04:05:07Z",
    };
    return &provenance;
}

static inline void require_ok(enum ml_status status, struct ml_error *err)
{
    require(status == ML_OK, "a failure", err->text);
    ml_error_clear(err);
}

/* Of a store, the blocks below n. */
struct first_blocks {
    struct ml_sink sink;
    int64_t n;
};

static inline bool first_has(void *context, int64_t block)
{
    const struct first_blocks *first = context;
    return block >= first->n || first->sink.has(first->sink.context, block);
}

static inline enum ml_status first_write(void *context, const struct ml_block *block,
                                         struct ml_error *err)
{
    const struct first_blocks *first = context;
    return first->sink.put(first->sink.context, block, err);
}

/* Puts what is missing of blocks 0 .. n - 1. */
static inline void compute(const struct made *made, struct ml_store *store, int64_t n)
{
    struct ml_error err = {0};
    struct first_blocks first = {ml_store_sink(store), n};
    const struct ml_sink sink = {&first, first_has, first_write};
    require_ok(ml_ensemble_run(&made->study->ensemble, &(struct ml_ensemble_options){.n_thread = 1},
                               &sink, &err),
               &err);
}

static inline struct ml_store *open_made(const struct made *made, struct ml_shard shard)
{
    struct ml_error err = {0};
    struct ml_store *store;
    enum ml_store_state state;
    const struct ml_store_options options = {.shard = shard};
    require_ok(ml_store_open(made->study, OUT, &options, &store, &state, &err), &err);
    require(state == ML_STORE_NEW, "something is there", OUT);
    return store;
}

/* A result with the first n blocks. */
static inline struct bytes make_result(const struct made *made, struct ml_shard shard, int64_t n)
{
    struct ml_error err = {0};
    clear_scratch();
    struct ml_store *store = open_made(made, shard);
    compute(made, store, n);
    require_ok(ml_store_fill(store, &err), &err);
    require_ok(ml_store_finish(store, made_provenance(), &err), &err);
    ml_store_close(store);
    return read_file(OUT);
}

static inline void take_journal(void *context, const char *path)
{
    *(struct bytes *)context = read_file(path);
}

static inline void make_parts(struct made *made)
{
    struct ml_error err = {0};
    struct ml_journal journal;
    clear_scratch();
    struct ml_store *store = open_made(made, ML_UNSHARDED);
    compute(made, store, N_THERE);
    require_ok(ml_work_folder_each_journal(PARTS, take_journal, &made->journal, &err), &err);
    made->identity = read_file(PARTS "/identity.yaml");
    made->trajectories = read_file(PARTS "/trajectories");
    compute(made, store, N_BLOCK);
    require_ok(ml_journal_open(&journal, &made->layout, PARTS, &err), &err);
    for (int i = 0; i < N_BLOCK; i++)
        require_ok(ml_journal_get(&journal, i, &made->parts[i], &err), &err);
    ml_journal_close(&journal);
    ml_store_close(store);
}

static inline void make(struct made *made)
{
    struct ml_error err = {0};
    require_ok(ml_study_load(STUDY_TEXT("study.yaml", made_study), &made->study, &err), &err);
    ml_layout_init(&made->layout, made->study);
    require(made->layout.n_block == N_BLOCK, "the study has not so many blocks", made_study);
    clear_scratch();
    made->offsets.address = made->address;
    require_ok(ml_offsets_find(&made->layout, SCRATCH, &made->offsets, &err), &err);
    make_parts(made);
    made->results[WHOLE] = make_result(made, ML_UNSHARDED, N_BLOCK);
    made->results[SHARD] = make_result(made, (struct ml_shard){0, 2}, N_BLOCK);
    made->results[PARTIAL] = make_result(made, ML_UNSHARDED, N_THERE);
}

/* Writes it all into the folder ./made: what seeds are made of. */
static inline void write_made(const struct made *made)
{
    make_folder("made");
    write_file("made/whole", made->results[WHOLE]);
    write_file("made/shard", made->results[SHARD]);
    write_file("made/partial", made->results[PARTIAL]);
    write_file("made/journal", made->journal);
    write_file("made/identity", made->identity);
    write_file("made/trajectories", made->trajectories);
}

static inline const uint8_t *seal_of(const struct made *made, int i)
{
    return made->results[i].at + made->offsets.seal;
}

/* Whether what is taken for the seal of a file, which is the first of its kind, was made here. */
static inline bool has_made_seal(const struct made *made, const char *path)
{
    const size_t at = made->offsets.seal, size = ml_seal_words(N_RECORD) * sizeof(uint64_t);
    struct bytes file = read_file(path);
    size_t first = 0;
    while (first + size <= file.size && memcmp(file.at + first, seal_of(made, 0), 8) != 0)
        first++;
    bool is_made = false;
    for (int i = 0; i < N_RESULT && first == at && at + size <= file.size; i++)
        is_made = is_made || memcmp(file.at + at, seal_of(made, i), size) == 0;
    free(file.at);
    return is_made;
}

/* The same of what a part ends in. */
static inline bool has_made_checksum(const struct made *made, const void *bytes, size_t size)
{
    const char *end = (const char *)bytes + size - sizeof(uint64_t);
    for (int i = 0; i < N_BLOCK; i++)
        if (memcmp(end, made->parts[i].bytes + made->parts[i].size - sizeof(uint64_t),
                   sizeof(uint64_t)) == 0)
            return true;
    return false;
}

/* Whether a result that was made has these bytes: all, or all but its trajectories. */
static inline bool is_made(const struct made *made, const char *path, bool is_all)
{
    struct bytes file = read_file(path);
    bool is_known = false;
    for (int i = 0; i < N_RESULT; i++) {
        const struct bytes result = made->results[i];
        struct ml_seal_range skipped[N_RECORD];
        memcpy(skipped, seal_of(made, i) + ML_SEAL_HEAD * sizeof(uint64_t), sizeof skipped);
        for (int k = 0; k < N_RECORD && !is_all && file.size == result.size; k++)
            memcpy(file.at + skipped[k].at, result.at + skipped[k].at, skipped[k].size);
        is_known = is_known || is_same(file, result);
    }
    free(file.at);
    return is_known;
}

#endif
