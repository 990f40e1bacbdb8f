/* What programs are told that studies can be made of, and numbers and names as the command has
 * them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "manylink/catalogue.h"
#include "manylink/plot.h"
#include "manylink/run.h"
#include "manylink/text.h"
#include "study.h"

static int count_entries(const struct ml_catalogue *c, enum ml_catalogue_kind kind,
                         const char *name, struct ml_catalogue_entry *found)
{
    struct ml_catalogue_entry entry = {.size = sizeof entry};
    int n = 0;
    for (; ml_catalogue_entry(c, kind, n, &entry); n++) {
        CHECK(*entry.name && *entry.description);
        CHECK((kind == ML_CATALOGUE_SYSTEM) == (entry.tangents != NULL));
        CHECK((kind == ML_CATALOGUE_INTEGRATOR) == (entry.order > 0));
        if (strcmp(entry.name, name) == 0)
            *found = entry;
    }
    CHECK(!ml_catalogue_entry(c, kind, n + 1, &entry) && !ml_catalogue_entry(c, kind, -1, &entry));
    return n;
}

static void entries_are_there_in_every_kind(const struct ml_catalogue *c)
{
    struct ml_catalogue_entry e = {0};
    CHECK_CASE("entries");
    CHECK(count_entries(c, ML_CATALOGUE_SYSTEM, "chain", &e) > 1 && e.name && !e.is_plugin);
    CHECK(count_entries(c, ML_CATALOGUE_SYSTEM, "plugin", &e) > 1 && e.is_plugin);
    CHECK(count_entries(c, ML_CATALOGUE_INTEGRATOR, "rk4", &e) > 1 && e.order == 4);
    CHECK(count_entries(c, ML_CATALOGUE_FORCE, "torque", &e) > 1 && strcmp(e.name, "torque") == 0);
    CHECK(count_entries(c, ML_CATALOGUE_SIGNAL, "sine", &e) == 5 && strcmp(e.name, "sine") == 0);
    CHECK(count_entries(c, ML_CATALOGUE_SOLVER, "", &e) > 1);
    CHECK(count_entries(c, ML_CATALOGUE_INDICATOR, "lyapunov", &e) > 1 && e.is_on_request);
}

static void quantities_have_units(const struct ml_catalogue *c)
{
    struct ml_catalogue_quantity q = {.size = sizeof q};
    int n = 0, n_rate = 0;
    CHECK_CASE("quantities");
    for (; ml_catalogue_quantity(c, "chain", n, &q); n++)
        n_rate += strcmp(q.name, "rate") == 0 && strcmp(q.unit, "rad/s") == 0;
    CHECK(n_rate == 1 && !ml_catalogue_quantity(c, "none", 0, &q));
    CHECK(!ml_catalogue_quantity(c, "chain", -1, &q));
    CHECK(ml_catalogue_output(c, "energy_drift", "chain", 0, &q));
    CHECK(strcmp(q.name, "energy_drift") == 0 && strcmp(q.unit, "1") == 0);
    CHECK(!ml_catalogue_output(c, "energy_drift", "lorenz", 0, &q)); /* it has no energy */
    CHECK(!ml_catalogue_output(c, "none", "chain", 0, &q));
    CHECK(!ml_catalogue_output(c, "energy_drift", "none", 0, &q));
}

static void keys_are_those_of_the_file(const struct ml_catalogue *c)
{
    struct ml_catalogue_key key = {.size = sizeof key};
    int n = 0, n_found = 0;
    CHECK_CASE("keys");
    for (; ml_catalogue_key(c, n, &key); n++)
        if (strcmp(key.path, "system.segments[].mass") == 0) {
            n_found++;
            CHECK(strcmp(key.unit, "kg") == 0 && strcmp(key.owner, "chain") == 0);
            CHECK(strcmp(key.range, "> 0 and <= 1e+09") == 0 && key.is_sweepable && !key.is_vector);
        } else if (strcmp(key.path, "manylink") == 0) {
            n_found++;
            CHECK(strcmp(key.owner, "") == 0 && !key.is_sweepable);
            CHECK(strcmp(key.default_text, "required") == 0);
        }
    CHECK(n_found == 2 && n > 100 && !ml_catalogue_key(c, -1, &key));
}

