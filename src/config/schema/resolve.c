/* Writes the canonical text of a study: every key, with derived values. Numbers, words and texts
 * follow from the rows of the schema; functions here write the other kinds. */
#include "config/schema/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "config/schema/reader.h"
#include "config/schema/schema.h"
#include "config/schema/slots.h"
#include "config/schema/yaml_writer.h"
#include "config/sections/sections.h"
#include "model/equations.h"

/* How keys of a map stand: one below the other, so as an element of a list, or {a: 1, b: 2}. */
enum form { BLOCK, ELEMENT, FLOW };

/* A map that is written. */
struct map {
    enum form form;
    const void *fields;    /* struct that its keys are read into */
    const double *given;   /* numbers that runs can differ in, NaN where the study gives no value;
                              NULL: no such numbers */
    const double *derived; /* the same numbers, with the derived ones; NULL: none is derived */
    const struct ml_params *own; /* as of ml_schema_keys; NULL: the scope alone says its keys */
    int indent, n;               /* n: keys so far */
};

struct resolving {
    struct ml_yaml_writer *w;
    const struct ml_study_spec *spec;
    const double *derived;         /* [n_value] */
    const double *const *settings; /* [indicator] */
    const struct ml_key *key;      /* the one being written */
    const char *source; /* origin of derived numbers, for their comments; NULL: their rule */
    struct map at;      /* the one being written */
};

/* "name:" behind the keys before it. */
static void write_key(struct resolving *t, const char *name)
{
    const bool is_dash = t->at.form == ELEMENT && t->at.n == 0;
    if (t->at.form == FLOW)
        ml_write(t->w, "%s%s:", t->at.n > 0 ? ", " : "", name);
    else
        ml_write(t->w, "%*s%s%s:", t->at.indent - (is_dash ? 2 : 0), "", is_dash ? "- " : "", name);
    t->at.n++;
}

/* A name of a list " [a, b]", which has *n so far. */
static void write_item(struct resolving *t, int *n, const char *name)
{
    ml_write(t->w, "%s%s", (*n)++ > 0 ? ", " : " [", name);
}

/* Ends such a list, of n names. */
static void end_items(struct resolving *t, int n) { ml_write(t->w, n > 0 ? "]\n" : " []\n"); }

static void write_items(struct resolving *t, int n, char *const *names)
{
    for (int i = 0; i < n;)
        write_item(t, &i, names[i]);
    end_items(t, n);
}

static void write_map(struct resolving *t, enum ml_scope scope, struct map map);

/* Parts of a body. */
static void write_parts(struct resolving *t)
{
    const struct ml_instance *model = &t->spec->model;
    for (int i = 0; i < model->n;)
        write_item(t, &i, model->system->tables.parts[model->part[i]]);
    end_items(t, model->n);
}

/* {upper: 1, lower: 2}: of each segment or degree of freedom. */
static void write_by_name(struct resolving *t, const double *values)
{
    ml_write(t->w, "{");
    for (int i = 0; i < t->spec->model.n; i++) {
        ml_write(t->w, "%s%s: ", i ? ", " : "", t->spec->segment_names[i]);
        ml_write_number(t->w, values[i]);
    }
    ml_write(t->w, "}");
}

static void write_system_type(struct resolving *t)
{
    ml_write(t->w, " %s\n", t->spec->model.system->name);
}

/* Path and checksum of the source: another source makes another study. */
static void write_source(struct resolving *t)
{
    ml_write(t->w, " ");
    ml_write_text(t->w, t->spec->source.text);
    ml_write(t->w, ML_NATIVE_CHECKSUM, t->spec->source.name,
             (unsigned long long)t->spec->source.checksum);
}

/* The value of a number that a formula gives, or its ends in all runs. */
static void write_reach(struct ml_yaml_writer *w, const struct ml_defined_number *number)
{
    ml_write(w, " # ");
    ml_write_number(w, number->least);
    if (number->is_moved) {
        ml_write(w, " to ");
        ml_write_number(w, number->most);
    }
}

static int coordinates_of(const struct ml_study_spec *spec)
{
    return ((const struct ml_equations *)spec->model.own)->n_coordinate;
}

/* Formulas that the study gives below a key, or NULL. */
static const struct ml_formulas *find_formulas(const struct resolving *t, const char *key)
{
    const struct ml_system_source *source = &t->spec->source;
    if (strcmp(key, "define") == 0)
        return &source->define;
    if (strcmp(key, "functions") == 0)
        return source->functions.n > 0 ? &source->functions : NULL;
    if (strcmp(key, "rates") == 0 || strcmp(key, "next") == 0)
        return coordinates_of(t->spec) == 0 || source->rates.n > 0 ? &source->rates : NULL;
    for (int i = 0; i < source->n_formulas; i++)
        if (strcmp(source->formulas[i].key, key) == 0)
            return &source->formulas[i];
    return NULL;
}

/* Formulas by name. */
static void write_formulas_of(struct resolving *t, const struct ml_formulas *of)
{
    ml_write(t->w, of->n > 0 ? "\n" : " {}\n");
    for (int i = 0; i < of->n; i++) {
        ml_write(t->w, "%*s%s: ", t->at.indent + 2, "", of->names[i]);
        ml_write_text(t->w, of->texts[i]);
        if (of == &t->spec->numbers.formulas)
            write_reach(t->w, &t->spec->numbers.defined->numbers[i]);
        ml_write(t->w, "\n");
    }
}

static void write_formulas(struct resolving *t)
{
    const bool is_of_study = t->key->scope == ML_SCOPE_STUDY;
    write_formulas_of(t, is_of_study ? &t->spec->numbers.formulas
                                     : find_formulas(t, t->key->param.name));
}

/* [a, b] */
static void write_formula_list(struct resolving *t, int n, const char *const *texts)
{
    for (int i = 0; i < n; i++) {
        ml_write(t->w, i > 0 ? ", " : "[");
        ml_write_text(t->w, texts[i]);
    }
    ml_write(t->w, "]");
}

/* One formula, a list of them, or of rows. */
static void write_some_formulas(struct resolving *t)
{
    const struct ml_formulas *of = find_formulas(t, t->key->param.name);
    const bool is_one = t->key->kind == ML_KEY_FORMULA;
    ml_write(t->w, of->n_column > 0 ? "\n" : " ");
    for (int i = 0; i < of->n && of->n_column > 0; i += of->n_column) {
        ml_write(t->w, "%*s- ", t->at.indent + 2, "");
        write_formula_list(t, of->n_column, of->texts + i);
        ml_write(t->w, "\n");
    }
    if (is_one)
        ml_write_text(t->w, of->texts[0]);
    else if (of->n_column == 0)
        write_formula_list(t, of->n, of->texts);
    ml_write(t->w, of->n_column > 0 ? "" : "\n");
}

