#include <string.h>

#include "h5/h5.h"

#include "check.h"

enum { N = 7, MOST = 140000, PIECE = 7919 /* elements written at a time */ };

/* A dataset of the file: what is written, and how many of its chunks are not its last one. */
struct column {
    const char *name;
    struct ml_extent extent;
    bool is_compressed, is_random;
    unsigned long long written; /* elements, of all; 0: all */
    int n_full;                 /* chunks that a team filters */
};

static const struct column columns[N] = {
    {"summed", {1, {100003}}, false, true, 0, 3},
    {"alike", {1, {100003}}, true, false, 0, 3},
    {"random", {1, {100003}}, true, true, 0, 3},
    {"rows", {3, {70, 1000, 2}}, true, false, 0, 4},
    {"pieces", {2, {3, 40000}}, true, false, 0, 5},
    {"small", {1, {900}}, true, false, 0, 0},
    {"unfinished", {1, {100003}}, true, false, 50000, 1},
};

static unsigned long long elements(const struct ml_extent *extent)
{
    unsigned long long n = 1;
    for (int k = 0; k < extent->rank; k++)
        n *= extent->size[k];
    return n;
}

static void fill(char *values, size_t size, bool is_random)
{
    unsigned state = 1;
    for (size_t i = 0; i < MOST * size; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (char)(is_random ? state >> 24 : (i / size / 50) * (i % size == 0));
    }
}

/* Writes all columns side by side, the way blocks of runs are written; one of them has its first
 * numbers written again in the end. Returns the bytes that the team filtered. */
static double write_columns(struct ml_h5 *h5, hid_t file, hid_t type, int n_thread,
                            char *const values[2])
{
    const size_t size = H5Tget_size(type);
    hid_t ids[N];
    for (int i = 0; i < N; i++)
        ids[i] = ml_h5_field(h5, file,
                             &(struct ml_h5_field){.name = columns[i].name,
                                                   .type = type,
                                                   .extent = columns[i].extent,
                                                   .is_compressed = columns[i].is_compressed});
    ml_h5_team_begin(h5, n_thread);
    for (unsigned long long first = 0; first < MOST; first += PIECE)
        for (int i = 0; i < N; i++) {
            const struct column *c = &columns[i];
            const unsigned long long all = c->written > 0 ? c->written : elements(&c->extent),
                                     n = first > all           ? 0
                                         : all - first < PIECE ? all - first
                                                               : PIECE;
            ml_h5_write_range(h5, ids[i], &c->extent, type, first, n,
                              values[c->is_random] + first * size);
        }
    ml_h5_team_end(h5);
    ml_h5_write_range(h5, ids[1], &columns[1].extent, type, 0, PIECE, values[1]);
    for (int i = 0; i < N; i++)
        ml_h5_close_dataset(h5, ids[i]);
    return h5->filtered;
}

/* The bytes of a whole file, to be freed. */
static char *make_file(hid_t type, int n_thread, char *const values[2], size_t *n, double *filtered)
{
    struct ml_h5 h5;
    ml_h5_begin(&h5, "columns", NULL);
    hid_t file = ml_h5_create_in_memory(&h5);
    *filtered = write_columns(&h5, file, type, n_thread, values);
    (void)H5Fflush(file, H5F_SCOPE_GLOBAL);
    *n = (size_t)H5Fget_file_image(file, NULL, 0);
    char *image = malloc(*n);
    CHECK(image && H5Fget_file_image(file, image, *n) == (ssize_t)*n);
    ml_h5_close(&h5, file);
    CHECK(ml_h5_end(&h5) == ML_OK);
    return image;
}

static void a_team_writes_the_bytes_that_hdf5_writes(void)
{
    const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_NATIVE_INT8};
    for (int t = 0; t < 3; t++) {
        const size_t size = H5Tget_size(types[t]);
        char *values[2] = {malloc(MOST * size), malloc(MOST * size)};
        double filtered, expected = 0.0;
        size_t n_alone, n;
        fill(values[0], size, false);
        fill(values[1], size, true);
        char *alone = make_file(types[t], 1, values, &n_alone, &filtered);
        CHECK(filtered == 0.0);
        for (int i = 0; i < N; i++) {
            const struct ml_extent chunk = ml_extent_chunk(&columns[i].extent, 1 << 15);
            expected += (double)columns[i].n_full * (double)elements(&chunk) * (double)size;
        }
        for (int n_thread = 7; n_thread >= 2; n_thread -= 5) {
            char *team = make_file(types[t], n_thread, values, &n, &filtered);
            CHECK_CASE("%zu bytes, %d threads", size, n_thread);
            CHECK(n == n_alone && memcmp(team, alone, n) == 0);
            CHECK(filtered == expected);
            free(team);
        }
        free(alone);
        free(values[0]);
        free(values[1]);
    }
}

/* Numbers that are not written in row order, each once: begun late, or written again while their
 * chunk waits. */
static void other_orders_lose_no_number(void)
{
    enum { ALL = 660003, LATE = 50000, AGAIN = 590000, FEW = 1000 };
    const struct ml_extent extent = {1, {ALL}};
    const hid_t type = H5T_NATIVE_DOUBLE;
    double *values = malloc(ALL * sizeof *values), *read = calloc(ALL, sizeof *read);
    struct ml_h5 h5;
    struct ml_error err = {0};
    ml_h5_begin(&h5, "orders", &err);
    const hid_t file = ml_h5_create_in_memory(&h5);
    hid_t ids[2];
    for (int k = 0; k < ALL; k++)
        values[k] = k + 1.0;
    for (int i = 0; i < 2; i++)
        ids[i] = ml_h5_field(&h5, file,
                             &(struct ml_h5_field){.name = i == 0 ? "late" : "again",
                                                   .type = type,
                                                   .extent = extent,
                                                   .is_compressed = true});
    ml_h5_team_begin(&h5, 2);
    ml_h5_write_range(&h5, ids[0], &extent, type, LATE, ALL - LATE, values + LATE);
    ml_h5_write_range(&h5, ids[0], &extent, type, 0, LATE, values);
    for (int k = AGAIN; k < AGAIN + FEW; k++)
        values[k] = -1.0;
    ml_h5_write_range(&h5, ids[1], &extent, type, 0, AGAIN, values);
    ml_h5_write_range(&h5, ids[1], &extent, type, AGAIN, FEW, read); /* to be overwritten */
    ml_h5_write_range(&h5, ids[1], &extent, type, AGAIN + FEW, ALL - AGAIN - FEW,
                      values + AGAIN + FEW);
    ml_h5_write_range(&h5, ids[1], &extent, type, AGAIN, FEW, values + AGAIN);
    ml_h5_team_end(&h5);
    for (int i = 0; i < 2; i++) {
        int n_wrong = 0;
        CHECK(h5.status == ML_OK);
        CHECK(H5Dread(ids[i], type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) >= 0);
        for (int k = 0; k < ALL; k++)
            n_wrong += read[k] != (i == 0 && k >= AGAIN && k < AGAIN + FEW ? k + 1.0 : values[k]);
        CHECK_CASE("dataset %d", i);
        CHECK(n_wrong == 0);
        ml_h5_close_dataset(&h5, ids[i]);
    }
    ml_h5_close(&h5, file);
    CHECK(ml_h5_end(&h5) == ML_OK);
    free(values);
    free(read);
}

int main(void)
{
    a_team_writes_the_bytes_that_hdf5_writes();
    other_orders_lose_no_number();
    return check_done();
}
