/* Units behind numbers, as in 9.81 m/s^2, in SI. */
#ifndef ML_EXPR_UNITS_H
#define ML_EXPR_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/* 60^sixties 10^tens (pi/180)^degrees times powers of kg, m, s, A, K and Hz; an angle in radians is
 * 1, and so cycles per second are no 1/s. */
enum { ML_BASE_UNITS = 6 };
struct ml_si_unit {
    bool is_known;
    int sixties, tens, degrees, power[ML_BASE_UNITS];
};

/* Bytes of the word of a unit that begins at `at`; 0: it is none. */
size_t ml_si_unit_word(const char *at);

/* Takes such a word with its power, as s^2, and multiplies the unit by it, or with sign -1 divides.
 * False without a unit, or with a power that is too large. */
bool ml_si_unit_take(const char **at, int sign, struct ml_si_unit *unit);

/* a b^power; not known if one is not, or powers are too large. */
struct ml_si_unit ml_si_unit_times(const struct ml_si_unit *a, const struct ml_si_unit *b,
                                   int power);

/* A decimal number without a sign, `length` bytes long, in SI: rounded once, in degrees twice. */
double ml_si_unit_value(const char *digits, size_t length, const struct ml_si_unit *unit);

/* A unit without its factor. */
struct ml_si_unit ml_si_unit_plain(const struct ml_si_unit *unit);

/* The unit that a text is, such as N m/rad; not known of other texts, and of "1" and NULL. */
struct ml_si_unit ml_si_unit_of(const char *text);

/* Whether numbers of both units can be added, as far as these are known. */
bool ml_si_unit_agrees(const struct ml_si_unit *a, const struct ml_si_unit *b);

/* "kg m/s^2", or "1". */
enum { ML_SI_UNIT_TEXT = 96 };
const char *ml_si_unit_text(const struct ml_si_unit *unit, char text[ML_SI_UNIT_TEXT]);

#endif