static void write_points(struct resolving *t)
{
    enum { OF_POINT = 4 };
    const struct ml_formulas *of = find_formulas(t, "points");
    ml_write(t->w, "\n");
    for (int i = 0; i < of->n; i += OF_POINT) {
        ml_write(t->w, "%*s- {at: ", t->at.indent + 2, "");
        write_formula_list(t, 2, of->texts + i);
        ml_write(t->w, ", force: ");
        write_formula_list(t, 2, of->texts + i + 2);
        ml_write(t->w, "}\n");
    }
}

/* A number that formulas name, or the entries of an array. */
static void write_given(struct resolving *t, const char *name, const char *unit, const char *doc,
                        int count, const double *values)
{
    ml_write(t->w, "%*s%.*s: {", t->at.indent + 2, "", (int)strcspn(name, "."), name);
    if (count > 0)
        ml_write(t->w, "count: %d, ", count);
    ml_write(t->w, "value: %s", count > 0 ? "[" : "");
    for (int i = 0; i < (count > 0 ? count : 1); i++) {
        ml_write(t->w, "%s", i > 0 ? ", " : "");
        ml_write_number(t->w, values[i]);
    }
    ml_write(t->w, "%s, unit: ", count > 0 ? "]" : "");
    ml_write_text(t->w, unit);
    ml_write(t->w, ", doc: ");
    ml_write_text(t->w, doc);
    ml_write(t->w, "}\n");
}

static void write_definitions(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    ml_write(t->w, "\n");
    for (int i = 0, k = 0; i < spec->numbers.n_definition; i++) {
        const struct ml_definition *own = &spec->numbers.definitions[i];
        if (!own->text) {
            write_given(t, own->name, own->unit, own->doc, 0,
                        &spec->numbers.base[spec->numbers.defined->first + k++]);
            continue;
        }
        ml_write(t->w, "%*s%s: ", t->at.indent + 2, "", own->name);
        ml_write_text(t->w, own->text);
        ml_write(t->w, " # ");
        ml_write_number(t->w, own->value);
        ml_write(t->w, "\n");
    }
}

/* How many params from the i-th on are entries of one array; 0: it is none. */
static int count_entries(const struct ml_system *system, int i)
{
    const char *name = system->tables.params[i].name;
    const size_t length = strcspn(name, ".");
    int n = 0;
    while (name[length] && i + n < system->tables.n_param &&
           strncmp(system->tables.params[i + n].name, name, length + 1) == 0)
        n++;
    return n;
}

/* Names of formulas; energy and momenta at the start are below `initial`. */
static void write_formula_params(struct resolving *t)
{
    const struct ml_system *system = t->spec->model.system;
    int n = 0;
    while (n < system->tables.n_param && !ml_param_is_of_start(&system->tables.params[n]))
        n++;
    ml_write(t->w, n > 0 ? "\n" : " {}\n");
    for (int i = 0, count = 0; i<n; i += count> 0 ? count : 1) {
        count = count_entries(system, i);
        write_given(t, system->tables.params[i].name, system->tables.params[i].unit,
                    system->tables.params[i].doc, count, &t->spec->numbers.base[ml_slot_param(i)]);
    }
}

/* Numbers first .. last - 1 of the state. */
static void write_states(struct resolving *t, int first, int last)
{
    const struct ml_system *system = t->spec->model.system;
    ml_write(t->w, "\n");
    for (int i = first; i < last; i++)
        write_given(t, system->tables.state[i].name, system->tables.state[i].unit,
                    system->tables.state[i].doc,
                    ml_dim_is_named(system->tables.state[i].dim[0]) ? t->spec->model.n : 0,
                    &t->spec->numbers.base[ml_slot_initial(&t->spec->model, i, 0)]);
}

static void write_coordinates(struct resolving *t) { write_states(t, 0, coordinates_of(t->spec)); }

static void write_formula_state(struct resolving *t)
{
    write_states(t, 2 * coordinates_of(t->spec), t->spec->model.system->tables.n_state);
}

/* Whether the study has nothing to say below a key of a system of formulas. */
static bool has_no_formulas(const struct resolving *t, const struct ml_key *key)
{
    const char *name = key->param.name;
    if (!t->spec->model.system->has_formulas || key->scope != ML_SCOPE_SYSTEM)
        return false;
    if (strchr(name, '.')) /* an entry of an array, which stands below `parameters` */
        return true;
    if (strcmp(name, "coordinates") == 0)
        return coordinates_of(t->spec) == 0;
    if (strcmp(name, "state") == 0)
        return 2 * coordinates_of(t->spec) == t->spec->model.system->tables.n_state;
    return (key->kind == ML_KEY_FORMULA || key->kind == ML_KEY_FORMULAS ||
            key->kind == ML_KEY_FORMULA_LIST || key->kind == ML_KEY_FORMULA_ROWS ||
            strcmp(name, "points") == 0) &&
           !find_formulas(t, name);
}

static void write_names(struct resolving *t)
{
    write_items(t, t->spec->model.n, t->spec->segment_names);
}

/* A number for each degree of freedom, or for each pair of them. */
static void write_array(struct resolving *t)
{
    const struct ml_system *system = t->spec->model.system;
    const int n = t->spec->model.n;
    int a = 0;
    while (strcmp(system->tables.arrays[a].name, t->key->param.name) != 0)
        a++;
    const double *values = t->spec->numbers.base + ml_slot_param(ml_expand_first(system, a, n));
    if (t->key->kind == ML_KEY_MATRIX) {
        ml_write_matrix(t->w, t->at.indent, &t->key->param, n, values);
        return;
    }
    ml_write(t->w, " ");
    write_by_name(t, values);
    ml_write(t->w, "\n");
}

static void write_segments(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    ml_write(t->w, "\n");
    t->source = spec->model.part ? ML_BODY : NULL;
    for (int i = 0; i < spec->model.n; i++) {
        const struct ml_segment_keys segment = {.name = spec->segment_names[i]};
        const int slot = ml_slot_segment(spec->model.system, i, 0);
        write_map(t, ML_SCOPE_SEGMENT,
                  (struct map){ELEMENT, &segment, spec->numbers.base + slot, t->derived + slot});
    }
    t->source = NULL;
}

