/* Segments that are parts of a body: their numbers, and that those follow mass and height. */
#include "analysis/measured.h"
#include "reference/reference.h"
#include "study.h"

enum { LONGEST = 4096, N_TABLE = 3, N_ARM = 3, N_PART = 7, N_NUMBER = 4 };

static const char *const tables[N_TABLE] = {"winter", "de_leva_female", "de_leva_male"};
static const char *const parts[N_PART] = {"upper_arm", "forearm", "hand", "thigh",
                                          "shank",     "foot",    "trunk"};

/* As printed: percent of the body's mass; length; percent of the length: centre of mass, and radius
 * of gyration. 0: not there. Lengths of winter are in thousandths of the height, the others in mm
 * of statures of 1.735 and 1.741 m. */
static const double stature[N_TABLE] = {1.0, 1.735, 1.741};
static const double printed[N_TABLE][N_PART][4] = {
    {{2.8, 186, 43.6, 32.2},
     {1.6, 146, 43.0, 30.3},
     {0.6, 108, 50.6 * 0.0472 / 0.108, 29.7 * 0.0472 / 0.108},
     {10.0, 245, 43.3, 32.3},
     {4.65, 246, 43.3, 30.2},
     {1.45, 0, 50.0, 47.5},
     {49.7, 288, 50.0, 0}},
    {{2.55, 275.1, 57.54, 26.0},
     {1.38, 264.3, 45.59, 25.7},
     {0.56, 170.1, 34.27, 20.8},
     {14.78, 368.5, 36.12, 36.4},
     {4.81, 438.6, 43.52, 26.3},
     {1.29, 228.3, 0, 27.9},
     {42.57, 497.9, 100 - 37.82, 36.1}},
    {{2.71, 281.7, 57.72, 26.9},
     {1.62, 268.9, 45.74, 26.5},
     {0.61, 187.9, 36.24, 23.5},
     {14.16, 422.2, 40.95, 32.9},
     {4.33, 440.3, 43.95, 24.6},
     {1.37, 258.1, 0, 24.5},
     {43.46, 515.5, 100 - 43.10, 35.8}},
};

/* Length, mass, centre of mass and inertia of a part; 0 what a table does not have. */
static void numbers_of(int table, int part, double mass, double height, double out[N_NUMBER])
{
    const double *p = printed[table][part];
    out[0] = p[1] / 1000.0 / stature[table] * height;
    out[1] = p[0] / 100.0 * mass;
    out[2] = p[2] / 100.0 * out[0];
    out[3] = out[1] * (p[3] / 100.0 * out[0]) * (p[3] / 100.0 * out[0]);
}

static struct ml_study *parse(const char *text)
{
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    if (ml_study_load(STUDY_TEXT("test", text), &study, &err) != ML_OK)
        ref_stop("%s", err.text);
    return study;
}

/* The numbers of a segment in a run, after everything was derived. */
static void segment_of(const struct ml_study *study, int64_t run, int i, double out[N_NUMBER])
{
    const struct ml_ensemble *e = &study->ensemble;
    double values[64];
    e->numbers.values(e->numbers.context, run, values);
    e->model.system->parameters.derive(&e->model, values);
    memcpy(out, values + ml_slot_segment(e->model.system, i, 0), N_NUMBER * sizeof *out);
}

/* What tables do not have, of the foot and the trunk, is given. */
static struct ml_study *parse_body(int table, double mass, double height)
{
    static const char *const given[N_TABLE] = {
        "[{name: foot, length: 0.13}, {name: trunk, inertia: 1.5}]", "[{name: foot, com: 0.05}]",
        "[{name: foot, com: 0.05}]"};
    char text[LONGEST];
    (void)snprintf(text, LONGEST,
                   "manylink: 1\nsystem: {type: chain, body: {mass: %g, height: %g, "
                   "table: %s, segments: [upper_arm, forearm, hand, thigh, shank, foot, trunk]}, "
                   "segments: %s}\ntime: {step: 0.001, end: 1}\n",
                   mass, height, tables[table], given[table]);
    return parse(text);
}

