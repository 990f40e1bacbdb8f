/* What a kernel is made for: text of its spec, and the choice among the kernels there are. */
#include "engine/spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text that grows, as far as there is room. */
struct spec_text {
    char *to;
    size_t used;
};

static struct spec_text spec_empty(char *out)
{
    out[0] = '\0';
    return (struct spec_text){out, 0};
}

static void spec_add(struct spec_text *text, const char *format, ...)
{
    const size_t room = text->used < ML_SPEC_SIZE ? ML_SPEC_SIZE - text->used : 0;
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(room > 0 ? text->to + text->used : NULL, room, format, args);
    va_end(args);
    text->used += (size_t)n;
}

static const char *spec_system(const struct ml_ensemble *ensemble)
{
    return ensemble->kernels->registry->systems[ml_ensemble_i_system(ensemble)]->name;
}

static const char *spec_solver(const struct ml_ensemble *ensemble)
{
    return ensemble->kernels->solvers[ensemble->model.solver].name;
}

static void spec_add_choices(struct spec_text *text, const struct ml_instance *model)
{
    for (int i = 0; i < ML_MAX_CHOICES; i++)
        spec_add(text, "%s%d", i > 0 ? "," : "", model->choice[i]);
}

/* One force: what it is, where it acts, where its numbers and states are, which of its numbers are
 * the default, and what each of those that change over time does. */
static void spec_add_law(struct spec_text *text, const struct ml_law *law)
{
    spec_add(text, "{.type=%d,.joint=%d,.segment=%d,.constant=%d,.state=%d,.defaults={", law->type,
             law->joint, law->segment, law->constant, law->state);
    for (int w = 0; w < ML_LAW_DEFAULTS / 64; w++)
        spec_add(text, "%s%lluu", w > 0 ? "," : "", (unsigned long long)law->defaults[w]);
    spec_add(text, "}");
    if (law->n_signal > 0)
        spec_add(text, ",.n_signal=%d,.signals=(const struct ml_signal[]){", law->n_signal);
    for (int c = 0; c < law->n_signal; c++)
        spec_add(text, "%s{%d}", c > 0 ? "," : "", (int)law->signals[c].type);
    spec_add(text, "%s}", law->n_signal > 0 ? "}" : "");
}

bool ml_spec_text(const struct ml_ensemble *ensemble, char out[ML_SPEC_SIZE])
{
    const struct ml_instance *model = &ensemble->model;
    struct spec_text text = spec_empty(out);
    spec_add(&text, "%s n=%d %s joint_terms=%d columns=%d parameters=%d", spec_system(ensemble),
             model->n, spec_solver(ensemble), model->has_joint_terms, model->n_column > 0,
             model->n_sens > 0);
    if (ensemble->is_adaptive)
        spec_add(&text, " adaptive");
    if (model->n_law > 0) {
        spec_add(&text, " choice=");
        spec_add_choices(&text, model);
    }
    for (int l = 0; l < model->n_law; l++) {
        spec_add(&text, " %s", ensemble->kernels->registry->forces[model->laws[l].type]->name);
        spec_add_law(&text, &model->laws[l]);
    }
    return text.used < ML_SPEC_SIZE;
}

bool ml_spec_defines(const struct ml_ensemble *ensemble, char out[ML_SPEC_SIZE])
{
    const struct ml_instance *model = &ensemble->model;
    struct spec_text text = spec_empty(out);
    char line[ML_SPEC_SIZE];
    if (!ml_spec_text(ensemble, line))
        return false;
    spec_add(&text, "#define ML_SPEC_TEXT \"%s\"\n", line);
    spec_add(&text, "#define ML_SYSTEM_%s 1\n#define ML_SPEC_N %d\n", spec_system(ensemble),
             model->n);
    spec_add(&text, "#define ML_SPEC_SOLVER ML_SOLVER_%s\n", spec_solver(ensemble));
    spec_add(&text, "#define ML_SPEC_JOINT_TERMS %d\n", model->has_joint_terms);
    spec_add(&text, "#define ML_SPEC_COLUMNS %d\n", model->n_column > 0);
    spec_add(&text, "#define ML_SPEC_PARAMETERS %d\n", model->n_sens > 0);
    spec_add(&text, "#define ML_SPEC_ADAPTIVE %d\n", ensemble->is_adaptive);
    spec_add(&text, "#define ML_SPEC_CHOICE ");
    spec_add_choices(&text, model);
    spec_add(&text, "\n");
    if (model->n_law == 0)
        return text.used < ML_SPEC_SIZE;
    spec_add(&text, "#define ML_SPEC_N_LAW %d\n#define ML_SPEC_LAW_CONSTANT %d\n", model->n_law,
             model->n_law_constant);
    spec_add(&text, "#define ML_SPEC_LAW_STATE %d\n#define ML_SPEC_LAWS ", model->n_law_state);
    for (int l = 0; l < model->n_law; l++) {
        spec_add(&text, "%s", l > 0 ? "," : "");
        spec_add_law(&text, &model->laws[l]);
    }
    spec_add(&text, "\n#define ML_SPEC_EACH_LAW(DO)");
    for (int l = 0; l < model->n_law; l++)
        spec_add(&text, " DO(%s, %d)",
                 ensemble->kernels->registry->forces[model->laws[l].type]->name, l);
    spec_add(&text, "\n");
    return text.used < ML_SPEC_SIZE;
}

const struct ml_kernel *ml_kernel_for(const struct ml_ensemble *ensemble)
{
    const struct ml_kernels *kernels = ensemble->kernels;
    char text[ML_SPEC_SIZE];
    if (ensemble->takes_general || ensemble->model.is_compensated ||
        !ml_method_is_tableau(ml_ensemble_method(ensemble)) || !ml_spec_text(ensemble, text))
        return kernels->general[ml_ensemble_i_system(ensemble)];
    if (ensemble->made && strcmp(ensemble->made->spec, text) == 0)
        return ensemble->made;
    for (int i = 0; kernels->built_in[i]; i++)
        if (strcmp(kernels->built_in[i]->spec, text) == 0)
            return kernels->built_in[i];
    return kernels->general[ml_ensemble_i_system(ensemble)];
}