/* Other samples make another study. */
static void write_tables(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    ml_write(t->w, "\n");
    for (int i = 0; i < spec->formulas.n_curve; i++) {
        ml_write(t->w, "  %s: {", spec->formulas.keys[i].name);
        write_map(t, ML_SCOPE_TABLE, (struct map){FLOW, &spec->formulas.keys[i]});
        ml_write(t->w, "} # XXH3 (64 bits) of the file %016llx\n",
                 (unsigned long long)spec->formulas.curves[i].breakpoints->checksum);
    }
}

static void write_named_formulas(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    ml_write(t->w, "\n");
    for (int i = 0; i < spec->formulas.n_quantity; i++) {
        ml_write(t->w, "  %s: {", spec->formulas.quantities[i].name);
        write_map(t, ML_SCOPE_QUANTITY, (struct map){FLOW, &spec->formulas.quantities[i]});
        ml_write(t->w, "}\n");
    }
}

/* A quantity of the initial state. */
static void write_state(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    const int q = ml_record(spec->model.system, t->key->param.name);
    const double *values = spec->numbers.base + ml_slot_initial(&spec->model, q, 0);
    ml_write(t->w, " ");
    if (t->key->kind == ML_KEY_QUANTITY)
        write_by_name(t, values);
    else
        ml_write_number(t->w, values[0]);
    ml_write(t->w, "\n");
}

/* The system, or the state at the start. */
static void write_of_system(struct resolving *t)
{
    ml_write(t->w, "\n");
    write_map(t, t->key->child, (struct map){BLOCK, t->spec, t->spec->numbers.base, t->derived});
}

static void write_force_type(struct resolving *t)
{
    const struct ml_force_use *use = t->at.fields;
    ml_write(t->w, " %s\n", use->type->name);
}

static void write_joint(struct resolving *t)
{
    const struct ml_force_use *use = t->at.fields;
    ml_write(t->w, " %s\n", t->spec->segment_names[use->joint]);
}

static void write_segment(struct resolving *t)
{
    const struct ml_force_use *use = t->at.fields;
    ml_write(t->w, " %s\n", t->spec->segment_names[use->segment]);
}

static const struct ml_force_texts *texts_of(const struct resolving *t)
{
    const struct ml_force_use *use = t->at.fields;
    return &t->spec->texts[use - t->spec->forces];
}

static void write_torque(struct resolving *t)
{
    ml_write(t->w, " ");
    ml_write_text(t->w, texts_of(t)->outputs[0]);
    ml_write(t->w, "\n");
}

/* Two formulas. */
static void write_force(struct resolving *t)
{
    ml_write(t->w, " [");
    ml_write_text(t->w, texts_of(t)->outputs[0]);
    ml_write(t->w, ", ");
    ml_write_text(t->w, texts_of(t)->outputs[1]);
    ml_write(t->w, "]\n");
}

static void write_force_formulas(struct resolving *t)
{
    const struct ml_force_texts *texts = texts_of(t);
    write_formulas_of(t, strcmp(t->key->param.name, "rates") == 0 ? &texts->rates : &texts->define);
}

/* Numbers of a force by formula: parameters, or states, which stand behind them. */
static void write_force_numbers(struct resolving *t)
{
    const struct ml_force_use *use = t->at.fields;
    const int all = use->type->n_param, n_state = use->type->n_state;
    const int first = t->spec->registry->forces[use->i_type]->n_param;
    const bool is_state = strcmp(t->key->param.name, "state") == 0;
    const int begin = is_state ? all - n_state : first, end = is_state ? all : all - n_state;
    ml_write(t->w, end > begin ? "\n" : " {}\n");
    for (int i = begin; i < end; i++)
        write_given(t, use->type->params[i].name, use->type->params[i].unit,
                    use->type->params[i].doc, 0, &t->at.given[i]);
}

/* A matrix or signals of a force. */
static void write_force_row(struct resolving *t)
{
    ml_write_force_row(t->w, t->at.indent, t->spec, t->at.fields, t->key->param.name);
}

static void write_forces(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    ml_write(t->w, spec->n_force ? "\n" : " []\n");
    for (int i = 0; i < spec->n_force; i++) {
        const struct ml_force_use *use = &spec->forces[i];
        const struct ml_params own = ml_force_params(use->type);
        write_map(t, ML_SCOPE_FORCE,
                  (struct map){ELEMENT, use, spec->numbers.base + use->slot, t->derived + use->slot,
                               &own});
    }
}

/* The method alone, where that is all. */
static void write_integrator(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    if (!spec->time.is_adaptive && !spec->model.is_compensated) {
        ml_write(t->w, " %s\n", ml_study_spec_method(spec)->name);
        return;
    }
    ml_write(t->w, "\n");
    write_map(t, ML_SCOPE_INTEGRATOR, (struct map){BLOCK, spec});
}

static void write_posture(struct resolving *t, const double *own)
{
    const double *values = ml_study_of_run(t->spec, own, t->spec->numbers.base);
    const bool is_point = t->spec->inverse.motion.type == ML_HAND_PATH;
    if (is_point) {
        ml_write(t->w, " [");
        ml_write_number(t->w, values[0]);
        ml_write(t->w, ", ");
        ml_write_number(t->w, values[1]);
        ml_write(t->w, "]\n");
        return;
    }
    ml_write(t->w, " {angle: ");
    write_by_name(t, values);
    ml_write(t->w, "}\n");
}

static void write_start(struct resolving *t) { write_posture(t, t->spec->inverse.motion.start); }

static void write_end(struct resolving *t) { write_posture(t, t->spec->inverse.motion.end); }

/* One of several columns, if it is given. */
static void write_column(struct resolving *t, int *n, const char *key, const char *column)
{
    if (!column)
        return;
    ml_write(t->w, "%s%s: ", (*n)++ ? ", " : "", key);
    ml_write_text(t->w, column);
}

static void write_columns(struct resolving *t)
{
    const struct ml_measured *from = &t->spec->inverse.motion.measured;
    int n = 0;
    ml_write(t->w, " {");
    write_column(t, &n, "time", from->time);
    write_column(t, &n, "base/x", from->base_columns[0]);
    write_column(t, &n, "base/y", from->base_columns[1]);
    for (int i = 0; i < t->spec->model.n; i++)
        write_column(t, &n, t->spec->segment_names[i], from->columns[i]);
    ml_write(t->w, "}\n");
}

