/* Public structs that begin with their size, between versions of the library. */
#include "base/sized.h"

#include <string.h>

#include "manylink/fail.h"

/* Larger than any version of any struct will be: a size beyond it was never set. */
enum { SIZED_MOST = 1 << 16 };

static size_t sized_size(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

enum ml_status ml_sized_check(const void *given, const char *name, struct ml_error *err)
{
    const size_t size = given ? sized_size(given) : sizeof size;
    if (size >= sizeof size && size <= SIZED_MOST)
        return ML_OK;
    return ml_fail(err, ML_E_INPUT,
                   "struct %s: its member `size` is %zu, and must be sizeof(struct %s)", name, size,
                   name);
}

enum ml_status ml_sized_read(void *own, size_t size, const void *given, const char *name,
                             struct ml_error *err)
{
    if (!given)
        return ml_fail(err, ML_E_INPUT, "struct %s: is missing (NULL)", name);
    const enum ml_status status = ml_sized_check(given, name, err);
    if (status != ML_OK)
        return status;
    const size_t there = sized_size(given), shared = there < size ? there : size;
    memset(own, 0, size);
    memcpy(own, given, shared);
    for (size_t i = size; i < there; i++)
        if (((const unsigned char *)given)[i] != 0)
            return ml_fail(err, ML_E_INPUT,
                           "struct %s asks for what this version of the library does not know: the "
                           "program was compiled with a newer one",
                           name);
    return ML_OK;
}

enum ml_status ml_sized_check_numbers(const struct ml_sized_number *numbers, const char *name,
                                      struct ml_error *err)
{
    for (; numbers->name; numbers++)
        if (numbers->value < numbers->least || numbers->value > numbers->most)
            return ml_fail(err, ML_E_INPUT,
                           "struct %s: its member `%s` is %lld, and must be %lld .. %lld", name,
                           numbers->name, (long long)numbers->value, (long long)numbers->least,
                           (long long)numbers->most);
    return ML_OK;
}

void ml_sized_begin(void *own, size_t size, const void *given)
{
    const size_t there = given ? sized_size(given) : 0;
    memcpy(own, there > 0 ? given : own, there < size ? there : size);
}

bool ml_sized_write(void *given, const void *own, size_t size)
{
    if (!given)
        return true;
    const size_t there = sized_size(given), shared = there < size ? there : size;
    if (there < sizeof there)
        return false;
    memcpy((char *)given + sizeof there, (const char *)own + sizeof there, shared - sizeof there);
    return true;
}
