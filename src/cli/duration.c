/* Reads times such as 90s, 1.5h and 1-02:00:00. */
#include "cli/duration.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double minute = 60.0, hour = 3600.0, day = 86400.0; /* s */

/* A number without sign at *text, which is moved past it. */
static bool take_number(const char **text, double *out)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    *out = strtod(*text, &end);
    *text = end;
    return isfinite(*out);
}

/* "3h50m": numbers with units, the largest first. */
static bool parse_units(const char *text, double *seconds)
{
    const struct {
        char letter;
        double unit;
    } units[] = {{'d', day}, {'h', hour}, {'m', minute}, {'s', 1.0}};
    double number;
    for (size_t i = 0; *text; i++, text++) {
        if (!take_number(&text, &number))
            return false;
        while (i < sizeof units / sizeof *units && *text != units[i].letter)
            i++;
        if (i == sizeof units / sizeof *units)
            return false;
        *seconds += number * units[i].unit;
    }
    return true;
}

/* "[D-]H:M:S" or "M:S". */
static bool parse_clock(const char *text, double *seconds)
{
    const char *dash = strchr(text, '-');
    double number, days = 0.0;
    if (dash && (!take_number(&text, &days) || text++ != dash))
        return false;
    int n = 0;
    for (;; n++) {
        if (!take_number(&text, &number))
            return false;
        *seconds = *seconds * 60.0 + number;
        if (*text != ':')
            break;
        text++;
    }
    *seconds += days * day;
    return *text == '\0' && n <= 2 && (!dash || n == 2);
}

bool parse_duration(const char *text, double *seconds)
{
    const char *rest = text;
    *seconds = 0.0;
    bool is_good;
    if (strpbrk(text, ":-"))
        is_good = parse_clock(text, seconds);
    else if (take_number(&rest, seconds) && *rest == '\0')
        is_good = true;
    else {
        *seconds = 0.0;
        is_good = parse_units(text, seconds);
    }
    return is_good && *seconds > 0.0 && isfinite(*seconds);
}