/* A marker, or the list of those that it is the middle of. */
static void write_marker(struct resolving *t, const struct ml_marker *marker)
{
    ml_write(t->w, "%s", marker->n > 1 ? "[" : "");
    for (int m = 0; m < marker->n; m++) {
        ml_write(t->w, "%s", m ? ", " : "");
        ml_write_text(t->w, marker->names[m]);
    }
    ml_write(t->w, "%s", marker->n > 1 ? "]" : "");
}

static void write_base(struct resolving *t)
{
    ml_write(t->w, " ");
    write_marker(t, &t->spec->inverse.motion.measured.base);
    ml_write(t->w, "\n");
}

static void write_markers(struct resolving *t)
{
    const struct ml_measured *from = &t->spec->inverse.motion.measured;
    int n = 0;
    ml_write(t->w, " {");
    for (int i = 0; i < t->spec->model.n; i++) {
        if (!from->markers[i][0].n)
            continue;
        ml_write(t->w, "%s%s: [", n++ ? ", " : "", t->spec->segment_names[i]);
        write_marker(t, &from->markers[i][0]);
        ml_write(t->w, ", ");
        write_marker(t, &from->markers[i][1]);
        ml_write(t->w, "]");
    }
    ml_write(t->w, "}\n");
}

static void write_plane(struct resolving *t)
{
    const int *plane = t->spec->inverse.motion.measured.plane;
    for (int i = 0; i < 2; i++)
        ml_write(t->w, "%s%s%c", i ? ", " : " [", plane[i] < 0 ? "-" : "",
                 "xyz"[(plane[i] < 0 ? -plane[i] : plane[i]) - 1]);
    ml_write(t->w, "]\n");
}

/* Signs or offsets. */
static void write_of_angles(struct resolving *t)
{
    const struct ml_measured *from = &t->spec->inverse.motion.measured;
    ml_write(t->w, " ");
    write_by_name(t, strcmp(t->key->param.name, "sign") == 0 ? from->sign : from->offset);
    ml_write(t->w, "\n");
}

/* The keys that an axis or a range moves: one, or a list. */
static void write_set(struct resolving *t)
{
    const struct ml_axis *axis = t->at.fields;
    if (axis->n_swept == 1) {
        ml_write(t->w, " %s\n", axis->swept->path);
        return;
    }
    for (int i = 0; i < axis->n_swept;)
        write_item(t, &i, axis->swept[i].path);
    end_items(t, axis->n_swept);
}

static void write_values(struct resolving *t)
{
    const struct ml_axis *axis = t->at.fields;
    const bool is_each = axis->kind == ML_AXIS_EACH;
    for (int64_t k = 0; k < axis->count; k++) {
        ml_write(t->w, "%s%s", k ? ", " : " [", is_each ? "[" : "");
        for (int i = 0; i < (is_each ? axis->n_swept : 1); i++) {
            ml_write(t->w, "%s", i ? ", " : "");
            ml_write_number(t->w, axis->swept[i].values[k]);
        }
        ml_write(t->w, "%s", is_each ? "]" : "");
    }
    ml_write(t->w, "]\n");
}

static void write_sweep(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    ml_write(t->w, spec->runs.n_axis ? "\n" : " []\n");
    for (int i = 0; i < spec->runs.n_axis; i++) {
        if (!ml_axis_is_way(&spec->runs.axes[i]) && !spec->runs.axes[i].sample)
            write_map(t, ML_SCOPE_AXIS, (struct map){ELEMENT, &spec->runs.axes[i]});
    }
}

static void write_numbers(struct resolving *t, int64_t n, const double *numbers)
{
    for (int64_t k = 0; k < n; k++) {
        ml_write(t->w, "%s", k ? ", " : " [");
        ml_write_number(t->w, numbers[k]);
    }
    ml_write(t->w, "]\n");
}

static void write_drawn_values(struct resolving *t)
{
    const struct ml_axis *range = t->at.fields;
    write_numbers(t, range->distribution.n_value, range->distribution.values);
}

static void write_weights(struct resolving *t)
{
    const struct ml_axis *range = t->at.fields;
    const struct ml_distribution *d = &range->distribution;
    write_numbers(t, d->n_value - (d->kind == ML_TABULATED ? 1 : 0), d->weights);
}

/* The ranges of a sample, each of keys that share a random number. */
static void write_over(struct resolving *t)
{
    const struct ml_axis *all = ml_study_spec_sample(t->spec);
    ml_write(t->w, "\n");
    const int n_key = isnan(all->sample->energy_shell) ? all->n_swept : all->n_swept / 2;
    for (int i = 0, n; i < n_key; i += n) { /* without the rates on an energy shell */
        const struct ml_swept *swept = &all->swept[i];
        for (n = 1; i + n < n_key && swept[n].dimension == swept->dimension;)
            n++;
        const struct ml_axis range = {.kind = swept->is_factor ? ML_AXIS_FACTOR : ML_AXIS_SAME,
                                      .from = swept->distribution.from,
                                      .to = swept->distribution.to,
                                      .name = swept->column,
                                      .is_range = !swept->column,
                                      .is_log = swept->distribution.is_log,
                                      .distribution = swept->distribution,
                                      .group = all->sample->group ? swept->group : NULL,
                                      .swept = &all->swept[i],
                                      .n_swept = n};
        write_map(t, ML_SCOPE_OVER, (struct map){ELEMENT, &range});
    }
}

static void write_between(struct resolving *t)
{
    const struct ml_pair_keys *pair = t->at.fields;
    ml_write(t->w, " [%s, %s]\n", pair->between[0], pair->between[1]);
}

static void write_correlation(struct resolving *t)
{
    const struct ml_axis *sample = ml_study_spec_sample(t->spec);
    const struct ml_correlation *correlation = &sample->sample->correlation;
    const int n = correlation->n;
    ml_write(t->w, "\n");
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const struct ml_pair_keys pair = {
                {ml_axis_range_key(sample, j), ml_axis_range_key(sample, i)},
                correlation->matrix[i * n + j]};
            if (pair.r != 0.0)
                write_map(t, ML_SCOPE_PAIR, (struct map){ELEMENT, &pair});
        }
}

/* Other numbers make another study. */
static void write_points_file(struct resolving *t)
{
    const struct ml_sample_points *sample = t->at.fields;
    ml_write(t->w, " ");
    ml_write_text(t->w, sample->file);
    ml_write(t->w, " # XXH3 (64 bits) of the numbers %016llx\n",
             (unsigned long long)sample->checksum);
}

static void write_sample(struct resolving *t)
{
    ml_write(t->w, "\n");
    write_map(t, ML_SCOPE_SAMPLE, (struct map){BLOCK, t->spec->runs.sample});
}

