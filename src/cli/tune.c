/* manylink tune: numbers of a study so that a cost is least. */
#include "manylink/tune.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/json_output.h"
#include "cli/signals.h"

static int print_json(const struct ml_tuning *t)
{
    json_t *numbers = json_array(), *required = json_array();
    for (int i = 0; i < t->n; i++) {
        const struct ml_tuned_number *n = &t->numbers[i];
        json_array_append_new(numbers, json_pack("{s:s, s:s, s:f, s:f, s:f, s:i}", "key", n->key,
                                                 "unit", n->unit, "value", n->value, "from",
                                                 n->from, "to", n->to, "bound", n->bound));
    }
    for (int i = 0; i < t->n_requirement; i++) {
        const struct ml_tuned_requirement *q = &t->requirements[i];
        json_array_append_new(required,
                              json_pack("{s:s, s:o, s:b}", "requirement", q->text, "value",
                                        json_number(q->value), "met", q->is_met));
    }
    json_t *root = json_pack(
        "{s:o, s:s, s:o, s:o, s:o, s:b, s:b, s:I, s:I, s:s, s:s}", "numbers", numbers, "minimise",
        t->cost_text, "cost", json_number(t->cost), "before", json_number(t->cost_before),
        "requirements", required, "met", t->is_met, "converged", t->is_converged, "points",
        (json_int_t)t->points, "runs", (json_int_t)t->runs, "set", t->set, "end", t->end);
    return json_print(root);
}

static void print_tuning(const struct ml_tuning *t, bool is_quiet)
{
    printf("%-40s %-12s %15s  %s\n", "number", "unit", "value", "range");
    for (int i = 0; i < t->n; i++)
        say(stdout, "%-40s %-12s %15.8g  %.6g .. %.6g\n", t->numbers[i].key, t->numbers[i].unit,
            t->numbers[i].value, t->numbers[i].from, t->numbers[i].to);
    say(stdout, "\ncost %s: %.8g", t->cost_text, t->cost);
    if (!isnan(t->cost_before))
        printf(", with the study's own numbers %.8g", t->cost_before);
    printf("\n");
    for (int i = 0; i < t->n_requirement; i++)
        say(stdout, "requirement %s: %s, %.8g\n", t->requirements[i].text,
            t->requirements[i].is_met ? "met" : "not met", t->requirements[i].value);
    say(stdout,
        "%s\n\nin other commands, of which `manylink run` prints the step error too:\n  %s\n",
        t->end, t->set);
    if (!is_quiet)
        printf("\n%lld points, %lld runs in %.2g s on %d thread%s\n", (long long)t->points,
               (long long)t->runs, t->seconds, t->threads, t->threads == 1 ? "" : "s");
}

/* The study was read for its notices. */
static int tune(const struct ml_study *study, const struct command_line *line)
{
    struct ml_error err = {0};
    struct ml_tuning found = {.size = sizeof found};
    const struct ml_study_source source = {.size = sizeof source,
                                           .path = line->arguments[0],
                                           .overrides = line->set.words,
                                           .n_override = line->set.n,
                                           .no_native = line->no_native};
    const struct ml_tune_options options = {.size = sizeof options,
                                            .n_thread = (int)line->threads,
                                            .stop = count_signals,
                                            .kernel = (enum ml_kernel_mode)line->make.kernel,
                                            .no_native = line->no_native};
    (void)study;
    catch_signals("\nending the search\n");
    if (ml_tune(&source, &options, &found, &err) != ML_OK)
        return fail_with(&err);
    int code = EXIT_DONE;
    if (line->json)
        code = print_json(&found);
    else
        print_tuning(&found, line->quiet);
    code = found.is_met ? code : EXIT_FAILED;
    ml_tuning_free(&found);
    return code;
}

int command_tune(const struct command_line *line) { return with_study(line, tune); }
