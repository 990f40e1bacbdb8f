/* Passes a long table through memory in pieces of whole lines. */
#include "columns/stream.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/open.h"
#include "yaml/yaml.h"

enum { STREAM_PIECE = 1 << 24 }; /* bytes */

struct ml_table_stream {
    const char *path;
    off_t next;  /* byte of the file behind the present piece */
    FILE *file;  /* open while rows are read; else NULL */
    char *piece; /* [STREAM_PIECE] */
};

void ml_text_end_lines(char *text, size_t length)
{
    if (length == 0 || memchr(text, '\n', length))
        return;
    for (char *c = text; (c = memchr(c, '\r', length - (size_t)(c - text)));)
        *c = '\n';
}

/* Bytes up to the last line that is whole, of a piece with more lines behind it. */
static size_t stream_cut(const char *piece, size_t length)
{
    while (length > 0 && piece[length - 1] != '\n')
        length--;
    return length;
}

static void stream_report_long(struct ml_table *table, int line)
{
    ml_problem(&table->problems, (struct ml_location){.line = line, .column = 1},
               "cannot read a line of more than %d MiB", STREAM_PIECE >> 20);
}

bool ml_stream_open(struct ml_table *table, const char *path)
{
    struct ml_problems *problems = &table->problems;
    char *piece = ml_pool_take(table->pool, STREAM_PIECE, 1);
    FILE *file = piece ? ml_open_stream(path) : NULL;
    if (!file)
        return false;
    const size_t n = fread(piece, 1, STREAM_PIECE, file);
    const int error = ferror(file) ? errno : 0;
    (void)fclose(file);
    if (n < STREAM_PIECE)
        ml_text_end_lines(piece, n);
    problems->text = piece;
    problems->length = n < STREAM_PIECE ? n : stream_cut(piece, n);
    errno = error;
    if (error || n < STREAM_PIECE)
        return !error;
    if (problems->length == 0)
        stream_report_long(table, 1);
    table->stream = ml_pool_take(table->pool, 1, sizeof *table->stream);
    if (table->stream)
        *table->stream = (struct ml_table_stream){path, (off_t)problems->length, NULL,
                                                  ml_pool_take(table->pool, STREAM_PIECE, 1)};
    return table->stream && table->stream->piece;
}

/* Counts the lines of a piece, without empty ones at the end of all.
 *   ends  line ends so far, in and out
 *   n     lines up to the last byte that is not blank, in and out */
static void stream_count_piece(const char *piece, size_t length, int64_t *ends, int64_t *n)
{
    size_t filled = length;
    while (filled > 0 && (piece[filled - 1] == ' ' || piece[filled - 1] == '\t' ||
                          piece[filled - 1] == '\n' || piece[filled - 1] == '\r'))
        filled--;
    for (size_t i = 0; i < length; i++) {
        if (i + 1 == filled)
            *n = *ends + 1;
        *ends += piece[i] == '\n';
    }
}

int64_t ml_stream_count_lines(struct ml_table *table)
{
    struct ml_table_stream *s = table->stream;
    const char *end = table->problems.text + table->problems.length;
    int64_t ends = 0, n = 0;
    stream_count_piece(table->at, (size_t)(end - table->at), &ends, &n);
    FILE *file = s ? ml_open_stream(s->path) : NULL;
    bool is_good = !s || (file && fseeko(file, s->next, SEEK_SET) == 0);
    for (size_t length = 1; file && is_good && length > 0;) {
        length = fread(s->piece, 1, STREAM_PIECE, file);
        stream_count_piece(s->piece, length, &ends, &n);
    }
    is_good = is_good && (!file || !ferror(file));
    if (!is_good)
        ml_problem(&table->problems, (struct ml_location){.line = 1, .column = 1},
                   "cannot read the table to its end: %s", ml_open_reason(errno));
    if (file)
        (void)fclose(file);
    if (n > INT_MAX - table->line) /* lines are counted in an int */
        ml_problem(&table->problems, (struct ml_location){.line = 1, .column = 1},
                   "cannot read a table of more than 2^31 lines; write an HDF5 file with a dataset "
                   "for each column");
    return is_good ? n : 0;
}

bool ml_stream_next(struct ml_table *table)
{
    struct ml_table_stream *s = table->stream;
    struct ml_problems *problems = &table->problems;
    if (!s || problems->count > 0)
        return false;
    if (!s->file) {
        s->file = ml_open_stream(s->path);
        if (!s->file || fseeko(s->file, s->next, SEEK_SET) != 0)
            return false;
    }
    const size_t n = fread(s->piece, 1, STREAM_PIECE, s->file);
    const size_t cut = n < STREAM_PIECE ? n : stream_cut(s->piece, n);
    const bool is_there = cut > 0 && fseeko(s->file, (off_t)cut - (off_t)n, SEEK_CUR) == 0;
    s->next += (off_t)cut;
    problems->lines_before = table->line;
    problems->text = s->piece;
    problems->length = cut;
    table->at = s->piece;
    if (n > 0 && cut == 0)
        stream_report_long(table, table->line + 1);
    return is_there && ml_text_check(s->piece, cut, 0, problems);
}

void ml_stream_close(struct ml_table *table)
{
    if (table->stream && table->stream->file)
        (void)fclose(table->stream->file);
    if (table->stream)
        table->stream->file = NULL;
}