/* The indicators that are differentiated, and the trajectory. */
static void write_differentiated(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    int n = 0;
    while (n < spec->derivatives.n_differentiated)
        write_item(t, &n, spec->registry->indicators[spec->derivatives.differentiated[n]]->name);
    if (ml_saving_has(&spec->saving, spec->model.system->tables.n_record))
        write_item(t, &n, ML_OF_TRAJECTORY);
    end_items(t, n);
}

static void write_to(struct resolving *t)
{
    write_items(t, t->spec->model.n_sens, t->spec->derivatives.names);
}

/* NaN is `all`, or a number that is not given. */
static bool is_shown(const struct ml_param *param, double number)
{
    return !isnan(number) || param->flags & (ML_OR_ALL | ML_BY_JOINT);
}

/* Whether the map of an owner, or of a group of its params, has a number to be shown. */
static bool has_numbers(const struct ml_params *own, const double *numbers)
{
    bool has_some = false;
    for (int i = 0; i < own->n; i++)
        if (!own->group || ml_param_is_in_group(&own->row[i], own->group))
            has_some |= is_shown(&own->row[i], numbers[i]);
    return has_some;
}

static void write_indicator(struct resolving *t)
{
    const struct ml_indicator *const *indicators = t->spec->registry->indicators;
    int i = 0;
    while (strcmp(indicators[i]->name, t->key->param.name) != 0)
        i++;
    const double *settings = t->settings[i];
    const struct ml_params *own = &t->key->below;
    if (!settings)
        return;
    write_key(t, indicators[i]->name);
    ml_write(t->w, own->takes_parameters || own->takes_poles || has_numbers(own, settings)
                       ? "\n"
                       : " {}\n");
    write_map(t, ML_SCOPE_INDICATOR, (struct map){BLOCK, t->spec, settings, .own = own});
}

static void write_poles(struct resolving *t)
{
    const int n = t->spec->model.n;
    const double *pole = t->at.given + (long)t->at.own->n * (1 + n);
    for (int i = 0; i < 2 * n; i++, pole += 2) {
        ml_write(t->w, "%s", i ? ", [" : " [[");
        ml_write_number(t->w, pole[0]);
        ml_write(t->w, ", ");
        ml_write_number(t->w, pole[1]);
        ml_write(t->w, "]");
    }
    ml_write(t->w, "]\n");
}

/* One number for all joints, or their own, which stand behind the numbers of the owner. */
static void write_of_joints(struct resolving *t)
{
    const int slot = t->key->slot;
    ml_write(t->w, " ");
    if (isnan(t->at.given[slot]))
        write_by_name(t, t->at.given + t->at.own->n + (long)slot * t->spec->model.n);
    else
        ml_write_number(t->w, t->at.given[slot]);
    ml_write(t->w, "\n");
}

/* The path of a quantity, or a formula, which is quoted. */
static void write_chosen(struct resolving *t, const char *text)
{
    const char *bytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
    if (text[strspn(text, bytes)] == '\0')
        ml_write(t->w, "%s", text);
    else
        ml_write_text(t->w, text);
}

static void write_observables(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    ml_write(t->w, "\n");
    for (int i = 0; i < spec->indicators.n_observable; i++) {
        ml_write(t->w, "%*s%s: {", t->at.indent + 2, "", spec->indicators.observables[i].name);
        write_map(t, ML_SCOPE_OBSERVABLE, (struct map){FLOW, &spec->indicators.observable_keys[i]});
        ml_write(t->w, "}\n");
    }
}

static void write_requirements(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    ml_write(t->w, "\n");
    for (int i = 0; i < spec->indicators.n_requirement; i++) {
        ml_write(t->w, "%*s%s: {", t->at.indent + 2, "", spec->indicators.requirements[i].name);
        write_map(t, ML_SCOPE_REQUIREMENT, (struct map){FLOW, &spec->indicators.requirements[i]});
        ml_write(t->w, "}\n");
    }
}

static void write_fit_columns(struct resolving *t)
{
    const struct ml_fit_spec *fit = &t->spec->fit;
    int n = 0;
    ml_write(t->w, " {");
    for (int i = 0; i < fit->n_listed; i++)
        write_column(t, &n, fit->listed[i].name, fit->listed[i].column);
    ml_write(t->w, "}\n");
}

static void write_fit_deviations(struct resolving *t)
{
    const struct ml_fit_spec *fit = &t->spec->fit;
    for (int i = 0; i < fit->n_listed; i++) {
        ml_write(t->w, "%s%s: ", i ? ", " : " {", fit->listed[i].name);
        if (fit->listed[i].sd_column)
            ml_write_text(t->w, fit->listed[i].sd_column);
        else
            ml_write_number(t->w, fit->listed[i].sd);
    }
    ml_write(t->w, "}\n");
}

static void write_experiments(struct resolving *t)
{
    const struct ml_fit_spec *fit = &t->spec->fit;
    ml_write(t->w, "\n");
    for (int e = 0; e < fit->n_experiment; e++)
        write_map(t, ML_SCOPE_EXPERIMENT, (struct map){ELEMENT, &fit->experiments[e]});
}

static void write_experiment_numbers(struct resolving *t)
{
    const struct ml_experiment *experiment = t->at.fields;
    for (int i = 0; i < experiment->n_set; i++) {
        ml_write(t->w, "%s%s: ", i ? ", " : " {", experiment->keys[i]);
        ml_write_number(t->w, experiment->values[i]);
    }
    ml_write(t->w, "}\n");
}

static void write_texts(struct resolving *t, int n, const char *const *texts)
{
    for (int i = 0; i < n; i++) {
        ml_write(t->w, "%s", i ? ", " : " [");
        ml_write_text(t->w, texts[i]);
    }
    ml_write(t->w, "]\n");
}

static void write_left_out(struct resolving *t)
{
    const struct ml_experiment *experiment = t->at.fields;
    write_texts(t, experiment->n_left_out, experiment->left_out);
}

static void write_own_numbers(struct resolving *t)
{
    write_texts(t, t->spec->fit.n_own, t->spec->fit.own);
}

static void write_ranges(struct resolving *t)
{
    ml_write(t->w, "\n");
    for (int i = 0; i < t->spec->tune.n_vary; i++)
        write_map(t, ML_SCOPE_VARY, (struct map){ELEMENT, &t->spec->tune.vary[i]});
}

static void write_looked(struct resolving *t)
{
    const struct ml_event *event = t->at.fields;
    ml_write(t->w, " ");
    write_chosen(t, event->looked);
    ml_write(t->w, "\n");
}