static void segments_have_the_tables_fractions(void)
{
    for (int table = 0; table < N_TABLE; table++) {
        struct ml_study *study = parse_body(table, 71.3, 1.83), *again = parse(study->resolved);
        CHECK(strcmp(study->resolved, again->resolved) == 0);
        for (int i = 0; i < N_PART; i++) {
            double got[N_NUMBER], wanted[N_NUMBER];
            CHECK_CASE("%s %s", tables[table], parts[i]);
            CHECK(strcmp(study->spec.segment_names[i], parts[i]) == 0);
            numbers_of(table, i, 71.3, 1.83, wanted);
            segment_of(study, 0, i, got);
            for (int k = 0; k < N_NUMBER; k++)
                if (wanted[k] > 0.0)
                    CHECK_ERROR(fabs(got[k] - wanted[k]), 5e-16 * wanted[k]);
        }
        ml_study_free(again);
        ml_study_free(study);
    }
}

/* With head and neck, and two of each limb, it is the whole body, but for rounding in print. */
static void segments_and_head_weigh_as_much_as_the_body(void)
{
    static const double head[N_TABLE] = {0.081, 0.0668, 0.0694};
    for (int table = 0; table < N_TABLE; table++) {
        struct ml_study *study = parse_body(table, 1.0, 1.7);
        double sum = head[table], got[N_NUMBER];
        for (int i = 0; i < N_PART; i++) {
            segment_of(study, 0, i, got);
            sum += strcmp(parts[i], "trunk") == 0 ? got[1] : 2.0 * got[1];
        }
        CHECK_CASE("%s", tables[table]);
        CHECK_ERROR(fabs(sum - 1.0), 1.1e-4);
        ml_study_free(study);
    }
}

/* De Leva has some segments between other points too: the same centres of mass and inertias. */
static void other_rows_of_the_table_say_the_same(void)
{
    static const struct {
        int table, part;
        double mm, com, gyration;
    } rows[] = {
        {1, 2, 78.0, 74.74, 45.4},  {2, 2, 86.2, 79.00, 51.3},  /* to MET3 */
        {1, 4, 432.3, 44.16, 26.7}, {2, 4, 434.0, 44.59, 24.9}, /* to LMAL */
        {1, 1, 262.4, 45.92, 25.9}, {2, 1, 266.9, 46.08, 26.7}, /* to STYL */
        {1, 6, 614.8, 50.36, 29.2}, {2, 6, 603.3, 48.62, 30.6}, /* from MIDH to CERV */
    };
    static const double mass[N_TABLE] = {0, 61.9, 73.0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int table = rows[i].table;
        struct ml_study *study = parse_body(table, mass[table], stature[table]);
        double got[N_NUMBER];
        CHECK_CASE("%s %s", tables[table], parts[rows[i].part]);
        segment_of(study, 0, rows[i].part, got);
        const double radius = sqrt(got[3] / got[1]) * 1000.0, own = rows[i].mm / 100.0;
        CHECK_ERROR(fabs(got[2] * 1000.0 - rows[i].com * own), 0.1); /* mm */
        CHECK_ERROR(fabs(radius - rows[i].gyration * own), 0.4);     /* mm */
        ml_study_free(study);
    }
}

/* What a segment has of its own stays, also in a sweep; the rest follows from that. */
static void single_numbers_may_differ(void)
{
    struct ml_study *study =
        parse("manylink: 1\n"
              "system:\n"
              "  type: chain\n"
              "  body: {mass: 70, height: 1.7, segments: [forearm, hand]}\n"
              "  segments: [{name: hand, mass: 0.5}, {name: forearm, length: 0.3, com: 0.1}]\n"
              "time: {step: 0.001, end: 1}\n"
              "sweep:\n"
              "  - {set: system.body.mass, values: [50, 90]}\n"
              "  - {set: system.body.height, values: [1.5, 2]}\n"
              "  - {set: system.segments.hand.com, values: [0.01, 0.02]}\n");
    struct ml_study *again = parse(study->resolved);
    CHECK(strcmp(study->resolved, again->resolved) == 0);
    ml_study_free(again);
    for (int run = 0; run < 8; run++) {
        const double mass = run / 4 ? 90.0 : 50.0, height = run / 2 % 2 ? 2.0 : 1.5;
        const double hand = 0.108 * height, radius = 0.297 * 0.0472 * height, other = 0.303 * 0.3;
        const double wanted[2][N_NUMBER] = {
            {0.3, 0.016 * mass, 0.1, 0.016 * mass * other * other},
            {hand, 0.5, run % 2 ? 0.02 : 0.01, 0.5 * radius * radius},
        };
        CHECK_CASE("run %d", run);
        for (int i = 0; i < 2; i++) {
            double got[N_NUMBER];
            segment_of(study, run, i, got);
            for (int k = 0; k < N_NUMBER; k++)
                CHECK_ERROR(fabs(got[k] - wanted[i][k]), 3e-16 * wanted[i][k]);
        }
    }
    ml_study_free(study);
}