static void what_is_no_plugin_is_refused(void)
{
    struct ml_catalogue *c = (void *)1;
    struct ml_error err = {0};
    CHECK_CASE("no plugin");
    CHECK(ml_catalogue_open("not_there.so", &c, &err) == ML_E_INPUT && !c);
    CHECK(err.text && strstr(err.text, "./not_there.so: "));
    ml_error_clear(&err);
    ml_catalogue_free(NULL);
}

static void numbers_and_texts_are_those_of_studies(void)
{
    char why[100] = "", text[ML_NUMBER_TEXT], cut[4];
    double value = 7.0;
    CHECK_CASE("numbers");
    CHECK(ml_number_parse("2*pi", &value, why, sizeof why) && value == 2.0 * acos(-1.0));
    CHECK(!ml_number_parse("1,5", &value, why, sizeof why) && strstr(why, "1.5"));
    CHECK(value == 2.0 * acos(-1.0)); /* as it was */
    CHECK(!ml_number_parse("two", &value, cut, sizeof cut) && strlen(cut) == 3);
    CHECK(strcmp(ml_number_print(0.1, text), "0.1") == 0);
    CHECK(strtod(ml_number_print(1.0 / 3.0, text), NULL) == 1.0 / 3.0);
    char *shown = ml_text_escape(strdup("a\x1b[2Jb"));
    CHECK(strcmp(shown, "a\\x1B[2Jb") == 0 && !ml_text_escape(NULL));
    free(shown);
}

static void shards_have_names(void)
{
    CHECK_CASE("shards");
    char *name = ml_run_shard_name("a/out.h5", 7, 12);
    CHECK(strcmp(name, "a/out.shard-07-of-12.h5") == 0 && ml_run_shard_stem("a/out.h5") == 5);
    free(name);
    CHECK(ml_run_shard_stem("out") == 3);
}

static void a_picture_needs_names(void)
{
    struct ml_plot_options options = {.size = sizeof options};
    struct ml_error err = {0};
    CHECK_CASE("plot");
    CHECK(ml_plot(&options, &err) == ML_E_INPUT && err.count == 1);
    options.result = "not_there.h5";
    CHECK(ml_plot(&options, &err) == ML_E_INPUT);
    options.output = "out.png";
    CHECK(ml_plot(&options, &err) == ML_E_INPUT);
    options.size = 3;
    CHECK(ml_plot(&options, &err) == ML_E_INPUT);
    ml_error_clear(&err);
}

/* rk4 is stable up to step x |eigenvalue| = 2.785; with 10 a step multiplies by 291. */
static void a_step_that_is_too_large_is_a_cause(void)
{
    static const char text[] = "manylink: 1\n"
                               "system: {type: equations, state: {x: 1}, rates: {x: -1e3*x}}\n"
                               "integrator: rk4\n"
                               "time: {step: 1e-2, end: 10}\n";
    struct ml_study *study;
    struct ml_error err = {0};
    struct ml_result *result = NULL;
    struct ml_outcome_count outcomes[3];
    struct ml_run_cause causes[3];
    const struct ml_run_options options = {.size = sizeof options};
    struct ml_run_report report = {
        .size = sizeof report, .n_outcome = 3, .outcomes = outcomes, .causes = causes};
    CHECK_CASE("cause");
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, &err) == ML_OK);
    CHECK(ml_study_kept_run(study) == -1);
    CHECK(strcmp(ml_outcome_name(1), "diverged") == 0);
    CHECK(ml_run_memory(study, &options, &result, &report, &err) == ML_OK);
    CHECK(report.outcomes[1].runs == 1 && strstr(causes[1].text, "stable up to 2.79"));
    CHECK(!*causes[0].text && !*causes[2].text);
    ml_result_free(result);
    CHECK(ml_study_keep_run(study, 0, &err) == ML_OK && ml_study_kept_run(study) == 0);
    ml_study_free(study);
    ml_error_clear(&err);
}

int main(void)
{
    struct ml_catalogue *c;
    CHECK(ml_catalogue_open(NULL, &c, NULL) == ML_OK);
    entries_are_there_in_every_kind(c);
    quantities_have_units(c);
    keys_are_those_of_the_file(c);
    ml_catalogue_free(c);
    what_is_no_plugin_is_refused();
    numbers_and_texts_are_those_of_studies();
    shards_have_names();
    a_picture_needs_names();
    a_step_that_is_too_large_is_a_cause();
    return check_done();
}
