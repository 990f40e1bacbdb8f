/* Ranges of datasets that are written, by HDF5 alone or with chunks that a team of threads filters
 * (shuffles, deflates, sums), with the bytes and the order in the file that HDF5's own filters
 * give.
 *
 * HDF5 filters a chunk when the next chunk of the dataset is begun. At that moment the chunk enters
 * a queue; all threads filter a full queue, and the calling thread writes the chunks in the order
 * of the queue. HDF5 itself filters the last chunk of a dataset when the dataset is closed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "h5/h5.h"

enum {
    OF_THREAD = 4,  /* chunks of a full queue for each thread: faster threads filter more */
    SUM = 4,        /* bytes of a checksum */
    MOST = 1 << 18, /* bytes of a chunk's numbers */
    ROOM = MOST + MOST / 512 + 32, /* bytes of a filtered chunk at most */
};

/* Filters of a dataset, in their order. */
struct filters {
    size_t element; /* bytes */
    bool shuffles;
    int level;          /* of deflate; -1: none */
    unsigned level_bit; /* of deflate in a mask of filters that were left out */
    bool sums;
};

/* A chunk in the queue. */
struct waiting {
    hid_t dataset;
    struct ml_extent at; /* its first element */
    struct filters filters;
    size_t n_byte;      /* in, of the numbers; out, of the filtered chunk */
    char *bytes, *room; /* [ROOM] each, owned; the second for the next filter, or NULL */
    unsigned left_out;
    bool is_short; /* of memory */
};

/* A dataset that is written. */
struct written {
    hid_t dataset;
    struct filters filters;
    struct ml_extent extent;
    unsigned long long all;   /* elements of the dataset */
    unsigned long long next;  /* element to be written */
    unsigned long long inner; /* elements of one row of a chunk */
    unsigned long long along; /* rows of the dataset that lie behind one another */
    unsigned long long rows;  /* of a chunk */
    unsigned long long first; /* element of the chunk that is filled */
    unsigned long long n;     /* elements of it in the dataset */
    char *open;               /* that chunk; NULL: none */
    bool is_left;             /* to HDF5 */
    bool begins_queue;        /* the first chunk of the dataset is in the queue */
};

struct ml_h5_team {
    int n_thread, n_waiting, n_written;
    struct waiting *queue; /* [OF_THREAD n_thread] */
    char **spare;          /* [OF_THREAD n_thread] buffers [ROOM], n_spare of them there */
    int n_spare;
    struct written *written; /* [n_written] */
};