/* Writes segments with their numbers, and the paths of those that follow from the body's mass, with
 * how much they gain per kg. */
static void write_explicit(char text[LONGEST], const char *motion)
{
    char paths[LONGEST / 4] = "", from[LONGEST / 4] = "", to[LONGEST / 4] = "";
    int n = snprintf(text, LONGEST, "manylink: 1\nsystem:\n  type: chain\n  segments:\n");
    int n_path = 0, n_from = 0, n_to = 0;
    for (int i = 0; i < N_ARM; i++) {
        double own[N_NUMBER], more[N_NUMBER];
        numbers_of(0, i, 70.0, 1.7, own);
        numbers_of(0, i, 71.0, 1.7, more);
        n += snprintf(text + n, LONGEST - (size_t)n,
                      "    - {name: %s, length: %.17g, mass: %.17g, com: %.17g, inertia: %.17g}\n",
                      parts[i], own[0], own[1], own[2], own[3]);
        for (int k = 1; k < N_NUMBER; k += 2) {
            const char *comma = n_path ? ", " : "";
            n_path +=
                snprintf(paths + n_path, sizeof paths - (size_t)n_path, "%ssystem.segments.%s.%s",
                         comma, parts[i], k == 1 ? "mass" : "inertia");
            n_from +=
                snprintf(from + n_from, sizeof from - (size_t)n_from, "%s%.17g", comma, own[k]);
            n_to += snprintf(to + n_to, sizeof to - (size_t)n_to, "%s%.17g", comma, more[k]);
        }
    }
    (void)snprintf(text + n, LONGEST - (size_t)n,
                   "%ssweep: [{name: heavier, set: [%s], values: [[%s], [%s]]}]\n"
                   "analyse: {sensitivity: {to: heavier}}\n",
                   motion, paths, from, to);
}

/* With a damper, as without one all masses together do not matter. */
static void heavier_bodies_are_heavier_segments(void)
{
    static const char *const motion = "forces: [{type: damper, joint: hand, coefficient: 0.02}]\n"
                                      "initial: {angle: [1, 0.5, 0.3], rate: [0, 0, 2]}\n"
                                      "time: {step: 0.002, end: 1}\n";
    char text[LONGEST];
    CHECK_CASE("along all segments");
    write_explicit(text, motion);
    struct measured apart = measure(text, NULL, 1);
    (void)snprintf(text, LONGEST,
                   "manylink: 1\nsystem: {type: chain, body: {mass: 70, height: 1.7, segments: "
                   "[upper_arm, forearm, hand]}}\n%s"
                   "sweep: [{set: system.body.mass, values: [70, 71]}]\n"
                   "analyse: {sensitivity: {to: system.body.mass}}\n",
                   motion);
    struct measured body = measure(text, NULL, 1);
    for (int run = 0; run < 2; run++) {
        double along[2 * N_ARM]; /* per kg of the body, not of the upper arm */
        for (int i = 0; i < 2 * N_ARM; i++)
            along[i] = 0.028 * measured(&apart, "sensitivity", run)[i];
        CHECK_ERROR(ref_error(2 * N_ARM, measured(&body, "sensitivity", run), along), 3e-13);
        CHECK_ERROR(
            ref_error(N_ARM, measured(&body, "end_angle", run), measured(&apart, "end_angle", run)),
            1e-13);
    }
    measured_free(&apart);
    measured_free(&body);
}

int main(void)
{
    segments_have_the_tables_fractions();
    segments_and_head_weigh_as_much_as_the_body();
    other_rows_of_the_table_say_the_same();
    single_numbers_may_differ();
    heavier_bodies_are_heavier_segments();
    return check_done();
}
