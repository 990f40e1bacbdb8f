/* The text of a kernel's spec, and the choice among the existing kernels. */
#include "engine/kernels/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "model/equations.h"
#include "model/quantities.h"

static const char *spec_solver(const struct ml_ensemble *ensemble)
{
    return ensemble->kernels->solvers[ensemble->model.solver].name;
}

/* The law of one force as an initialiser of struct ml_law. */
static void spec_add_law(FILE *text, const struct ml_law *law)
{
    (void)fprintf(text, "{.type=%d,.joint=%d,.segment=%d,.constant=%d,.state=%d,.defaults={",
                  law->type, law->joint, law->segment, law->constant, law->state);
    for (int w = 0; w < ML_LAW_DEFAULTS / 64; w++)
        (void)fprintf(text, "%s%lluu", w > 0 ? "," : "", (unsigned long long)law->defaults[w]);
    (void)fprintf(text, "}%s", law->has_limit ? ",.has_limit=1" : "");
    if (law->feedback > 0)
        (void)fprintf(text, ",.feedback=%d,.is_sampled=%d", law->feedback, law->is_sampled);
    if (law->formula)
        (void)fprintf(text, ",.n_state=%d,.i_formula=%d", law->n_state, law->i_formula);
    if (law->n_signal > 0)
        (void)fprintf(text, ",.n_signal=%d,.signals=(const struct ml_signal[]){", law->n_signal);
    for (int c = 0; c < law->n_signal; c++)
        (void)fprintf(text, "%s{%d}", c > 0 ? "," : "", (int)law->signals[c].type);
    (void)fprintf(text, "%s}", law->n_signal > 0 ? "}" : "");
}

static void spec_add_laws(FILE *text, const struct ml_ensemble *ensemble)
{
    const struct ml_instance *model = &ensemble->model;
    (void)fprintf(text, "#define ML_SPEC_N_LAW %d\n#define ML_SPEC_LAW_CONSTANT %d\n", model->n_law,
                  model->n_law_constant);
    (void)fprintf(text, "#define ML_SPEC_LAW_STATE %d\n#define ML_SPEC_LAWS ", model->n_law_state);
    for (int l = 0; l < model->n_law; l++) {
        (void)fprintf(text, "%s", l > 0 ? "," : "");
        spec_add_law(text, &model->laws[l]);
    }
    (void)fprintf(text, "\n%s#define ML_SPEC_EACH_LAW(DO)",
                  ensemble->code ? "#define ML_SPEC_FORMULAS 1\n" : "");
    for (int l = 0; l < model->n_law; l++)
        (void)fprintf(text, " DO(%s, %d)",
                      ensemble->kernels->registry->forces[model->laws[l].type]->name, l);
    (void)fprintf(text, "\n");
}

bool ml_spec_is_wide(const struct ml_ensemble *ensemble)
{
    enum { MOST_STATES = 20 }; /* beyond, loops are as fast */
    const struct ml_instance *model = &ensemble->model;
    const int n_x = ml_n_x(model);
    const int n_row = ml_rows_step(model, 0) - n_x * model->n_column -
                      ml_quantities_rows(model) * (model->n_column > 0 ? 2 : 1);
    return n_x > MOST_STATES || n_row > ML_KERNEL_LOCAL_ROWS;
}

/* CMakeLists.txt writes the same for the lines of kernels.def. */
static void spec_add_all(FILE *text, const struct ml_ensemble *ensemble)
{
    const struct ml_instance *model = &ensemble->model;
    const struct ml_method *method = ensemble->method;
    (void)fprintf(text, "#define ML_SYSTEM_%s 1\n#define ML_SPEC_N %d\n", model->system->name,
                  model->n);
    (void)fprintf(text, "#define ML_SPEC_SOLVER ML_SOLVER_%s\n", spec_solver(ensemble));
    (void)fprintf(text, "#define ML_SPEC_JOINT_TERMS %d\n", model->has_joint_terms);
    (void)fprintf(text, "#define ML_SPEC_COLUMNS %d\n", model->n_column > 0);
    (void)fprintf(text, "#define ML_SPEC_PARAMETERS %d\n", model->n_sens > 0);
    (void)fprintf(text, "#define ML_SPEC_ADAPTIVE %d\n", ensemble->time.is_adaptive);
    (void)fprintf(text, "#define ML_SPEC_IMPLICIT %d\n", method->implicit != NULL);
    (void)fprintf(text, "#define ML_SPEC_SPLITTING %d\n", method->splitting != NULL);
    if (method->is_map)
        (void)fprintf(text, "#define ML_SPEC_MAP 1\n");
    (void)fprintf(text, "#define ML_SPEC_COMPENSATED %d\n", model->is_compensated);
    (void)fprintf(text, "#define ML_SPEC_WIDE %d\n", ml_spec_is_wide(ensemble));
    (void)fprintf(text, "#define ML_SPEC_PLUGIN %d\n",
                  ensemble->code != NULL && model->own && !model->system->has_formulas);
    (void)fprintf(text, "#define ML_SPEC_CHOICE ");
    for (int i = 0; i < ML_MAX_CHOICES; i++) /* laws alone see them */
        (void)fprintf(text, "%s%d", i > 0 ? "," : "", model->n_law > 0 ? model->choice[i] : 0);
    (void)fprintf(text, "\n");
    if (model->n_law > 0)
        spec_add_laws(text, ensemble);
    /* where derivatives, or the past that controllers see, stand behind them */
    if ((model->n_sens > 0 || model->n_law > 0) && model->n_quantity_constant > 0)
        (void)fprintf(text, "#define ML_SPEC_QUANTITY_CONSTANT %d\n", model->n_quantity_constant);
    if (model->system->has_formulas)
        (void)fprintf(text,
                      "#define ML_SPEC_STATE %d\n#define ML_SPEC_CONSTANT %d\n"
                      "#define ML_SPEC_KEPT %d\n",
                      ml_n_x(model), model->system->dynamics.constant_rows(model),
                      ml_equations_kept(model->own));
    if (ensemble->code) {
        char hash[ML_SPEC_HASH];
        ml_spec_hash(ensemble->code, hash);
        (void)fprintf(text, "#define ML_SPEC_CODE \"%s\"\n", hash);
    }
}

