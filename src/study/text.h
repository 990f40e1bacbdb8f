/* What text a study file may consist of. */
#ifndef ML_STUDY_TEXT_H
#define ML_STUDY_TEXT_H

#include <stdint.h>

#include "study/problems.h"

/* Bytes of the byte order mark the text begins with: 0 or 3. */
size_t ml_text_mark(const char *text, size_t length);

/* Bytes of the UTF-8 character at `text` and its code point; 0 if it is none (RFC 3629). */
size_t ml_text_decode(const char *text, size_t length, uint32_t *code);

/* What YAML 1.2 section 5.1 calls printable. */
bool ml_text_is_printable(uint32_t code);

/* Puts a ? where a text that is shown is no UTF-8 or not printable. */
void ml_text_show(char *text, size_t length);

/* False, and one problem told, unless the text is UTF-8 of printable characters, blanks, tabs and
 * line ends. */
bool ml_text_check(const char *text, size_t length, int option, struct ml_problems *problems);

#endif
