/* Public structs that begin with their size: `size_t size`, set by the caller to sizeof. Callers
 * that were compiled with an older or newer version of the headers have fewer or more members. */
#ifndef ML_BASE_SIZED_H
#define ML_BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manylink/status.h"

/* Copies the caller's options; members that they do not have are 0. ML_E_INPUT for NULL, for a
 * size that cannot be one, and for members not known here that are not 0.
 *   own   [size] bytes, filled in
 *   name  of the struct, for messages */
enum ml_status ml_sized_read(void *own, size_t size, const void *given, const char *name,
                             struct ml_error *err);

/* A member that is a number, and its range. */
struct ml_sized_number {
    const char *name; /* NULL ends a list */
    int64_t value, least, most;
};
#define ML_SIZED_NUMBERS(...)          \
    (const struct ml_sized_number[])   \
    {                                  \
        __VA_ARGS__, { NULL, 0, 0, 0 } \
    }

/* ML_E_INPUT if a number of a list is out of its range. */
enum ml_status ml_sized_check_numbers(const struct ml_sized_number *numbers, const char *name,
                                      struct ml_error *err);

/* ML_E_INPUT if a struct that the caller wants filled in has an impossible size; NULL is allowed.
 */
enum ml_status ml_sized_check(const void *given, const char *name, struct ml_error *err);

/* Copies the caller's struct, as far as it goes, to have the addresses of its arrays. NULL is
 * allowed.
 *   own  [size] bytes, 0 */
void ml_sized_begin(void *own, size_t size, const void *given);

/* Fills in the members that the caller has, and keeps the caller's size; NULL is allowed.
 * False, with nothing filled in, if that size is impossible, such as 0.
 *   own  [size] bytes */
bool ml_sized_write(void *given, const void *own, size_t size);

#endif
