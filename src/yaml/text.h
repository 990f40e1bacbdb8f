/* The characters that a study file may have. */
#ifndef ML_YAML_TEXT_H
#define ML_YAML_TEXT_H

#include "base/text.h"
#include "yaml/problems.h"

/* Bytes of the byte order mark the text begins with: 0 or 3. */
size_t ml_text_mark(const char *text, size_t length);

/* False, and one problem told, unless the text is UTF-8 of printable characters, blanks, tabs and
 * line ends. */
bool ml_text_check(const char *text, size_t length, int option, struct ml_problems *problems);

#endif
