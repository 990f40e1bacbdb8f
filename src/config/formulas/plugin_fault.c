/* Checks of the descriptor of a shared object. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "config/formulas/makers.h"
#include "manylink/plugin.h"
#include "yaml/number.h"
#include "yaml/yaml.h"

bool ml_plugin_refuse(struct ml_system_fault *fault, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(fault->what, sizeof fault->what, format, args);
    va_end(args);
    return false;
}

enum { LONGEST_NAME = 40, LONGEST_TEXT = 400 };

static const char *const param_words[] = {"type", "file", "source", NULL};
static const char *const state_words[] = {"energy",
                                          "kinetic_energy",
                                          "potential_energy",
                                          "time",
                                          "run",
                                          "sensitivity",
                                          "checksums",
                                          ML_GROUND_FORCE,
                                          ML_CONTROL_ERROR,
                                          ML_JOINT_TORQUE,
                                          ML_JOINT_POWER,
                                          ML_POWER,
                                          NULL};

/* One list of names: parameters or state quantities. */
struct names {
    const char *what;            /* they are, in messages */
    const char *const *reserved; /* NULL-terminated */
    const char *name[(int)ML_PLUGIN_MAX_PARAM > (int)ML_PLUGIN_MAX_STATE ? ML_PLUGIN_MAX_PARAM
                                                                         : ML_PLUGIN_MAX_STATE];
    int n;
};

static bool is_name(const char *name)
{
    static const char *const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static const char *const others =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    return name && name[0] && strchr(letters, name[0]) && name[strspn(name, others)] == '\0' &&
           strlen(name) <= LONGEST_NAME;
}

/* Whether a text is one line of printable characters. */
static bool is_text(const char *text)
{
    uint32_t code = 0;
    if (!text || !text[0] || strlen(text) > LONGEST_TEXT)
        return false;
    for (size_t left = strlen(text), n = 0; left > 0; text += n, left -= n) {
        n = ml_text_decode(text, left, &code);
        if (n == 0 || code < ' ' || !ml_text_is_printable(code))
            return false;
    }
    return true;
}

/* Adds a name after checking the name, its unit and its doc. */
static bool plugin_fault_add(struct names *names, const char *name, const char *unit,
                             const char *doc, struct ml_system_fault *fault)
{
    if (!is_name(name))
        return ml_plugin_refuse(fault,
                                "the name of its %s %d is not made of 1 to %d letters A-Z a-z, "
                                "digits and _, beginning with a letter",
                                names->what, names->n, LONGEST_NAME);
    for (int i = 0; names->reserved[i]; i++)
        if (strcmp(names->reserved[i], name) == 0)
            return ml_plugin_refuse(fault, "its %s `%s` has a reserved name", names->what, name);
    for (int i = 0; i < names->n; i++)
        if (strcmp(names->name[i], name) == 0)
            return ml_plugin_refuse(fault, "its %s %d is called `%s` like number %d", names->what,
                                    names->n, name, i);
    if (!is_text(unit) || !is_text(doc))
        return ml_plugin_refuse(fault,
                                "the %s of its %s `%s` is not a line of 1 to %d bytes of UTF-8%s",
                                is_text(unit) ? "doc" : "unit", names->what, name, LONGEST_TEXT,
                                is_text(unit) ? "" : "; \"1\" stands for none");
    names->name[names->n++] = name;
    return true;
}

static bool are_params_sound(const struct ml_plugin *plugin, struct ml_system_fault *fault)
{
    char default_value[ML_NUMBER_TEXT], low[ML_NUMBER_TEXT], high[ML_NUMBER_TEXT];
    struct names names = {.what = "parameter", .reserved = param_words};
    if (plugin->n_param < 0 || plugin->n_param > ML_PLUGIN_MAX_PARAM ||
        (plugin->n_param > 0 && !plugin->params))
        return ml_plugin_refuse(fault, "it has %d parameters%s but must have 0 to %d",
                                plugin->n_param, plugin->params ? "" : " and no table of them",
                                (int)ML_PLUGIN_MAX_PARAM);
    for (int i = 0; i < plugin->n_param; i++) {
        const struct ml_plugin_param *param = &plugin->params[i];
        if (!plugin_fault_add(&names, param->name, param->unit, param->doc, fault))
            return false;
        if (!isfinite(param->default_value) || !(param->low <= param->default_value) ||
            !(param->default_value <= param->high))
            return ml_plugin_refuse(
                fault,
                "its parameter `%s` has the default %s, which must be a finite "
                "number from low = %s to high = %s",
                param->name, ml_number_text(param->default_value, default_value),
                ml_number_text(param->low, low), ml_number_text(param->high, high));
    }
    return true;
}

static bool is_state_sound(const struct ml_plugin *plugin, struct ml_system_fault *fault)
{
    struct names names = {.what = "state quantity", .reserved = state_words};
    if (plugin->n_state < 1 || plugin->n_state > ML_PLUGIN_MAX_STATE || !plugin->state)
        return ml_plugin_refuse(fault, "it has %d state quantities%s but must have 1 to %d",
                                plugin->n_state, plugin->state ? "" : " and no table of them",
                                (int)ML_PLUGIN_MAX_STATE);
    for (int i = 0; i < plugin->n_state; i++) {
        const struct ml_plugin_quantity *own = &plugin->state[i];
        if (!plugin_fault_add(&names, own->name, own->unit, own->doc, fault))
            return false;
    }
    return true;
}

static bool are_functions_sound(const struct ml_plugin *plugin, struct ml_system_fault *fault)
{
    if (!plugin->rates == !plugin->terms)
        return ml_plugin_refuse(fault, "it has %s `rates` %s `terms` but must have one of them",
                                plugin->rates ? "both" : "neither", plugin->rates ? "and" : "nor");
    if (plugin->terms && plugin->n_state % 2 != 0)
        return ml_plugin_refuse(fault,
                                "it has `terms` and %d state quantities, which must be an even "
                                "number: the coordinates, then their rates",
                                plugin->n_state);
    return true;
}

bool ml_plugin_is_sound(const struct ml_plugin *plugin, struct ml_system_fault *fault)
{
    if (!is_name(plugin->name))
        return ml_plugin_refuse(fault,
                                "its name is not made of 1 to %d letters A-Z a-z, digits and _, "
                                "beginning with a letter",
                                LONGEST_NAME);
    if (!is_text(plugin->doc))
        return ml_plugin_refuse(fault, "its doc is not a line of 1 to %d bytes of UTF-8",
                                LONGEST_TEXT);
    return are_params_sound(plugin, fault) && is_state_sound(plugin, fault) &&
           are_functions_sound(plugin, fault);
}