/* Eight words of eight bytes, transposed: byte i of word k becomes byte k of word i. */
static void transpose(uint64_t words[8])
{
    static const uint64_t low[] = {0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
    for (int s = 0; s < 3; s++) {
        const int d = 1 << s;
        for (int i = 0; i < 8; i++) {
            if (i & d)
                continue;
            const uint64_t swapped = (words[i] >> 8 * d ^ words[i + d]) & low[s];
            words[i + d] ^= swapped;
            words[i] ^= swapped << 8 * d;
        }
    }
}

/* HDF5's filter: first bytes of all elements, second bytes of all elements, ... */
static void shuffle(const char *from, size_t n, size_t element, char *to)
{
    uint64_t words[8];
    size_t begin = 0;
    for (; element == 8 && begin + 8 <= n; begin += 8) {
        memcpy(words, from + 8 * begin, sizeof words);
        transpose(words);
        for (size_t b = 0; b < 8; b++)
            memcpy(to + b * n + begin, &words[b], 8);
    }
    for (size_t b = 0; b < element; b++)
        for (size_t i = begin; i < n; i++)
            to[b * n + i] = from[i * element + b];
}

/* Fletcher's checksum of 16 bit words, high byte first, as HDF5 computes it: the sum of the words,
 * and the sum of these sums, in which word i of n counts n - i times. */
static uint32_t fletcher(const unsigned char *bytes, size_t n_byte)
{
    enum { WORDS = 360 }; /* without an overflow of the sums */
    uint32_t low = 0, high = 0;
    const size_t n_word = n_byte / 2;
    for (size_t at = 0, n; at < n_word; at += n) {
        n = n_word - at < WORDS ? n_word - at : WORDS;
        high += (uint32_t)n * low;
        for (size_t i = 0; i < n; i++) {
            const unsigned char *pair = bytes + 2 * (at + i);
            const uint32_t word = (uint32_t)(pair[0] << 8 | pair[1]);
            low += word;
            high += (uint32_t)(n - i) * word;
        }
        low = (low & 0xffff) + (low >> 16);
        high = (high & 0xffff) + (high >> 16);
    }
    if (n_byte % 2 == 1) {
        low += (uint32_t)bytes[n_byte - 1] << 8;
        high += low;
        low = (low & 0xffff) + (low >> 16);
        high = (high & 0xffff) + (high >> 16);
    }
    low = (low & 0xffff) + (low >> 16);
    high = (high & 0xffff) + (high >> 16);
    return high << 16 | low;
}

/* Room for the result of a filter; false without memory. */
static bool take_room(struct waiting *chunk)
{
    if (!chunk->room)
        chunk->room = malloc(ROOM);
    chunk->is_short = !chunk->room;
    return chunk->room;
}

/* The result of a filter takes the place of the chunk's bytes. */
static void swap_room(struct waiting *chunk, size_t n)
{
    char *bytes = chunk->bytes;
    chunk->bytes = chunk->room;
    chunk->room = bytes;
    chunk->n_byte = n;
}

static bool shuffle_chunk(struct waiting *chunk)
{
    const size_t element = chunk->filters.element;
    if (!take_room(chunk))
        return false;
    shuffle(chunk->bytes, chunk->n_byte / element, element, chunk->room);
    swap_room(chunk, chunk->n_byte);
    return true;
}

/* As in HDF5, a result that does not fit into a buffer of this size leaves the filter out. */
static bool deflate_chunk(struct waiting *chunk)
{
    uLongf n = (uLongf)ceil((double)chunk->n_byte * (double)1.001f) + 12;
    if (!take_room(chunk))
        return false;
    const int code = compress2((Bytef *)chunk->room, &n, (const Bytef *)chunk->bytes,
                               (uLong)chunk->n_byte, chunk->filters.level);
    chunk->is_short = code == Z_MEM_ERROR;
    if (code == Z_OK)
        swap_room(chunk, n);
    else
        chunk->left_out = chunk->filters.level_bit;
    return !chunk->is_short;
}

static void filter(struct waiting *chunk)
{
    const struct filters *f = &chunk->filters;
    if ((f->shuffles && f->element > 1 && !shuffle_chunk(chunk)) ||
        (f->level >= 0 && !deflate_chunk(chunk)) || !f->sums)
        return;
    const uint32_t sum = fletcher((const unsigned char *)chunk->bytes, chunk->n_byte);
    for (int i = 0; i < SUM; i++)
        chunk->bytes[chunk->n_byte++] = (char)(sum >> 8 * i & 0xff);
}

static void give_spare(struct ml_h5_team *team, char *buffer)
{
    if (team->n_spare < OF_THREAD * team->n_thread)
        team->spare[team->n_spare++] = buffer;
    else
        free(buffer);
}

static char *take_spare(struct ml_h5_team *team)
{
    return team->n_spare > 0 ? team->spare[--team->n_spare] : malloc(ROOM);
}

/* Filters and writes the chunks of the queue. */
static void drain(struct ml_h5 *h5)
{
    struct ml_h5_team *team = h5->team;
    struct waiting *queue = team->queue;
    const int n = team->n_waiting;
    const bool is_well = h5->status == ML_OK;
#pragma omp parallel for num_threads(team->n_thread) schedule(dynamic) if (is_well && n > 1)
    for (int i = 0; i < n; i++)
        if (is_well)
            filter(&queue[i]);
    for (int i = 0; i < n; i++) {
        (void)ml_h5_need(h5, !queue[i].is_short);
        if (h5->status == ML_OK)
            ml_h5_check(h5,
                        H5Dwrite_chunk(queue[i].dataset, H5P_DEFAULT, queue[i].left_out,
                                       queue[i].at.size, queue[i].n_byte, queue[i].bytes),
                        "cannot be written");
        give_spare(team, queue[i].bytes);
        queue[i].bytes = NULL;
    }
    team->n_waiting = 0;
    for (int i = 0; i < team->n_written; i++)
        team->written[i].begins_queue = false;
}

/* Indices of an element in row order. */
static struct ml_extent element_at(const struct ml_extent *extent, unsigned long long element)
{
    struct ml_extent at = {.rank = extent->rank};
    for (int k = extent->rank - 1; k >= 0; k--) {
        at.size[k] = element % extent->size[k];
        element /= extent->size[k];
    }
    return at;
}

static size_t bytes_of_chunk(const struct written *w)
{
    return (size_t)(w->rows * w->inner) * w->filters.element;
}

static void send(struct ml_h5 *h5, struct written *w)
{
    struct ml_h5_team *team = h5->team;
    if (team->n_waiting == OF_THREAD * team->n_thread)
        drain(h5);
    struct waiting *chunk = &team->queue[team->n_waiting++];
    *chunk = (struct waiting){.dataset = w->dataset,
                              .at = element_at(&w->extent, w->first),
                              .filters = w->filters,
                              .n_byte = bytes_of_chunk(w),
                              .bytes = w->open,
                              .room = chunk->room};
    w->begins_queue = w->begins_queue || w->first == 0;
    h5->filtered += (double)bytes_of_chunk(w);
    w->open = NULL;
}

/* False if the dataset has other filters than the team's. */
static bool find_filters(hid_t creation, struct filters *f)
{
    const int n = H5Pget_nfilters(creation);
    for (int i = 0; i < n; i++) {
        unsigned flags, values[1] = {0};
        size_t n_value = 1;
        const H5Z_filter_t id =
            H5Pget_filter2(creation, (unsigned)i, &flags, &n_value, values, 0, NULL, NULL);
        if (id == H5Z_FILTER_SHUFFLE && i == 0)
            f->shuffles = true;
        else if (id == H5Z_FILTER_DEFLATE && !f->sums && n_value == 1) {
            f->level = (int)values[0];
            f->level_bit = 1u << i;
        } else if (id == H5Z_FILTER_FLETCHER32 && i == n - 1)
            f->sums = true;
        else
            return false;
    }
    return n > 0;
}

/* Whether chunks are consecutive elements, and of two or more; sets their shape. */
static bool find_chunks(hid_t creation, struct written *w)
{
    struct ml_extent chunk = {.rank = w->extent.rank};
    if (chunk.rank == 0 || H5Pget_layout(creation) != H5D_CHUNKED ||
        H5Pget_chunk(creation, ML_MAX_RANK, chunk.size) != chunk.rank)
        return false;
    int k = chunk.rank - 1;
    for (w->inner = 1; k > 0 && chunk.size[k] == w->extent.size[k]; k--)
        w->inner *= chunk.size[k];
    w->along = w->extent.size[k];
    w->rows = chunk.size[k];
    for (w->all = w->inner * w->along; k-- > 0;) {
        w->all *= w->extent.size[k];
        if (chunk.size[k] != 1)
            return false;
    }
    return w->all > w->inner * w->rows && bytes_of_chunk(w) <= MOST;
}

/* The dataset among those written; NULL without memory. */
static struct written *find_written(struct ml_h5 *h5, hid_t dataset, const struct ml_extent *extent,
                                    hid_t type)
{
    struct ml_h5_team *team = h5->team;
    for (int i = 0; i < team->n_written; i++)
        if (team->written[i].dataset == dataset)
            return &team->written[i];
    struct written *all =
        realloc(team->written, (size_t)(team->n_written + 1) * sizeof *team->written);
    if (!ml_h5_need(h5, all))
        return NULL;
    team->written = all;
    struct written *w = &all[team->n_written++];
    *w = (struct written){.dataset = dataset, .extent = *extent, .filters = {.level = -1}};
    hid_t creation = H5Dget_create_plist(dataset), stored = H5Dget_type(dataset);
    w->filters.element = H5Tget_size(stored);
    w->is_left = !find_filters(creation, &w->filters) || !find_chunks(creation, w) ||
                 H5Tequal(stored, type) <= 0;
    (void)H5Tclose(stored);
    (void)H5Pclose(creation);
    return w;
}

/* The chunk of the next element, with its elements in the dataset. */
static void seek_chunk(struct written *w)
{
    const unsigned long long row = w->next / w->inner % w->along, left = w->along - row;
    w->first = w->next;
    w->n = (left < w->rows ? left : w->rows) * w->inner;
}

static void write_box(struct ml_h5 *h5, hid_t dataset, hid_t space, hid_t type,
                      const struct ml_extent *start, const struct ml_extent *count,
                      const void *values)
{
    /* A space of the box's shape: HDF5 moves element by element between shapes of different rank.
     */
    hid_t memory =
        count->rank > 0 ? H5Screate_simple(count->rank, count->size, NULL) : H5Screate(H5S_SCALAR);
    if (count->rank > 0)
        (void)H5Sselect_hyperslab(space, H5S_SELECT_SET, start->size, NULL, count->size, NULL);
    ml_h5_check(h5, H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, values),
                "cannot be written");
    (void)H5Sclose(memory);
}

