/* Refuses a `show` that names no output or record of the study, and gives a notice of one that has
 * no picture: these are known only once everything else is. */
#include <string.h>

#include "base/text.h"
#include "config/schema/reader.h"
#include "plan/plan_study.h"
#include "plan/shown.h"
#include "yaml/nearest.h"

/* Names that may be shown, and whether one is among them. */
struct show {
    const char *wanted;
    bool is_known;
    struct ml_nearest nearest;
    struct ml_pool *pool;
    const char *list; /* "a, b, c"; NULL without memory */
};

/* `offered` may be gone when the nearest name is told. */
static void show_offer(struct show *show, const char *offered)
{
    const char *name = ml_pool_text(show->pool, offered, strlen(offered));
    if (!name)
        return;
    show->is_known = show->is_known || strcmp(name, show->wanted) == 0;
    ml_nearest_offer(&show->nearest, name);
    if (show->list)
        show->list =
            ml_pool_format(show->pool, "%s%s%s", show->list, *show->list ? ", " : "", name);
}

static void show_offer_all(struct show *show, const struct ml_study *study)
{
    const struct ml_ensemble *ensemble = &study->ensemble;
    const struct ml_results *results = &study->results;
    char twin[ML_NAME_LENGTH];
    for (int i = 0; i < results->n_output; i++) {
        show_offer(show, results->outputs[i].name);
        if (results->outputs[i].is_angle)
            show_offer(show, ml_shown_twin(&results->outputs[i], twin));
    }
    for (int k = 0; k < ml_saving_records(&ensemble->saving); k++)
        show_offer(show, ml_ensemble_record(ensemble, ensemble->saving.records[k])->name);
}

void ml_plan_show(struct ml_reader *r, const struct ml_study *study)
{
    const char *wanted = study->spec.show;
    if (!wanted)
        return;
    struct show show = {
        .wanted = wanted, .nearest = ml_nearest_typo(wanted), .pool = r->pool, .list = ""};
    show_offer_all(&show, study);
    if (show.is_known)
        return;
    ml_problem(&r->problems, ml_node_find(r->root, "show")->location,
               "the study has no `%s` to show; it has %s%s", wanted, show.list ? show.list : "",
               ml_did_you_mean(show.nearest.best).text);
}

void ml_plan_notice_show(struct ml_reader *r, const struct ml_study *study)
{
    struct ml_layout layout;
    ml_layout_init(&layout, study);
    if (!ml_shown_as_named(&layout))
        ml_notice(r, ml_node_find(r->root, "show")->location,
                  "`%s` is drawn only in maps of two swept quantities, of the first output that is "
                  "an angle: viewers show what they would without `show`",
                  study->spec.show);
}