static void write_keep(struct resolving *t)
{
    const struct ml_event *event = t->at.fields;
    for (int i = 0; i < event->n_keep;) {
        write_item(t, &i, "");
        write_chosen(t, event->keep[i - 1].name);
    }
    end_items(t, event->n_keep);
}

static void write_times(struct resolving *t)
{
    const struct ml_event *event = t->at.fields;
    ml_write(t->w, event->times ? " [" : " ");
    for (int i = 0; i < event->n_time; i++) {
        ml_write(t->w, "%s", i > 0 ? ", " : "");
        ml_write_number(t->w, event->times ? event->times[i] : t->at.given[t->key->slot]);
    }
    ml_write(t->w, event->times ? "]\n" : "\n");
}

static void write_conditions(struct resolving *t)
{
    const struct ml_event *event = t->at.fields;
    for (int i = 0; i < event->n_condition;) {
        write_item(t, &i, "");
        write_chosen(t, event->conditions[i - 1].name);
    }
    end_items(t, event->n_condition);
}

static void write_new_state(struct resolving *t, int n, const struct ml_event_set *set)
{
    for (int i = 0; i < n; i++) {
        ml_write(t->w, "%s%s: ", i > 0 ? ", " : " {", set[i].name);
        write_chosen(t, set[i].value);
    }
    ml_write(t->w, "}\n");
}

static void write_event_set(struct resolving *t)
{
    const struct ml_event *event = t->at.fields;
    write_new_state(t, event->n_set, event->set);
}

static void write_event_then(struct resolving *t)
{
    const struct ml_event *event = t->at.fields;
    write_new_state(t, event->n_then, event->then);
}

static void write_events(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    ml_write(t->w, "\n");
    for (int i = 0; i < spec->n_event; i++) {
        const struct ml_event_numbers numbers =
            ml_event_of_run(&spec->events[i], spec->numbers.base, 1);
        double values[ML_EVENT_NUMBERS];
        for (int k = 0; k < ML_EVENT_NUMBERS; k++)
            values[k] = *(const double *)((const char *)&numbers + ml_event_number_rows[k].offset);
        write_map(t, ML_SCOPE_EVENT, (struct map){ELEMENT, &spec->events[i], values});
    }
}

/* The indicators that the summary has; ML_SUMMARY_NONE: the study leaves all of them out. */
static void write_summary(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    int n = 0;
    for (int i = 0; spec->registry->indicators[i]; i++)
        if (!spec->indicators.left_out[i])
            write_item(t, &n, spec->registry->indicators[i]->name);
    ml_write(t->w, n == 0 ? " " ML_SUMMARY_NONE "\n" : "]\n");
}

static void write_kept_sets(struct resolving *t)
{
    int n = 0;
    for (int set = 0; ml_inverse_word(NULL, set).text; set++)
        if (t->spec->inverse.outputs.kept >> set & 1)
            write_item(t, &n, ml_inverse_word(NULL, set).text);
    end_items(t, n);
}

/* The loads or the foot that cycles are by. */
static void write_cycles_of(struct resolving *t)
{
    const struct ml_cycle_keys *cycles = &t->spec->inverse.cycles;
    int n = 0;
    for (int k = 0; k < cycles->n_load; k++)
        write_item(t, &n, t->spec->forces[cycles->loads[k]].name);
    if (n > 0)
        end_items(t, n);
    else
        ml_write(t->w, " %s\n", t->spec->segment_names[cycles->foot]);
}

static void write_quantities(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    int n = 0;
    for (int k = 0; k < spec->saving.n_record; k++)
        if (spec->saving.records[k] < spec->model.system->tables.n_record)
            write_item(t, &n, spec->model.system->tables.records[spec->saving.records[k]].name);
    end_items(t, n);
}

static void write_runs(struct resolving *t)
{
    ml_write(t->w, " {");
    write_map(t, ML_SCOPE_RUNS, (struct map){FLOW, t->spec});
    ml_write(t->w, "}\n");
}

static void write_save(struct resolving *t)
{
    const bool has_some = t->spec->saving.every > 0 || t->spec->indicators.left_out;
    ml_write(t->w, has_some ? "\n" : " {}\n");
    if (has_some)
        write_map(t, ML_SCOPE_SAVE, (struct map){BLOCK, t->spec});
}

/* Last: values that planning derives. */
static void write_derived(struct ml_yaml_writer *w, double renormalise)
{
    if (renormalise == 0.0)
        return;
    ml_write(w, ML_DERIVED_LINE "  renormalise: ");
    ml_write_number(w, renormalise);
    ml_write(w, " # (derived: from how tangent vectors grew in the first steps of some runs)\n");
}

typedef void write_fn(struct resolving *t);

