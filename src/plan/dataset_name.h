/* Names of datasets that are made of quantities and labels, which can have any character. */
#ifndef ML_PLAN_DATASET_NAME_H
#define ML_PLAN_DATASET_NAME_H

enum { ML_NAME_LENGTH = 256 }; /* bytes, with the end of the text */

/* Makes every "/" a "|": HDF5 takes the text before a slash for a group. */
void ml_name_replace_slashes(char *name);

/* Appends ".LABEL", without the point to an empty name, and replaces slashes; cuts a name that is
 * too long. */
void ml_name_append(char name[ML_NAME_LENGTH], const char *label);

#endif
