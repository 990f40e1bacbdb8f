/* Compresses numbers and writes them as text. */
#include "report/parts.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BLOCK_ROOM = 3 << 14, BLOCK_LEVEL = 6, N_BYTE = 4 };

struct block {
    z_stream stream;
    FILE *file;
    unsigned char room[BLOCK_ROOM]; /* compressed, and not written yet */
};

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Base64 of the first n bytes of the room; only the last piece may be no multiple of 3. */
static void block_write(struct block *block, size_t n)
{
    char text[BLOCK_ROOM / 3 * 4 + 4];
    size_t length = 0;
    for (size_t i = 0; i < n; i += 3) {
        const unsigned b = i + 1 < n ? block->room[i + 1] : 0,
                       c = i + 2 < n ? block->room[i + 2] : 0;
        const unsigned all = (unsigned)block->room[i] << 16 | b << 8 | c;
        text[length++] = digits[all >> 18];
        text[length++] = digits[all >> 12 & 63];
        text[length++] = (char)(i + 1 < n ? digits[all >> 6 & 63] : '=');
        text[length++] = (char)(i + 2 < n ? digits[all & 63] : '=');
    }
    (void)fwrite(text, 1, length, block->file); /* errors are seen when the file is closed */
}

/* Compresses what is given, or ends the stream. */
static void block_deflate(struct block *block, unsigned char *bytes, size_t n, int flush)
{
    z_stream *z = &block->stream;
    z->next_in = bytes;
    z->avail_in = (uInt)n;
    int code;
    do {
        code = deflate(z, flush);
        if (z->avail_out == 0 || (flush == Z_FINISH && code == Z_STREAM_END)) {
            block_write(block, sizeof block->room - z->avail_out);
            z->next_out = block->room;
            z->avail_out = sizeof block->room;
        }
    } while (flush == Z_FINISH ? code == Z_OK || code == Z_BUF_ERROR : z->avail_in > 0);
}

/* A number of 21 bits, which tell six digits: the last three of a float's would only cost space. */
static uint32_t block_round(double value)
{
    const uint32_t lost = 3, half = UINT32_C(1) << (lost - 1), greatest = UINT32_C(0x7f000000);
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return (bits & INT32_MAX) < greatest ? (bits + half) >> lost << lost : bits;
}

/* [n] numbers -> [4][n] bytes of floats */
static void block_split(const double *values, size_t n, unsigned char *bytes)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t bits = block_round(values[i]);
        for (size_t k = 0; k < N_BYTE; k++)
            bytes[k * n + i] = (unsigned char)(bits >> (8 * k));
    }
}

/* Subtracts the numbers of the same part of another result. */
static enum ml_status block_subtract(const struct ml_report_parts *less,
                                     const struct ml_report_part *part, double *values,
                                     struct ml_error *err)
{
    double *others = NULL;
    const enum ml_status status = ml_report_part_read(less, part, &others, err);
    for (int64_t i = 0; others && i < part->count; i++)
        values[i] -= others[i];
    free(others);
    return status;
}

static enum ml_status block_add(struct block *block, const struct ml_report_parts *parts,
                                const struct ml_report_part *part, struct ml_error *err)
{
    double *values = NULL;
    const size_t n = (size_t)part->count;
    unsigned char *bytes = malloc(n * N_BYTE + 1);
    enum ml_status status = bytes ? ml_report_part_read(parts, part, &values, err) : ML_E_MEMORY;
    if (status == ML_OK && parts->less && values)
        status = block_subtract(parts->less, part, values, err);
    if (status == ML_OK && values) {
        block_split(values, n, bytes);
        block_deflate(block, bytes, n * N_BYTE, Z_NO_FLUSH);
    }
    free(values);
    free(bytes);
    return status;
}

enum ml_status ml_report_block_write(const struct ml_report_parts *parts,
                                     enum ml_report_place place, FILE *file, struct ml_error *err)
{
    struct block *block = calloc(1, sizeof *block);
    enum ml_status status = ML_OK;
    if (!block || deflateInit(&block->stream, BLOCK_LEVEL) != Z_OK) {
        free(block);
        return ML_E_MEMORY;
    }
    block->file = file;
    block->stream.next_out = block->room;
    block->stream.avail_out = sizeof block->room;
    for (int i = 0; i < parts->n && status == ML_OK; i++)
        if (parts->parts[i].place == place)
            status = block_add(block, parts, &parts->parts[i], err);
    block_deflate(block, NULL, 0, Z_FINISH);
    (void)deflateEnd(&block->stream);
    free(block);
    return status;
}
