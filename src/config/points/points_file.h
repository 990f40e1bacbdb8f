/* A file of points of a sample: a row is a run, a column the numbers of a key. CSV in any of its
 * kinds, or HDF5 with a dataset for each column. */
#ifndef ML_CONFIG_POINTS_FILE_H
#define ML_CONFIG_POINTS_FILE_H

#include "config/schema/reader.h"
#include "design/axis.h"
#include "h5/h5.h"

struct ml_points_file;

/* Opens the file at a path, which key `file` of a map names; NULL after a problem. */
struct ml_points_file *ml_points_file_open(struct ml_reader *r, const struct ml_node *map,
                                           const char *path);

/* Name of column i; NULL past the last. */
const char *ml_points_file_name(const struct ml_points_file *points, int i);

/* Has the numbers of the next column read, in that unit; false after a problem.
 *   location  of the name, for problems
 *   unit      of the keys that take the numbers; "1" of factors */
bool ml_points_file_choose(struct ml_points_file *points, struct ml_location location,
                           const char *name, const char *unit);

/* Reads the chosen columns, and gives each key of the axis the numbers of that with the key's
 * dimension; false after a problem.
 *   axis      gets a count, the rows
 *   checksum  XXH3 (64 bits) of the numbers, column by column */
bool ml_points_file_read(struct ml_points_file *points, struct ml_axis *axis, uint64_t *checksum);

/* Ends the reading of a file of HDF5, whose failure is a problem of the study: "cannot read THING".
 *   file  -1: not open */
bool ml_points_end_h5(struct ml_reader *r, struct ml_location location, const char *thing,
                      struct ml_h5 *h5, hid_t file);

#endif
