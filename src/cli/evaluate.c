/* manylink evaluate: the terms of M q'' = C + G + Q + D + E at the initial state. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/json_output.h"
#include "manylink/evaluate.h"

/* Above the rounding error of differences. */
static const double check_limit = 1e-8;

static int check_report(const struct ml_study *study, int64_t run, const double *error,
                        bool is_closed)
{
    int worst = 0, n_bad = 0, n = 0;
    for (; ml_study_number(study, n); n++) {
        bool is_good = error[n] <= check_limit; /* NaN is not */
        printf("%-40s %9.1e%s\n", ml_study_number(study, n), error[n], is_good ? "" : "  wrong");
        n_bad += !is_good;
        worst = !(error[n] <= error[worst]) ? n : worst;
    }
    printf("run %lld: %d derivatives of dx/dt at the start, tangents by %s; worst %.1e: %s\n",
           (long long)run, n, is_closed ? "closed form" : "central differences", error[worst],
           ml_study_number(study, worst));
    if (n_bad > 0)
        fprintf(stderr, "manylink: %d of %d derivatives differ from differences by more than %g\n",
                n_bad, n, check_limit);
    return n_bad > 0 ? EXIT_FAILED : EXIT_DONE;
}

/* Compares every derivative of the study with differences, prints a line for each; returns the exit
 * code. */
static int check_derivatives(const struct ml_study *study, int64_t run)
{
    struct ml_error err = {0};
    int code, n = 0, is_closed = 0;
    while (ml_study_number(study, n))
        n++;
    double *error = take((size_t)n, sizeof *error);
    if (ml_study_check_derivatives(study, run, error, &is_closed, &err) != ML_OK)
        code = fail_with(&err);
    else
        code = check_report(study, run, error, is_closed);
    free(error);
    return code;
}

/* Printed numbers of one run; arrays cut from one allocation. */
struct evaluation {
    int n;          /* segments or degrees of freedom */
    double *memory; /* holds the arrays of `out` */
    struct ml_evaluation out;
};

/* n_state: numbers of the state, which begins with q, q' */
static void allocate(struct evaluation *e, int n, int n_state)
{
    const size_t n_matrix = (size_t)n * (size_t)n, n_vector = (size_t)n;
    struct ml_evaluation *out = &e->out;
    double **const vectors[] = {&out->c, &out->g, &out->q, &out->d, &out->e, &out->qdd};
    e->n = n;
    e->memory = take(n_matrix + 6 * n_vector + (size_t)n_state, sizeof(double));
    *out = (struct ml_evaluation){.size = sizeof *out, .m = e->memory};
    double *p = e->memory + n_matrix;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++, p += n)
        *vectors[i] = p;
    out->state = n > 0 ? p : NULL;
}

static json_t *json_vector(const double *v, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(array, json_number(v[i]));
    return array;
}

static int print_json(const struct evaluation *e)
{
    const struct ml_evaluation *out = &e->out;
    json_t *matrix = json_array(), *root = json_object();
    for (int i = 0; i < e->n; i++)
        json_array_append_new(matrix, json_vector(out->m + (long)i * e->n, e->n));
    json_object_set_new(root, "q", json_vector(out->state, e->n));
    json_object_set_new(root, "qd", json_vector(out->state + e->n, e->n));
    json_object_set_new(root, "M", matrix);
    json_object_set_new(root, "C", json_vector(out->c, e->n));
    json_object_set_new(root, "G", json_vector(out->g, e->n));
    json_object_set_new(root, "Q", json_vector(out->q, e->n));
    json_object_set_new(root, "D", json_vector(out->d, e->n));
    json_object_set_new(root, "E", json_vector(out->e, e->n));
    json_object_set_new(root, "qdd", json_vector(out->qdd, e->n));
    json_object_set_new(root, "kinetic_energy", json_number(out->kinetic));
    json_object_set_new(root, "potential_energy", json_number(out->potential));
    return json_print(root);
}

/* Names and units of the columns; coordinates by themselves have units of their own. */
static void evaluate_print_head(const struct ml_study *study, const struct ml_evaluation *out)
{
    static const char *const heads[] = {"C", "G", "Q", "D", "E", "q''"};
    struct ml_array_info q = {.size = sizeof q}, qd = {.size = sizeof qd};
    const bool is_array = ml_study_segment(study, 0) != NULL;
    (void)ml_study_state(study, 0, &q);
    (void)ml_study_state(study, 1, &qd);
    printf("%-10s %14s %14s", "", is_array ? q.name : "q", is_array ? qd.name : "q'");
    for (int c = 0; c < 6; c++)
        printf(" %14s", heads[c]);
    if (!is_array)
        return;
    printf("\n%-10s %14s %14s", "", q.unit, qd.unit);
    for (int c = 0; c < 5; c++)
        printf(" %14s", out->force_unit);
    printf(" %12s^2", qd.unit);
}

static int evaluate_print_text(const struct ml_study *study, const struct evaluation *e)
{
    const struct ml_evaluation *out = &e->out;
    const double *const columns[] = {out->c, out->g, out->q, out->d, out->e, out->qdd};
    struct ml_array_info q = {.size = sizeof q};
    const bool is_array = ml_study_segment(study, 0) != NULL;
    evaluate_print_head(study, out);
    for (int i = 0; i < e->n; i++) {
        const char *name = ml_study_segment(study, i);
        if (!name && ml_study_state(study, i, &q))
            name = q.name; /* a coordinate by itself */
        printf("\n%-10s %14.8g %14.8g", name ? name : "", out->state[i], out->state[e->n + i]);
        for (int c = 0; c < 6; c++)
            printf(" %14.8g", columns[c][i]);
    }
    printf("\n\nM%s%s%s\n", is_array ? " [" : "", is_array ? out->mass_unit : "",
           is_array ? "]" : "");
    for (int i = 0; i < e->n; i++, printf("\n"))
        for (int j = 0; j < e->n; j++)
            printf(" %14.8g", out->m[i * e->n + j]);
    if (!isnan(out->kinetic))
        printf("\nkinetic energy %.10g J, potential energy %.10g J\n", out->kinetic,
               out->potential);
    return EXIT_DONE;
}

static int numbers_of_state(const struct ml_study *study)
{
    struct ml_array_info quantity = {.size = sizeof quantity};
    int n = 0;
    for (int i = 0; ml_study_state(study, i, &quantity); i++)
        n += quantity.rank > 0 ? (int)quantity.shape[0] : 1;
    return n;
}

static int evaluate_state(const struct ml_study *study, const struct command_line *line)
{
    struct ml_error err = {0};
    struct evaluation e = {0};
    int code;
    if (line->run >= ml_study_runs(study)) {
        fprintf(stderr, "--run %lld: the study has runs 0 to %lld\n", line->run,
                (long long)ml_study_runs(study) - 1);
        return EXIT_BAD_INPUT;
    }
    if (line->check.derivatives)
        return check_derivatives(study, line->run);
    const struct ml_evaluate_options options = {.size = sizeof options, .run = line->run};
    allocate(&e, ml_study_freedom(study), numbers_of_state(study));
    if (ml_evaluate(study, &options, &e.out, &err) == ML_OK)
        code = line->json ? print_json(&e) : evaluate_print_text(study, &e);
    else
        code = fail_with(&err);
    free(e.memory);
    return code;
}

int command_evaluate(const struct command_line *line) { return with_study(line, evaluate_state); }
