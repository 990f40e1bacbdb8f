/* Checks a shared object without running any of it. */

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/open.h"

enum { MOST_SEGMENTS = 256 };

static bool object_file_find_checksum(FILE *file, uint64_t *out)
{
    enum { CHUNK = 1 << 16 };
    char bytes[CHUNK];
    size_t n = 0;
    XXH3_state_t *state = XXH3_createState();
    bool is_good = state && XXH3_64bits_reset(state) == XXH_OK;
    do {
        n = is_good ? fread(bytes, 1, CHUNK, file) : 0;
        is_good = is_good && XXH3_64bits_update(state, bytes, n) == XXH_OK;
    } while (n > 0);
    is_good = is_good && !ferror(file);
    if (is_good)
        *out = XXH3_64bits_digest(state);
    (void)XXH3_freeState(state);
    return is_good;
}

static uint64_t greater(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Bytes that an ELF file of this machine's kind must have, by its headers; 0 if it is not one: then
 * the system refuses it. */
static uint64_t find_extent(FILE *file)
{
    Elf64_Ehdr head;
    Elf64_Phdr segments[MOST_SEGMENTS];
    if (fread(&head, sizeof head, 1, file) != 1 || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof *segments ||
        head.e_phnum > MOST_SEGMENTS)
        return 0;
    uint64_t extent = greater(head.e_phoff + (uint64_t)head.e_phnum * sizeof *segments,
                              head.e_shoff + (uint64_t)head.e_shnum * head.e_shentsize);
    if (fseek(file, (long)head.e_phoff, SEEK_SET) != 0 ||
        fread(segments, sizeof *segments, head.e_phnum, file) != head.e_phnum)
        return extent;
    for (int i = 0; i < head.e_phnum; i++)
        if (segments[i].p_type == PT_LOAD)
            extent = greater(extent, segments[i].p_offset + segments[i].p_filesz);
    return extent;
}

bool ml_object_file_check(const char *path, uint64_t *checksum, char *why, size_t size)
{
    FILE *file = ml_open_stream(path);
    if (!file) {
        (void)snprintf(why, size, "it cannot be loaded: %s", ml_open_reason(errno));
        return false;
    }
    const bool is_read = object_file_find_checksum(file, checksum);
    const int error = errno;
    const uint64_t length = (uint64_t)ftello(file);
    const uint64_t extent = is_read && fseeko(file, 0, SEEK_SET) == 0 ? find_extent(file) : 0;
    (void)fclose(file);
    if (!is_read)
        (void)snprintf(why, size, "it cannot be read: %s", strerror(error));
    else if (extent > length)
        (void)snprintf(why, size,
                       "it is cut off: it has %llu of %llu bytes; is it being built or copied?",
                       (unsigned long long)length, (unsigned long long)extent);
    return is_read && extent <= length;
}
