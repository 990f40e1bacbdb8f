/* Blocks of numbers in a page: base64 of a zlib stream of 32-bit floats, little-endian. */
#ifndef ML_REPORT_BLOCK_H
#define ML_REPORT_BLOCK_H

#include "report/parts.h"

#include <stdio.h>

/* Writes the parts of a block one after the other. Of each, first the lowest byte of every number,
 * then the next, and so on, which compresses better. */
enum ml_status ml_report_block_write(const struct ml_report_parts *parts,
                                     enum ml_report_place block, FILE *file, struct ml_error *err);

#endif
