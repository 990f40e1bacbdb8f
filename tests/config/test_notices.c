#include "config/schema/reader.h"

#include <string.h>

#include "check.h"
#include "plan/study.h"

static void notices_come_in_the_order_of_the_file_with_place_or_option(void)
{
    static const char *const overrides[] = {"time.end=1"};
    static const char *const want[] = {"s.yaml:2:3: note: first", "s.yaml:7:1: note: later: 3",
                                       "--set time.end=1: note: of an option"};
    struct ml_pool pool = {0};
    struct ml_study study = {0};
    struct ml_reader r = {.pool = &pool,
                          .notices = {.pool = &pool,
                                      .name = "s.yaml",
                                      .text = "",
                                      .overrides = overrides,
                                      .option = "--set "}};
    ml_notice(&r, (struct ml_location){1, 1, 1}, "of an option");
    ml_notice(&r, (struct ml_location){0, 7, 1}, "later: %d", 3);
    ml_notice(&r, (struct ml_location){0, 2, 3}, "first");
    study.notices = ml_notices_list(&r, &study.pool);
    study.n_notice = r.notices.count;
    CHECK(study.notices);
    for (int i = 0; i < 3; i++)
        CHECK(ml_study_notice(&study, i) && strcmp(ml_study_notice(&study, i), want[i]) == 0);
    CHECK(!ml_study_notice(&study, 3) && !ml_study_notice(&study, -1));
    ml_pool_free(&pool);
    ml_pool_free(&study.pool);
}

int main(void)
{
    notices_come_in_the_order_of_the_file_with_place_or_option();
    return check_done();
}
