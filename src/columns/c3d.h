/* C3D files, the binary form of motion capture systems: points, analogue channels and force plates.
 *
 * The format is that of the C3D user guide (c3d.org): a header, parameters in groups, then for each
 * frame the points and the analogue samples of the frame, as 16-bit integers with scales or as
 * 32-bit numbers, in the byte order and the floating-point form of an Intel, DEC (VAX) or MIPS
 * processor. */
#ifndef ML_COLUMNS_C3D_H
#define ML_COLUMNS_C3D_H

#include <stdbool.h>
#include <stddef.h>

#include "yaml/problems.h"

bool ml_c3d_is(const char *bytes, size_t length);

/* A file as text of a table with its units; NULL after a problem, or without memory. Points:
 *
 *   SampleRate=100
 *   Frame  RKNE/x [mm]  RKNE/y [mm]  RKNE/z [mm]
 *
 * with nan where a point was not seen. With `of_analog`, or without points, the analogue
 * channels at their own rate, and of plate k the force and the point where that acts with the
 * plate's moment about the vertical alone, in the axes of the room, as plate<k>_fx to _fz and _px
 * to _pz; a point is nan where the force is below 1 N.
 *   length  out */
char *ml_c3d_text(struct ml_problems *problems, const char *bytes, size_t n_byte, bool of_analog,
                  size_t *length);

#endif
