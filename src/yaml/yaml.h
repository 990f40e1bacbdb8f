/* YAML text to a tree of nodes: the part of YAML 1.2 a study file needs, and no more. */
#ifndef ML_YAML_YAML_H
#define ML_YAML_YAML_H

#include "base/text.h"
#include "yaml/problems.h"

enum { ML_YAML_DEPTH = 64 }; /* deepest nesting */

/* Reads one document. Refused: anchors, aliases, tags, directives, a second document, duplicate
 * keys, keys that are no scalars, control characters, invalid UTF-8, deeper nesting.
 *   option  0: the text is the file; k: the value of the k-th --set, where all places are equal
 * Returns NULL after telling `problems`; borrows memory from problems->pool. */
struct ml_node *ml_yaml_read(const char *text, size_t length, int option,
                             struct ml_problems *problems);

/* Bytes of the byte order mark the text begins with: 0 or 3. */
size_t ml_text_mark(const char *text, size_t length);

/* False, and one problem told, unless the text is UTF-8 of printable characters, blanks, tabs and
 * line ends. */
bool ml_text_check(const char *text, size_t length, int option, struct ml_problems *problems);

#endif
