/* A seal leaves out as many ranges of its file as there are. */
#include "store/seal.h"

#include <stdlib.h>

#include "check.h"

enum { N = 300, RANGE = 16, AT = 64 };

static const char path[] = "sealed";

static long size_of_seal(void) { return (long)(ml_seal_words(N) * sizeof(uint64_t)); }

/* The ranges lie behind the seal, each with as many bytes before it. */
static long range_at(int i) { return AT + size_of_seal() + (2 * i + 1) * RANGE; }

static void change(long at)
{
    FILE *file = fopen(path, "r+b");
    CHECK(file && fseek(file, at, SEEK_SET) == 0);
    const int byte = fgetc(file);
    CHECK(fseek(file, at, SEEK_SET) == 0 && fputc(byte ^ 1, file) != EOF && fclose(file) == 0);
}

static enum ml_status check(void)
{
    bool is_sealed = false;
    const enum ml_status status = ml_seal_check(path, &is_sealed, NULL);
    CHECK(is_sealed);
    return status;
}

static void ranges_are_left_out(void)
{
    struct ml_seal_range skipped[N];
    struct ml_error err = {0};
    FILE *file = fopen(path, "wb");
    for (long at = 0; at < range_at(N); at++)
        CHECK(fputc((int)(at % 251), file) != EOF);
    CHECK(fclose(file) == 0);
    for (int i = 0; i < N; i++)
        skipped[i] = (struct ml_seal_range){(uint64_t)range_at(i), RANGE};
    CHECK(ml_seal_write(path, AT, N, skipped, &err) == ML_OK);
    CHECK(check() == ML_OK);
    for (int i = 0; i < N; i += 13) {
        change(range_at(i) + i % RANGE);
        CHECK(check() == ML_OK);
        change(range_at(i) - 1);
        CHECK(check() == ML_E_FILE);
        change(range_at(i) - 1);
    }
}

/* A number of ranges that no file has room for. */
static void forged_numbers_are_refused(void)
{
    for (int byte = 0; byte < 8; byte++) {
        change(AT + (long)(ML_SEAL_SKIPPED * sizeof(uint64_t)) + byte);
        CHECK(check() == ML_E_FILE);
        change(AT + (long)(ML_SEAL_SKIPPED * sizeof(uint64_t)) + byte);
    }
    CHECK(check() == ML_OK);
}

int main(void)
{
    ranges_are_left_out();
    forged_numbers_are_refused();
    return check_done();
}