/* An initialiser of struct ml_sum. */
static void spec_add_sum(FILE *text, const struct ml_sum *sum)
{
    (void)fprintf(text, "{%a,%d,%s", sum->divisor, sum->n_term,
                  sum->n_term > 0 ? "(const struct ml_term[]){" : "0");
    for (int i = 0; i < sum->n_term; i++)
        (void)fprintf(text, "{%d,%a},", sum->terms[i].stage, sum->terms[i].weight);
    (void)fprintf(text, "%s}", sum->n_term > 0 ? "}" : "");
}

static void spec_add_window(FILE *text, const struct ml_ensemble *ensemble)
{
    const struct ml_method *method = ensemble->method;
    const int n_stage = ensemble->time.is_adaptive ? method->n_stage : method->n_step_stage;
    (void)fprintf(text, "#define ML_SPEC_N_COLUMN %d\n#define ML_SPEC_N_SENS %d\n",
                  ensemble->model.n_column, ensemble->model.n_sens);
    (void)fprintf(text, "#define ML_SPEC_ROWS %d\n",
                  ml_rows_step(&ensemble->model, ml_method_kept(method)));
    (void)fprintf(
        text,
        "#define ML_SPEC_METHOD {.n_stage=%d,.n_step_stage=%d,.stage=(const struct ml_sum[]){",
        method->n_stage, method->n_step_stage);
    for (int s = 0; s < n_stage; s++) {
        spec_add_sum(text, &method->stage[s]);
        (void)fprintf(text, ",");
    }
    (void)fprintf(text, "},.node=(const double[]){");
    for (int s = 0; s < n_stage; s++)
        (void)fprintf(text, "%a,", method->node[s]);
    (void)fprintf(text, "},.step=");
    spec_add_sum(text, &method->step);
    if (ensemble->time.is_adaptive) {
        (void)fprintf(text, ",.order=%d,.embedded_order=%d,.second_order=%d,.is_fsal=%d,.error=",
                      method->order, method->embedded_order, method->second_order, method->is_fsal);
        spec_add_sum(text, &method->error);
        (void)fprintf(text, ",.second_error=");
        spec_add_sum(text, &method->second_error);
    }
    (void)fprintf(text, "}\n");
}

/* The text that a function writes. */
static char *spec_write(void (*write)(FILE *text, const struct ml_ensemble *ensemble),
                        const struct ml_ensemble *ensemble)
{
    char *out = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&out, &size);
    if (!text)
        return NULL;
    write(text, ensemble);
    const bool is_whole = !ferror(text);
    if (fclose(text) == 0 && is_whole)
        return out;
    free(out);
    return NULL;
}

char *ml_spec_text(const struct ml_ensemble *ensemble)
{
    return spec_write(spec_add_all, ensemble);
}

char *ml_spec_window(const struct ml_ensemble *ensemble)
{
    return spec_write(spec_add_window, ensemble);
}

void ml_spec_hash(const char *text, char out[ML_SPEC_HASH])
{
    const XXH128_hash_t hash = XXH3_128bits(text, strlen(text));
    (void)snprintf(out, ML_SPEC_HASH, "%016llx%016llx", (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64);
}

/* ml_kernel_for, for a spec. */
static const struct ml_kernel *spec_find(const struct ml_ensemble *ensemble, const char *text)
{
    const struct ml_kernels *kernels = ensemble->kernels;
    const struct ml_kernel *made = ml_ensemble_made(ensemble);
    char hash[ML_SPEC_HASH];
    ml_spec_hash(text, hash);
    if (made && strcmp(made->spec, hash) == 0)
        return made;
    for (int i = 0; kernels->built_in[i]; i++)
        if (strcmp(kernels->built_in[i]->spec, text) == 0)
            return kernels->built_in[i];
    return ml_ensemble_general(ensemble);
}

const struct ml_kernel *ml_kernel_for(const struct ml_ensemble *ensemble)
{
    char *text = ensemble->takes_general ? NULL : ml_spec_text(ensemble);
    const struct ml_kernel *general = ml_ensemble_general(ensemble),
                           *kernel = text ? spec_find(ensemble, text) : general;
    free(text);
    return kernel;
}