/* Keys that are no plain values, by their names; and by their kinds. */
static const struct {
    enum ml_scope scope;
    const char *name;
    write_fn *write;
} written_by[] = {
    {ML_SCOPE_STUDY, "define", write_definitions},
    {ML_SCOPE_STUDY, "formulas", write_formulas},
    {ML_SCOPE_STUDY, "system", write_of_system},
    {ML_SCOPE_STUDY, "forces", write_forces},
    {ML_SCOPE_STUDY, "initial", write_of_system},
    {ML_SCOPE_STUDY, "tables", write_tables},
    {ML_SCOPE_STUDY, "quantities", write_named_formulas},
    {ML_SCOPE_STUDY, "integrator", write_integrator},
    {ML_SCOPE_STUDY, "sweep", write_sweep},
    {ML_SCOPE_STUDY, "events", write_events},
    {ML_SCOPE_STUDY, "save", write_save},
    {ML_SCOPE_SYSTEM, "type", write_system_type},
    {ML_SCOPE_SYSTEM, "file", write_source},
    {ML_SCOPE_SYSTEM, "names", write_names},
    {ML_SCOPE_SYSTEM, "parameters", write_formula_params},
    {ML_SCOPE_SYSTEM, "coordinates", write_coordinates},
    {ML_SCOPE_SYSTEM, "state", write_formula_state},
    {ML_SCOPE_SYSTEM, "points", write_points},
    {ML_SCOPE_SYSTEM, "segments", write_segments},
    {ML_SCOPE_SYSTEM_GROUP, "segments", write_parts},
    {ML_SCOPE_FORCE, "type", write_force_type},
    {ML_SCOPE_FORCE, "joint", write_joint},
    {ML_SCOPE_FORCE, "torque", write_torque},
    {ML_SCOPE_FORCE, "parameters", write_force_numbers},
    {ML_SCOPE_FORCE, "state", write_force_numbers},
    {ML_SCOPE_FORCE, "define", write_force_formulas},
    {ML_SCOPE_FORCE, "rates", write_force_formulas},
    {ML_SCOPE_FORCE, "dof", write_joint},
    {ML_SCOPE_FORCE, "segment", write_segment},
    {ML_SCOPE_MOTION, "columns", write_columns},
    {ML_SCOPE_MOTION, "markers", write_markers},
    {ML_SCOPE_MOTION, "base", write_base},
    {ML_SCOPE_MOTION, "plane", write_plane},
    {ML_SCOPE_MOTION, "sign", write_of_angles},
    {ML_SCOPE_MOTION, "offset", write_of_angles},
    {ML_SCOPE_MOTION, "start", write_start},
    {ML_SCOPE_MOTION, "end", write_end},
    {ML_SCOPE_CYCLES, "of", write_cycles_of},
    {ML_SCOPE_AXIS, "set", write_set},
    {ML_SCOPE_AXIS, "values", write_values},
    {ML_SCOPE_AXIS_FACTOR, "values", write_values},
    {ML_SCOPE_OVER, "set", write_set},
    {ML_SCOPE_OVER, "values", write_drawn_values},
    {ML_SCOPE_OVER, "weights", write_weights},
    {ML_SCOPE_OVER_FACTOR, "values", write_drawn_values},
    {ML_SCOPE_OVER_FACTOR, "weights", write_weights},
    {ML_SCOPE_STUDY, "sample", write_sample},
    {ML_SCOPE_SAMPLE, "file", write_points_file},
    {ML_SCOPE_SAMPLE, "over", write_over},
    {ML_SCOPE_SAMPLE, "correlation", write_correlation},
    {ML_SCOPE_PAIR, "between", write_between},
    {ML_SCOPE_STUDY, "require", write_requirements},
    {ML_SCOPE_FIT, "columns", write_fit_columns},
    {ML_SCOPE_FIT, "experiments", write_experiments},
    {ML_SCOPE_FIT, "own", write_own_numbers},
    {ML_SCOPE_EXPERIMENT, "set", write_experiment_numbers},
    {ML_SCOPE_EXPERIMENT, "leave_out", write_left_out},
    {ML_SCOPE_FIT, "sd", write_fit_deviations},
    {ML_SCOPE_TUNE, "vary", write_ranges},
    {ML_SCOPE_VARY, "set", write_set},
    {ML_SCOPE_INDICATOR, "of", write_differentiated},
    {ML_SCOPE_INDICATOR, "to", write_to},
    {ML_SCOPE_INDICATOR, "poles", write_poles},
    {ML_SCOPE_ANALYSE, "observe", write_observables},
    {ML_SCOPE_EVENT, "when", write_looked},
    {ML_SCOPE_EVENT, "of", write_looked},
    {ML_SCOPE_EVENT, "at", write_times},
    {ML_SCOPE_EVENT, "and", write_conditions},
    {ML_SCOPE_EVENT, "keep", write_keep},
    {ML_SCOPE_EVENT, "set", write_event_set},
    {ML_SCOPE_EVENT, "then", write_event_then},
    {ML_SCOPE_INVERSE, "keep", write_kept_sets},
    {ML_SCOPE_SAVE, "summary", write_summary},
    {ML_SCOPE_TRAJECTORY, "runs", write_runs},
    {ML_SCOPE_TRAJECTORY, "quantities", write_quantities},
};

static write_fn *find_write(const struct ml_key *key)
{
    /* `to` of a table of numbers, as a last frequency, is no parameter of derivatives. */
    const bool is_own = key->scope == ML_SCOPE_INDICATOR && key->kind == ML_KEY_NUMBER;
    for (size_t i = 0; !is_own && i < sizeof written_by / sizeof *written_by; i++)
        if (written_by[i].scope == key->scope && strcmp(written_by[i].name, key->param.name) == 0)
            return written_by[i].write;
    switch (key->kind) {
    case ML_KEY_SIGNAL:
    case ML_KEY_SIGNAL_PAIR:
    case ML_KEY_SIGNALS:
        return write_force_row;
    case ML_KEY_QUANTITY:
    case ML_KEY_MATRIX:
        return key->scope == ML_SCOPE_INITIAL ? write_state
               : key->scope == ML_SCOPE_FORCE ? write_force_row
                                              : write_array;
    case ML_KEY_STATE:
        return write_state;
    case ML_KEY_WEIGHTS:
        return write_of_joints;
    case ML_KEY_TEXTS:
        return key->scope == ML_SCOPE_FORCE ? write_force : NULL;
    case ML_KEY_FORMULAS:
        return write_formulas;
    case ML_KEY_FORMULA:
    case ML_KEY_FORMULA_LIST:
    case ML_KEY_FORMULA_ROWS:
        return write_some_formulas;
    default:
        return NULL;
    }
}

static int64_t whole_of(const struct ml_key *key, const void *field)
{
    return key->param.flags & ML_WHOLE ? (int64_t) * (const double *)field
           : key->size == sizeof(int)  ? *(const int *)field
                                       : *(const int64_t *)field;
}

static const char *word_of(const struct ml_key *key, const void *field)
{
    const bool is_truth = key->size == sizeof(bool);
    return ml_words_of(&key->words, is_truth ? *(const bool *)field : *(const int *)field);
}

/* Whether a key that may be left open is, or says no. */
static bool is_open(const struct ml_key *key, const void *field)
{
    switch (ml_key_kinds[key->kind].field) {
    case ML_FIELD_DOUBLE:
        return key->kind == ML_KEY_OPTIONAL ? isnan(*(const double *)field) ||
                                                  *(const double *)field == key->param.default_value
                                            : !is_shown(&key->param, *(const double *)field);
    case ML_FIELD_WORD:
        return key->kind == ML_KEY_TRUTH && !*(const bool *)field;
    case ML_FIELD_NAME:
    case ML_FIELD_TEXT:
        return !*(const char *const *)field;
    default:
        return false;
    }
}

static void write_count(struct ml_yaml_writer *w, const struct ml_key *key, int64_t count)
{
    const char *word = count <= 0 ? ml_words_of(&key->words, (int)count) : NULL;
    if (word)
        ml_write(w, "%s", word);
    else
        ml_write(w, "%lld", (long long)count);
}