/* Writes a range of a dataset by HDF5 alone. */
static void write_alone(struct ml_h5 *h5, hid_t dataset, const struct ml_extent *extent, hid_t type,
                        unsigned long long first, unsigned long long n, const char *values)
{
    if (h5->status != ML_OK)
        return;
    hid_t space = ml_h5_check(h5, H5Dget_space(dataset), "dataset");
    const size_t size = H5Tget_size(type);
    struct ml_extent start, count;
    for (unsigned long long before = n;
         h5->status == ML_OK && ml_extent_next_box(extent, &first, &n, &start, &count);
         before = n) {
        write_box(h5, dataset, space, type, &start, &count, values);
        values += (size_t)(before - n) * size;
    }
    (void)H5Sclose(space);
}

/* HDF5 makes the index of a dataset's chunks when the first element is written. HDF5's cache then
 * has the first chunk until H5Dwrite_chunk. */
static void begin_index(struct ml_h5 *h5, const struct written *w, hid_t type, const char *values)
{
    drain(h5);
    write_alone(h5, w->dataset, &w->extent, type, 0, 1, values);
}

/* Leaves the rest of a dataset to HDF5, with the chunk that is filled. */
static void leave_rest(struct ml_h5 *h5, struct written *w, hid_t type)
{
    char *open = w->open;
    w->is_left = true;
    w->open = NULL;
    drain(h5);
    if (!open)
        return;
    write_alone(h5, w->dataset, &w->extent, type, w->first, w->next - w->first, open);
    give_spare(h5->team, open);
}

