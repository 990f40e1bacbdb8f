/* Formulas of names, such as `overshoot < 5e-2 and abs(angle) < 3 deg`, with the operators,
 * functions and units of formulas in studies (docs/equations.md). */
#ifndef MANYLINK_FORMULA_H
#define MANYLINK_FORMULA_H

#include "manylink/api.h"
#include "manylink/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ml_formula; /* does not change once read: threads may share a formula */

/* The number that a formula has for a name, from 0 on; -1 for an unknown name.
 *   unit  out: of the values of the name, such as rad/s; NULL, as before the call: not known */
typedef int ml_formula_name_fn(void *context, const char *name, const char **unit);

/* Reads a formula. Names are letters, digits, _, points between these, and indices as in a[2].
 *   name     is called for every name, with `context`
 *   formula  out: freed by ml_formula_free; NULL on failure
 * Returns ML_E_INPUT with the place in the text: of an unknown name, or a sum or comparison of
 * unlike units. */
ML_API enum ml_status ml_formula_read(const char *text, ml_formula_name_fn *name, void *context,
                                      struct ml_formula **formula, struct ml_error *error);
ML_API void ml_formula_free(struct ml_formula *formula); /* NULL is allowed */

/* Whether the value is true or false: a comparison, or several. */
ML_API int ml_formula_is_condition(const struct ml_formula *formula);

/* The value, a truth as 1 or 0, with the bits that formulas of studies have on the slowest
 * instruction set that is built.
 *   numbers  by the numbers that `name` has given; those of the names in the formula are read */
ML_API double ml_formula_value(const struct ml_formula *formula, const double *numbers);

#ifdef __cplusplus
}
#endif

#endif