static void write_value(struct ml_yaml_writer *w, const struct ml_key *key, const void *field)
{
    switch (ml_key_kinds[key->kind].field) {
    case ML_FIELD_DOUBLE:
        if (isnan(*(const double *)field))
            ml_write(w, "all");
        else
            ml_write_number(w, *(const double *)field);
        break;
    case ML_FIELD_WHOLE:
        ml_write(w, "%lld", (long long)whole_of(key, field));
        break;
    case ML_FIELD_COUNT:
        write_count(w, key, *(const int64_t *)field);
        break;
    case ML_FIELD_TEXT:
        ml_write_text(w, *(const char *const *)field);
        break;
    case ML_FIELD_NAME:
        ml_write(w, "%s", *(const char *const *)field);
        break;
    default:
        ml_write(w, "%s", word_of(key, field));
        break;
    }
}

/* Index of NAME.x or NAME.y among the numbers of a map; -1: the map has no such number. */
static int component(const struct ml_keys *keys, const char *name, char which)
{
    const size_t length = strcspn(name, ".");
    for (int i = 0; i < keys->n; i++) {
        const char *own = keys->row[i].param.name;
        if (strncmp(own, name, length) == 0 && own[length] == '.' && own[length + 1] == which)
            return keys->row[i].slot;
    }
    return -1;
}

/* "# com: 0.5 (derived: length/2)" */
static void write_derived_number(struct resolving *t, const struct ml_param *param, double value)
{
    const char *how = t->source ? t->source : param->rule;
    if (isnan(value) && param->flags & ML_UNTOLD)
        return;
    ml_write(t->w, "%*s# %s: ", t->at.indent, "", param->name);
    if (isnan(value)) {
        ml_write(t->w, "none\n");
        return;
    }
    ml_write_number(t->w, value);
    ml_write(t->w, " (derived%s%s)\n", how ? ": " : "", how ? how : "");
}

/* A number, in a comment if it is derived. A vector of which a component is given is written where
 * its first component stands. */
static void write_number(struct resolving *t, const struct ml_keys *keys, const struct ml_key *key)
{
    const double *given = t->at.given, *derived = t->at.derived;
    const char *name = key->param.name;
    const int x = component(keys, name, 'x'), y = component(keys, name, 'y');
    const bool is_vector = x >= 0 && y >= 0 && !(isnan(given[x]) && isnan(given[y]));
    const bool is_component = strchr(name, '.');
    if (is_component && (is_vector || isnan(derived[key->slot])))
        return;
    if (!is_vector && isnan(given[key->slot])) {
        write_derived_number(t, &key->param, derived[key->slot]);
        return;
    }
    write_key(t, name);
    ml_write(t->w, is_vector ? " [" : " ");
    ml_write_number(t->w, is_vector ? derived[x] : given[key->slot]);
    if (is_vector) {
        ml_write(t->w, ", ");
        ml_write_number(t->w, derived[y]);
    }
    ml_write(t->w, is_vector ? "]\n" : "\n");
}

/* A map in the map; that of a group of params only if a number of the group is given. */
static void write_below(struct resolving *t, const struct ml_key *key)
{
    const struct map at = t->at;
    if (key->below.group && !(at.given && has_numbers(&key->below, at.given)))
        return;
    write_key(t, key->param.name);
    ml_write(t->w, "\n");
    write_map(t, key->child,
              (struct map){BLOCK, at.fields, at.given, at.derived,
                           key->below.group ? &key->below : NULL});
}

static void write_plain(struct resolving *t, const struct ml_key *key)
{
    const struct map *at = &t->at;
    const void *field = key->slot >= 0  ? (const void *)&at->given[key->slot]
                        : key->size > 0 ? (const char *)at->fields + key->offset
                                        : NULL;
    if (key->is_of_runs && key->slot < 0)
        field = ml_study_of_run(t->spec, field, t->spec->numbers.base);
    if (!field || is_open(key, field))
        return;
    write_key(t, key->param.name);
    ml_write(t->w, " ");
    write_value(t->w, key, field);
    ml_write(t->w, at->form == FLOW ? "" : "\n");
}

static void write_row(struct resolving *t, const struct ml_keys *keys, const struct ml_key *key)
{
    write_fn *write = find_write(key);
    t->key = key;
    if (key->when && !key->when(t->at.fields))
        return;
    if (has_no_formulas(t, key))
        return;
    if (key->kind == ML_KEY_SIGNAL_PAIR &&
        ml_force_pair_is_absent(t->spec, t->at.fields, key->param.name))
        return;
    if (strchr(key->param.name, '.') && (write || key->kind == ML_KEY_LIMIT))
        return; /* of a vector or a limit, which are written as a whole */
    if (key->kind == ML_KEY_LIMIT) {
        ml_write_force_limit(t->w, t->at.indent, t->spec, t->at.fields);
    } else if (write) {
        write_key(t, key->param.name);
        write(t);
    } else if (key->child == ML_SCOPE_INDICATOR) {
        write_indicator(t);
    } else if (key->kind == ML_KEY_MAP) {
        write_below(t, key);
    } else if (key->slot >= 0 && t->at.derived) {
        write_number(t, keys, key);
    } else {
        write_plain(t, key);
    }
}

static void write_map(struct resolving *t, enum ml_scope scope, struct map map)
{
    struct ml_pool pool = {0};
    const struct ml_keys keys = ml_schema_keys(&pool, scope, t->spec->model.system, map.own);
    const struct map above = t->at;
    t->at = map;
    t->at.indent = above.indent + (map.form == ELEMENT ? 4 : 2);
    for (int i = 0; i < keys.n; i++)
        write_row(t, &keys, &keys.row[i]);
    t->at = above;
    t->w->is_short |= pool.is_short;
    ml_pool_free(&pool);
}

char *ml_resolve(const struct ml_study_spec *spec, const double *const *settings,
                 double renormalise)
{
    struct ml_yaml_writer w = {0};
    double *derived = ml_pool_take(spec->pool, (size_t)spec->numbers.n, sizeof *derived);
    struct resolving t = {&w, spec, derived, settings, .at = {.indent = -2}};
    if (!derived)
        return NULL;
    memcpy(derived, spec->numbers.base, (size_t)spec->numbers.n * sizeof *derived);
    if (spec->model.system->parameters.derive)
        spec->model.system->parameters.derive(&spec->model, derived);
    write_map(&t, ML_SCOPE_STUDY, (struct map){BLOCK, spec});
    write_derived(&w, renormalise);
    char *resolved = w.is_short ? NULL : ml_pool_text(spec->pool, w.text, w.used);
    free(w.text);
    return resolved;
}