/* Copies numbers into the chunk of the next element; returns how many, 0 in the last chunk. */
static unsigned long long fill(struct ml_h5 *h5, struct written *w, unsigned long long n,
                               const char *values)
{
    if (w->open && w->next == w->first + w->n)
        send(h5, w);
    if (!w->open) {
        seek_chunk(w);
        if (w->first + w->n == w->all)
            return 0;
        w->open = take_spare(h5->team);
        if (!ml_h5_need(h5, w->open))
            return 0;
        const size_t n_byte = (size_t)w->n * w->filters.element;
        memset(w->open + n_byte, 0, bytes_of_chunk(w) - n_byte); /* beyond the dataset */
    }
    const unsigned long long room = w->first + w->n - w->next, taken = n < room ? n : room;
    const size_t element = w->filters.element;
    memcpy(w->open + (size_t)(w->next - w->first) * element, values, (size_t)taken * element);
    w->next += taken;
    return taken;
}

/* Takes the first numbers of a range; returns how many. HDF5 writes the remaining numbers. */
static unsigned long long team_take(struct ml_h5 *h5, hid_t dataset, const struct ml_extent *extent,
                                    hid_t type, unsigned long long first, unsigned long long n,
                                    const char *values)
{
    struct written *w = find_written(h5, dataset, extent, type);
    unsigned long long taken = 0, more = n;
    if (!w || n == 0)
        return 0;
    if (w->is_left) {
        if (first < w->next) /* written again: the chunk may still be in the queue */
            drain(h5);
        return 0;
    }
    if (first != w->next) {
        leave_rest(h5, w, type);
        return 0;
    }
    if (first == 0)
        begin_index(h5, w, type, values);
    for (; taken < n && more > 0 && h5->status == ML_OK; taken += more)
        more = fill(h5, w, n - taken, values + (size_t)taken * w->filters.element);
    if (taken < n) { /* the last chunk */
        w->is_left = true;
        if (w->begins_queue) /* HDF5's cache has room for one chunk */
            drain(h5);
    }
    return taken;
}

void ml_h5_write_range(struct ml_h5 *h5, hid_t dataset, const struct ml_extent *extent, hid_t type,
                       unsigned long long first, unsigned long long n, const void *values)
{
    if (h5->status != ML_OK || h5->is_sketch)
        return;
    const unsigned long long taken =
        h5->team ? team_take(h5, dataset, extent, type, first, n, values) : 0;
    if (taken < n)
        write_alone(h5, dataset, extent, type, first + taken, n - taken,
                    (const char *)values + (size_t)taken * H5Tget_size(type));
}

void ml_h5_team_begin(struct ml_h5 *h5, int n_thread)
{
    if (n_thread < 2 || h5->is_sketch || h5->status != ML_OK)
        return;
    h5->team = calloc(1, sizeof *h5->team);
    struct waiting *queue = calloc((size_t)n_thread, OF_THREAD * sizeof *queue);
    char **spare = calloc((size_t)n_thread, OF_THREAD * sizeof *spare);
    if (!h5->team || !queue || !spare) {
        free(spare);
        free(queue);
        free(h5->team);
        h5->team = NULL; /* HDF5 alone needs less */
        return;
    }
    *h5->team = (struct ml_h5_team){.n_thread = n_thread, .queue = queue, .spare = spare};
}

void ml_h5_team_end(struct ml_h5 *h5)
{
    struct ml_h5_team *team = h5->team;
    if (!team)
        return;
    drain(h5);
    for (int i = 0; i < team->n_written; i++) {
        struct written *w = &team->written[i];
        hid_t stored = w->open && h5->status == ML_OK ? H5Dget_type(w->dataset) : -1;
        if (w->open)
            leave_rest(h5, w, stored);
        if (stored >= 0)
            (void)H5Tclose(stored);
    }
    for (int i = 0; i < OF_THREAD * team->n_thread; i++)
        free(team->queue[i].room);
    while (team->n_spare > 0)
        free(team->spare[--team->n_spare]);
    free(team->written);
    free(team->spare);
    free(team->queue);
    free(team);
    h5->team = NULL;
}
