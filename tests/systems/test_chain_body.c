/* Segments that are parts of a body: their numbers, and that those follow mass and height. */
#include "analysis/measured.h"
#include "reference/reference.h"

enum { LONGEST = 4096, N_TABLE = 3, N_PART = 3, N_NUMBER = 4 };

static const char *const tables[N_TABLE] = {"winter", "de_leva_female", "de_leva_male"};
static const char *const parts[N_PART] = {"upper_arm", "forearm", "hand"};

/* Fractions of mass, of length: centre of mass and radius of gyration; and of height: length. */
static const double fractions[N_TABLE][N_PART][3] = {
    {{0.028, 0.436, 0.322}, {0.016, 0.430, 0.303}, {0.006, 0.506, 0.297}},
    {{0.0255, 0.5754, 0.278}, {0.0138, 0.4559, 0.261}, {0.0056, 0.7474, 0.531}},
    {{0.0271, 0.5772, 0.285}, {0.0162, 0.4574, 0.276}, {0.0061, 0.7900, 0.628}},
};
static const double lengths[N_PART] = {0.186, 0.146, 0.108};

/* Length, mass, centre of mass and inertia of a part. */
static void numbers_of(int table, int part, double mass, double height, double out[N_NUMBER])
{
    const double *f = fractions[table][part];
    out[0] = lengths[part] * height;
    out[1] = f[0] * mass;
    out[2] = f[1] * out[0];
    out[3] = out[1] * (f[2] * out[0]) * (f[2] * out[0]);
}

static struct ml_study *parse(const char *text)
{
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    if (ml_study_parse("test", text, strlen(text), NULL, 0, NULL, &study, &err) != ML_OK)
        ref_stop("%s", err.text);
    return study;
}

/* The numbers of a segment in a run, after everything was derived. */
static void segment_of(const struct ml_study *study, int64_t run, int i, double out[N_NUMBER])
{
    const struct ml_ensemble *e = &study->ensemble;
    double values[64];
    e->values(e->context, run, values);
    e->system->derive(&e->shape, values);
    memcpy(out, values + ml_slot_segment(e->system, i, 0), N_NUMBER * sizeof *out);
}

static void segments_have_the_tables_fractions(void)
{
    for (int table = 0; table < N_TABLE; table++) {
        char text[LONGEST];
        (void)snprintf(text, LONGEST,
                       "manylink: 1\nsystem: {type: chain, body: {mass: 71.3, height: 1.83, "
                       "table: %s, segments: [hand, upper_arm, forearm]}}\n"
                       "time: {step: 0.001, end: 1}\n",
                       tables[table]);
        struct ml_study *study = parse(text), *again = parse(study->resolved);
        CHECK(strcmp(study->resolved, again->resolved) == 0);
        for (int i = 0; i < N_PART; i++) {
            const int part = (i + 2) % N_PART;
            double got[N_NUMBER], wanted[N_NUMBER];
            CHECK_CASE("%s %s", tables[table], parts[part]);
            CHECK(strcmp(study->segment_names[i], parts[part]) == 0);
            numbers_of(table, part, 71.3, 1.83, wanted);
            segment_of(study, 0, i, got);
            for (int k = 0; k < N_NUMBER; k++)
                CHECK_ERROR(fabs(got[k] - wanted[k]), 3e-16 * wanted[k]);
        }
        ml_study_free(again);
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
        const double hand = 0.108 * height, radius = 0.297 * hand, other = 0.303 * 0.3;
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
    for (int i = 0; i < N_PART; i++) {
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
        double along[2 * N_PART]; /* per kg of the body, not of the upper arm */
        for (int i = 0; i < 2 * N_PART; i++)
            along[i] = 0.028 * measured(&apart, "sensitivity", run)[i];
        CHECK_ERROR(ref_error(2 * N_PART, measured(&body, "sensitivity", run), along), 1e-13);
        CHECK_ERROR(ref_error(N_PART, measured(&body, "end_angle", run),
                              measured(&apart, "end_angle", run)),
                    1e-13);
    }
    measured_free(&apart);
    measured_free(&body);
}

int main(void)
{
    segments_have_the_tables_fractions();
    single_numbers_may_differ();
    heavier_bodies_are_heavier_segments();
    return check_done();
}
