/* Rates, their derivatives and the terms of M q'' = f against textbooks and differences. */
#include "manylink/evaluate.h"

#include <string.h>

#include "check.h"
#include "study.h"

static struct ml_study *parse(const char *text)
{
    struct ml_study *study;
    struct ml_error err = {0};
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, &err) == ML_OK);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
    return study;
}

static void lorenz_is_lorenz(void)
{
    struct ml_study *s = parse("manylink: 1\n"
                               "system: {type: lorenz}\n"
                               "initial: {x: 1, y: 2, z: 3}\n"
                               "time: {step: 1e-2, end: 1}\n"
                               "sweep: [{set: system.rho, values: [10, 28]}]\n");
    const double at[] = {1.5, -2.0, 4.0}, sigma = 10.0, beta = 8.0 / 3.0, rho = 28.0;
    const char *const params[] = {"system.rho", "system.sigma"};
    const double x = at[0], y = at[1], z = at[2];
    const double jacobian[9] = {-sigma, sigma, 0, rho - z, -1, -x, y, x, -beta};
    double rates[3], by_state[9], by_param[6], state[3];
    struct ml_evaluate_options options = {
        .size = sizeof options, .run = 1, .state = at, .params = params, .n_param = 2};
    struct ml_evaluation out = {.size = sizeof out,
                                .state = state,
                                .rates = rates,
                                .rates_by_state = by_state,
                                .rates_by_param = by_param};
    CHECK_CASE("lorenz");
    CHECK(ml_evaluate(s, &options, &out, NULL) == ML_OK);
    CHECK(state[0] == 1.5 && isnan(out.kinetic));
    CHECK_ERROR(fabs(rates[0] - sigma * (y - x)), 1e-14);
    CHECK_ERROR(fabs(rates[1] - (x * (rho - z) - y)), 1e-14);
    CHECK_ERROR(fabs(rates[2] - (x * y - beta * z)), 1e-14);
    for (int i = 0; i < 9; i++)
        CHECK_ERROR(fabs(by_state[i] - jacobian[i]), 1e-14);
    const double by[6] = {0, y - x, x, 0, 0, 0};
    for (int i = 0; i < 6; i++)
        CHECK_ERROR(fabs(by_param[i] - by[i]), 1e-14);
    options.state = NULL;
    options.run = 0;
    CHECK(ml_evaluate(s, &options, &out, NULL) == ML_OK);
    CHECK(state[0] == 1.0 && state[2] == 3.0);
    CHECK_ERROR(fabs(rates[1] - (1.0 * (10.0 - 3.0) - 2.0)), 1e-14);
    ml_study_free(s);
}

/* Numbers have names, and derivatives by them pass the test that the command makes. */
static void derivatives_are_checked(void)
{
    struct ml_study *s = parse("manylink: 1\n"
                               "system: {type: lorenz}\n"
                               "initial: {x: 1, y: 2, z: 3}\n"
                               "time: {step: 1e-2, end: 1}\n");
    double error[16];
    int n = 0, is_closed = 0;
    int has_rho = 0;
    CHECK_CASE("numbers");
    for (; n < 16 && ml_study_number(s, n); n++) {
        has_rho |= strcmp(ml_study_number(s, n), "system.rho") == 0;
        error[n] = (double)NAN;
    }
    CHECK(has_rho && n >= 6 && n < 16 && !ml_study_number(s, -1));
    CHECK(ml_study_check_derivatives(s, 0, error, &is_closed, NULL) == ML_OK && is_closed == 1);
    for (int i = 0; i < n; i++)
        CHECK_ERROR(error[i], 1e-9);
    CHECK(ml_study_check_derivatives(s, 1, error, NULL, NULL) == ML_E_INPUT);
    ml_study_free(s);
}

static const char chain[] =
    "manylink: 1\n"
    "system:\n"
    "  type: chain\n"
    "  angles: %s\n"
    "  segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.8, mass: 2}]\n"
    "forces: [{name: k, type: damper, joint: b, coefficient: 0.3}]\n"
    "initial: {angle: {a: 0.3, b: -1}, rate: {a: 1, b: 2}}\n"
    "time: {step: 1e-2, end: 1}\n";

