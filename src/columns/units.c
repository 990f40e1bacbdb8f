/* Units by their names. */
#include "columns/units.h"

#include <stddef.h>

const struct ml_unit *ml_unit_find(struct ml_span text)
{
    static const struct ml_unit units[] = {
        {"s", "s", 1.0},
        {"sec", "s", 1.0},
        {"ms", "s", 1e-3},
        {"m", "m", 1.0},
        {"cm", "m", 1e-2},
        {"mm", "m", 1e-3},
        {"rad", "rad", 1.0},
        {"deg", "rad", ML_DEGREE},
        {"degrees", "rad", ML_DEGREE},
        {"\u00b0", "rad", ML_DEGREE},
        {"rad/s", "rad/s", 1.0},
        {"deg/s", "rad/s", ML_DEGREE},
        {"m/s", "m/s", 1.0},
        {"mm/s", "m/s", 1e-3},
        {"rad/s^2", "rad/s^2", 1.0},
        {"m/s^2", "m/s^2", 1.0},
        {"kg", "kg", 1.0},
        {"g", "kg", 1e-3},
        {"N", "N", 1.0},
        {"kN", "N", 1e3},
        {"Nm", "N m", 1.0},
        {"N m", "N m", 1.0},
        {"N.m", "N m", 1.0},
        {"N*m", "N m", 1.0},
        {"Nmm", "N m", 1e-3},
        {"N mm", "N m", 1e-3},
        {"N.mm", "N m", 1e-3},
        {"W", "W", 1.0},
        {"Hz", "Hz", 1.0},
    };
    text = ml_span_trim(text);
    const bool is_bracketed =
        text.to - text.from > 2 &&
        ((*text.from == '(' && text.to[-1] == ')') || (*text.from == '[' && text.to[-1] == ']'));
    if (is_bracketed)
        text = ml_span_trim((struct ml_span){text.from + 1, text.to - 1});
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (ml_span_is(text, units[i].text))
            return &units[i];
    return NULL;
}

const struct ml_unit *ml_unit_cut(struct ml_span *name)
{
    if (name->from == name->to || (name->to[-1] != ')' && name->to[-1] != ']'))
        return NULL;
    const char *open = name->to - 1;
    while (open > name->from && *open != '(' && *open != '[')
        open--;
    const struct ml_unit *unit = ml_unit_find((struct ml_span){open, name->to});
    if (unit && open > name->from)
        *name = ml_span_trim((struct ml_span){name->from, open});
    return unit;
}
