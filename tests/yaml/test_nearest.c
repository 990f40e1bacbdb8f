#include "yaml/nearest.h"

#include "manylink/text.h"

#include <string.h>

#include "check.h"

static void distances_count_edits(void)
{
    const struct {
        const char *a, *b;
        int distance;
    } cases[] = {
        {"", "", 0},         {"mass", "mass", 0}, {"mass", "masss", 1},     {"mass", "mas", 1},
        {"mass", "mess", 1}, {"mass", "amss", 1}, {"kitten", "sitting", 3}, {"length", "lenght", 1},
        {"", "abc", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_CASE("%s, %s", cases[i].a, cases[i].b);
        CHECK(ml_distance(cases[i].a, cases[i].b, 10) == cases[i].distance);
        CHECK(ml_distance(cases[i].b, cases[i].a, 10) == cases[i].distance);
        CHECK(ml_distance(cases[i].a, cases[i].b, 1) == (cases[i].distance > 0));
    }
}

static void far_words_are_no_typing_errors(void)
{
    struct ml_nearest typo = ml_nearest_typo("colour"), any = ml_nearest_any("colour");
    ml_nearest_offer(&typo, "save");
    ml_nearest_offer(&any, "save");
    CHECK(!typo.best && any.best);
    ml_nearest_offer(&typo, "color");
    ml_nearest_offer(&typo, "colours");
    CHECK(typo.best && strcmp(typo.best, "color") == 0);
}

static void ends_of_paths_are_near(void)
{
    static const char *const words[] = {"c.kpp", "forces.c.kp", "forces.c.kd", "forces.cc.kp"};
    const char *best = ml_text_nearest("c.kp", words, 4),
               *last = ml_text_nearest("c.kp", words + 2, 2);
    CHECK(best && strcmp(best, "c.kpp") == 0);
    best = ml_text_nearest("c.kp", words + 1, 3);
    CHECK(best && strcmp(best, "forces.c.kp") == 0);
    CHECK(!last && !ml_text_nearest("kp", words + 1, 3));
}

int main(void)
{
    distances_count_edits();
    far_words_are_no_typing_errors();
    ends_of_paths_are_near();
    return check_done();
}
