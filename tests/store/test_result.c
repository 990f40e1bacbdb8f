/* What went in comes out: blocks put in any order, read back from the final file. */
#include "store/result.h"

#include <xxhash.h>

#include "check.h"
#include "fixture.h"
#include "manylink/result.h"

/* Whole dataset as doubles, to be freed; n is the number of elements. */
static double *read_numbers(struct ml_h5 *h5, hid_t file, const char *name, unsigned long long *n)
{
    hid_t id = ml_h5_check(h5, H5Dopen2(file, name, H5P_DEFAULT), name);
    struct ml_extent extent = ml_h5_extent(h5, id);
    *n = h5->status == ML_OK ? 1 : 0;
    for (int k = 0; k < extent.rank; k++)
        *n *= extent.size[k];
    double *values = malloc((*n + 1) * sizeof *values);
    ml_h5_read_range(h5, id, &extent, H5T_NATIVE_DOUBLE, 0, *n, values);
    (void)H5Dclose(id);
    return values;
}

static uint64_t bits(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static bool same_bits(double a, double b) { return bits(a) == bits(b); }

static void check_runs(struct ml_h5 *h5, hid_t file, const struct fixture *f)
{
    static const char *const names[] = {"run", "outcome", "end_time", "steps"};
    for (int c = 0; c < 4; c++) {
        char name[64];
        unsigned long long n;
        (void)snprintf(name, sizeof name, "/study/runs/%s", names[c]);
        double *observed = read_numbers(h5, file, name, &n);
        CHECK(n == (unsigned long long)f->study.ensemble.n_run);
        for (unsigned long long r = 0; r < n; r++) {
            double x = (double)r;
            double expected[] = {x, fixture_outcome((int64_t)r), 0.5 * x, 1000.0 + x};
            CHECK(observed[r] == expected[c]);
        }
        free(observed);
    }
}

static void check_outputs(struct ml_h5 *h5, hid_t file, const struct fixture *f)
{
    const struct ml_results results = f->study.results;
    CHECK(results.n_output > 1);
    for (int i = 0; i < results.n_output; i++) {
        char name[128];
        unsigned long long n;
        (void)snprintf(name, sizeof name, "/study/summary/%s", results.outputs[i].name);
        double *observed = read_numbers(h5, file, name, &n);
        int rows = ml_output_rows(&results.outputs[i], 2);
        CHECK(n == (unsigned long long)(f->study.ensemble.n_run * rows));
        for (unsigned long long j = 0; j < n; j++)
            CHECK(same_bits(observed[j], fixture_output((int64_t)j / rows, i, (int)j % rows)));
        free(observed);
    }
}

static void check_records(struct ml_h5 *h5, hid_t file, const struct fixture *f)
{
    const struct ml_ensemble *e = &f->study.ensemble;
    for (int kept = 0; kept < ml_saving_records(&e->saving); kept++) {
        const int i = e->saving.records[kept];
        char name[64];
        unsigned long long n, n_time, k = 0;
        (void)snprintf(name, sizeof name, "/study/trajectories/%s",
                       e->model.system->tables.records[i].name);
        double *observed = read_numbers(h5, file, name, &n);
        double *time = read_numbers(h5, file, "/study/trajectories/time", &n_time);
        int64_t rows = ml_quantity_rows(&e->model.system->tables.records[i], 2);
        CHECK(n_time == 10);
        for (unsigned long long j = 0; j < n_time; j++)
            CHECK(same_bits(time[j], fma(10.0 * (double)j, 0.1, e->time.start)));
        for (int64_t run = 0; run < e->n_run; run++)
            for (int64_t j = 0; j < rows * 10 && ml_saving_keeps(&e->saving, run); j++, k++)
                CHECK(k < n &&
                      same_bits(observed[k], fixture_record(run, i, (int)(j / 10), j % 10)));
        CHECK(k == n);
        free(time);
        free(observed);
    }
}

/* The checksums that everybody can verify: of the bytes that are in the file. */
static void check_checksums(struct ml_h5 *h5, hid_t file, const struct fixture *f)
{
    const struct ml_ensemble *e = &f->study.ensemble;
    for (int kept = 0; kept < ml_saving_records(&e->saving); kept++) {
        const int i = e->saving.records[kept];
        char name[64];
        unsigned long long n, n_saved;
        (void)snprintf(name, sizeof name, "/study/trajectories/%s",
                       e->model.system->tables.records[i].name);
        double *values = read_numbers(h5, file, name, &n);
        (void)snprintf(name, sizeof name, "/study/trajectories/checksums/%s",
                       e->model.system->tables.records[i].name);
        hid_t id = ml_h5_check(h5, H5Dopen2(file, name, H5P_DEFAULT), name);
        struct ml_extent extent = ml_h5_extent(h5, id);
        n_saved = extent.size[0];
        uint64_t *sums = calloc(n_saved + 1, sizeof *sums);
        ml_h5_read_range(h5, id, &extent, H5T_NATIVE_UINT64, 0, n_saved, sums);
        CHECK(extent.rank == 1 && n_saved > 0 && n % n_saved == 0);
        for (unsigned long long k = 0; k < n_saved; k++)
            CHECK(sums[k] == XXH3_64bits(values + k * (n / n_saved), n / n_saved * sizeof(double)));
        (void)H5Dclose(id);
        free(sums);
        free(values);
    }
}

static void check_file(const struct fixture *f)
{
    struct ml_h5 h5;
    struct ml_error err = {0};
    ml_h5_begin(&h5, f->path, &err);
    hid_t file = ml_h5_open(&h5);
    check_runs(&h5, file, f);
    check_outputs(&h5, file, f);
    check_records(&h5, file, f);
    check_checksums(&h5, file, f);
    char *title = ml_h5_read_text(&h5, file, "/study/title");
    CHECK(title && strcmp(title, f->study.spec.title) == 0);
    free(title);
    ml_h5_close(&h5, file);
    CHECK(ml_h5_end(&h5) == ML_OK);
    if (err.text)
        check_fail_(__FILE__, __LINE__, err.text);
    ml_error_clear(&err);
}

/* Makes a result in the given order of blocks and reads it back. */
static void make_and_check(struct fixture *f, int64_t first, int64_t stride)
{
    struct ml_store *store;
    enum ml_store_state state;
    struct ml_error err = {0};
    int64_t n_block = ml_ensemble_blocks(&f->study.ensemble);
    CHECK(fixture_open(&f->study, f->path, &store, &state, &err) == ML_OK);
    CHECK(store && state == ML_STORE_NEW);
    if (store) {
        CHECK(fixture_write(f, store, first, stride, n_block, &err) == ML_OK);
        CHECK(ml_store_finish(store, fixture_provenance(), &err) == ML_OK);
        struct ml_tally tally = ml_store_tally(store);
        int64_t runs = 0;
        for (int i = 0; i < ML_N_OUTCOME; i++)
            runs += tally.count[i].runs;
        CHECK(runs == f->study.ensemble.n_run);
        CHECK(tally.count[ML_FINISHED].runs == runs - (runs + 5) / 11);
    }
    if (err.text)
        check_fail_(__FILE__, __LINE__, err.text);
    ml_error_clear(&err);
    ml_store_close(store);
    check_file(f);
}

static void every_kind_of_sweep_comes_back_to_the_bit(void)
{
    static const int64_t strides[] = {1, 7};
    for (enum fixture_sweep sweep = 0; sweep < FIXTURE_LONG; sweep++)
        for (int i = 0; i < 2; i++) {
            struct fixture f;
            CHECK_CASE("sweep %d, stride %lld", (int)sweep, (long long)strides[i]);
            fixture_init(&f, sweep);
            make_and_check(&f, 3 * i, ml_ensemble_blocks(&f.study.ensemble) % 7 ? strides[i] : 1);
            fixture_remove(&f);
        }
}

static void trajectories_of_any_choice_of_runs_come_back_to_the_bit(void)
{
    static const int64_t choices[][2] = {{1, INT64_MAX}, {2, INT64_MAX}, {3, INT64_MAX},
                                         {1, 16},        {1, 5},         {1, 13},
                                         {4, 30},        {20, INT64_MAX}};
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        for (enum fixture_sweep sweep = 0; sweep <= FIXTURE_GRID; sweep++) {
            struct fixture f;
            CHECK_CASE("sweep %d, every %lld below %lld", (int)sweep, (long long)choices[i][0],
                       (long long)choices[i][1]);
            fixture_init(&f, sweep);
            fixture_save(&f, choices[i][0], choices[i][1]);
            make_and_check(&f, 0, ml_ensemble_blocks(&f.study.ensemble) - 1);
            fixture_remove(&f);
        }
}

static void what_is_no_dataset_has_no_extent(void)
{
    struct ml_h5 h5;
    struct ml_error err = {0};
    ml_h5_begin(&h5, "none.h5", &err);
    struct ml_extent extent = ml_h5_extent(&h5, -1);
    CHECK(extent.rank == 0 && h5.status == ML_E_FILE);
    CHECK(ml_h5_end(&h5) == ML_E_FILE);
    ml_error_clear(&err);
}

static void page_names_what_is_there(void)
{
    struct fixture f;
    struct ml_error err = {0};
    char *text = NULL;
    fixture_init(&f, FIXTURE_TOGETHER);
    fixture_save(&f, 1, 4);
    make_and_check(&f, 0, 1);
    CHECK(ml_result_describe(f.path, false, &text, &err) == ML_OK);
    static const char *const words[] = {"A made-up pendulum", "runs: 30, 27 finished",
                                        "softness",           "forces.brace.kd",
                                        "energy_drift",       "5 x 6",
                                        "4 x 2 x 10",         "a compiler"};
    for (size_t i = 0; text && i < sizeof words / sizeof words[0]; i++)
        if (!strstr(text, words[i]))
            check_fail_(__FILE__, __LINE__, words[i]);
    free(text);
    CHECK(ml_result_describe("/dev/null", false, &text, &err) == ML_E_FILE && !text);
    ml_error_clear(&err);
    fixture_remove(&f);
}

int main(void)
{
    every_kind_of_sweep_comes_back_to_the_bit();
    trajectories_of_any_choice_of_runs_come_back_to_the_bit();
    what_is_no_dataset_has_no_extent();
    page_names_what_is_there();
    return check_done();
}