/* Jacobians of rates against central differences of the rates themselves. */
static void derivatives_are_those_of_the_rates(const char *angles)
{
    enum { N = 4 };
    char text[1024];
    const double at[N] = {0.4, 1.1, -0.7, 2.5}, h = 1e-5;
    double rates[2][N], by_state[N * N], worst = 0.0;
    CHECK_CASE("chain, angles %s", angles);
    (void)snprintf(text, sizeof text, chain, angles);
    struct ml_study *s = parse(text);
    struct ml_evaluate_options options = {.size = sizeof options, .state = at};
    struct ml_evaluation out = {.size = sizeof out, .rates = rates[0], .rates_by_state = by_state};
    CHECK(ml_evaluate(s, &options, &out, NULL) == ML_OK);
    for (int i = 0; i < N / 2; i++)
        CHECK(rates[0][i] == at[N / 2 + i]); /* rates of angles */
    for (int j = 0; j < N; j++) {
        for (int side = 0; side < 2; side++) {
            double moved[N];
            memcpy(moved, at, sizeof moved);
            moved[j] += side == 0 ? h : -h;
            options.state = moved;
            out = (struct ml_evaluation){.size = sizeof out, .rates = rates[side]};
            CHECK(ml_evaluate(s, &options, &out, NULL) == ML_OK);
        }
        for (int i = 0; i < N; i++)
            worst =
                fmax(worst, fabs((rates[0][i] - rates[1][i]) / (2.0 * h) - by_state[i * N + j]));
    }
    CHECK_ERROR(worst, 1e-7);
    ml_study_free(s);
}

/* q'' of M q'' = f is the rate of the rates, and energies are those of two uniform rods. */
static void terms_belong_together(void)
{
    char text[1024];
    double m[4], qdd[2], f[5][2], rates[4];
    CHECK_CASE("terms");
    (void)snprintf(text, sizeof text, chain, "segment");
    struct ml_study *s = parse(text);
    const struct ml_evaluate_options options = {.size = sizeof options};
    struct ml_evaluation out = {.size = sizeof out,
                                .rates = rates,
                                .m = m,
                                .c = f[0],
                                .g = f[1],
                                .q = f[2],
                                .d = f[3],
                                .e = f[4],
                                .qdd = qdd};
    CHECK(ml_evaluate(s, &options, &out, NULL) == ML_OK);
    for (int i = 0; i < 2; i++) {
        double sum = m[2 * i] * qdd[0] + m[2 * i + 1] * qdd[1];
        for (int k = 0; k < 5; k++)
            sum -= f[k][i];
        CHECK_ERROR(fabs(sum), 1e-13);
        CHECK_ERROR(fabs(rates[2 + i] - qdd[i]), 1e-12);
    }
    CHECK_ERROR(fabs(0.5 * (m[0] + 4.0 * m[1] + 4.0 * m[3]) - out.kinetic), 1e-13);
    ml_study_free(s);
}

static void fails(enum ml_status status, struct ml_error *err, const char *part)
{
    CHECK_CASE("%s", part);
    CHECK(status == ML_E_INPUT && err->text && strstr(err->text, part));
    (void)fputs(err->text && !strstr(err->text, part) ? err->text : "", stderr);
    ml_error_clear(err);
}

static void what_is_not_there_is_refused(void)
{
    struct ml_study *s = parse("manylink: 1\nsystem: {type: lorenz}\ntime: {step: 1e-2, end: 1}\n");
    const char *const params[] = {"system.roh"};
    const double nowhere[] = {0.0, (double)NAN, 0.0};
    double numbers[9];
    struct ml_error err = {0};
    struct ml_evaluate_options options = {.size = sizeof options, .run = 1};
    struct ml_evaluation out = {.size = sizeof out, .rates = numbers};
    fails(ml_evaluate(s, &options, &out, &err), &err, "cannot take run 1");
    options = (struct ml_evaluate_options){.size = sizeof options, .params = params, .n_param = 1};
    fails(ml_evaluate(s, &options, &out, &err), &err, "the nearest is `system.rho`");
    options = (struct ml_evaluate_options){.size = sizeof options, .state = nowhere};
    fails(ml_evaluate(s, &options, &out, &err), &err, "not a finite number");
    options.state = NULL;
    out.m = numbers;
    fails(ml_evaluate(s, &options, &out, &err), &err, "not of the form M q'' = f");
    out.size = 0;
    fails(ml_evaluate(s, &options, &out, &err), &err, "sizeof(struct ml_evaluation)");
    ml_study_free(s);
}

int main(void)
{
    lorenz_is_lorenz();
    derivatives_are_checked();
    derivatives_are_those_of_the_rates("segment");
    derivatives_are_those_of_the_rates("joint");
    terms_belong_together();
    what_is_not_there_is_refused();
    return check_done();
}
