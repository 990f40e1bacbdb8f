/* How far a result and its shards are, as a page of text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "manylink/result.h"
#include "report/standing.h"

/* Nothing if it is not known. */
static void status_print_left(FILE *out, double seconds)
{
    static const struct {
        double size; /* s */
        const char *name;
    } units[] = {{86400.0, "days"}, {3600.0, "h"}, {60.0, "min"}, {1.0, "s"}};
    size_t i = 0;
    if (seconds < 0.0)
        return;
    while (i + 1 < sizeof units / sizeof *units && seconds < 2.0 * units[i].size)
        i++;
    (void)fprintf(out, ", about %.3g %s left", ceil(seconds) / units[i].size, units[i].name);
}

static void status_print_owner(FILE *out, const struct ml_standing *s)
{
    if (s->owner.is_held)
        (void)fprintf(out, ", %s is at work", *s->owner.text ? s->owner.text : "a process");
    else
        (void)fprintf(out, ", nobody is at work");
    if (s->age >= 0.0)
        (void)fprintf(out, ", the last block %.0f s ago", s->age);
    status_print_left(out, ml_standing_left(s));
}

static void status_print_progress(FILE *out, const struct ml_standing *s)
{
    switch (s->state) {
    case ML_STANDING_NOT_BEGUN:
        (void)fprintf(out, "not begun");
        break;
    case ML_STANDING_UNDERWAY:
        (void)fprintf(out, "%s%lld of %lld blocks are done",
                      s->has_result ? "finished; of the result that will replace it " : "",
                      (long long)s->blocks_done, (long long)s->n_block);
        status_print_owner(out, s);
        break;
    case ML_STANDING_COMPLETE:
        if (s->runs_missing > 0)
            (void)fprintf(out, "merged, but %lld of %lld runs are missing",
                          (long long)s->runs_missing, (long long)s->n_run);
        else
            (void)fprintf(out, "finished");
        break;
    }
    if (s->shard.count > 1)
        (void)fprintf(out, " (shard %lld of %lld)", (long long)s->shard.index,
                      (long long)s->shard.count);
}

static bool status_is_missing(const void *context, int64_t block)
{
    const unsigned char *is_done = context;
    return !is_done[block];
}

static void status_print_missing(FILE *out, const unsigned char *is_done, int64_t n_block,
                                 const char *indent)
{
    char *text = ml_ranges(n_block, status_is_missing, is_done);
    if (text && *text)
        (void)fprintf(out, "%smissing blocks: %s\n", indent, text);
    free(text);
}

struct status_in_state {
    const struct ml_family *family;
    enum ml_standing_state state;
};

static bool status_is_in_state(const void *context, int64_t i)
{
    const struct status_in_state *in = context;
    return !in->family->members[i].fault && in->family->members[i].standing.state == in->state;
}

static void status_print_in_state(FILE *out, const struct ml_family *family,
                                  enum ml_standing_state state, const char *word)
{
    char *text =
        ml_ranges(family->count, status_is_in_state, &(struct status_in_state){family, state});
    if (text && *text)
        (void)fprintf(out, "  %-10s %s\n", word, text);
    free(text);
}

static void status_print_family(FILE *out, const struct ml_family *family)
{
    int64_t at_work;
    const double left = ml_family_left(family, &at_work);
    (void)fprintf(out, "  %lld of %lld shards are finished, %lld of %lld blocks are done",
                  (long long)ml_family_finished(family), (long long)family->count,
                  (long long)ml_family_blocks_done(family), (long long)family->n_block);
    status_print_left(out, left);
    (void)fprintf(out, left < 0.0 ? "\n" : " for %lld at work\n", (long long)at_work);
    status_print_in_state(out, family, ML_STANDING_COMPLETE, "finished");
    for (int64_t i = 0; i < family->count; i++) {
        if (!family->members[i].fault && family->members[i].standing.state != ML_STANDING_UNDERWAY)
            continue;
        (void)fprintf(out, "  shard %-4lld ", (long long)i);
        if (family->members[i].fault) {
            (void)fputs(family->members[i].fault, out);
            continue;
        }
        status_print_progress(out, &family->members[i].standing);
        (void)fputc('\n', out);
    }
    status_print_in_state(out, family, ML_STANDING_NOT_BEGUN, "not begun");
    if (family->is_done)
        status_print_missing(out, family->is_done, family->n_block, "  ");
}

static enum ml_status status_print_shards(FILE *out, const struct ml_standing *standing,
                                          const char *path, struct ml_error *err)
{
    struct ml_families families;
    enum ml_status status = ml_families_read(&families, path, err);
    if (status == ML_OK)
        status = ml_standing_check(standing, &families, path, err);
    for (int i = 0; status == ML_OK && i < families.n; i++)
        status_print_family(out, &families.families[i]);
    ml_families_free(&families);
    return status;
}

static enum ml_status status_print_page(FILE *out, const char *path, struct ml_error *err)
{
    struct ml_standing standing;
    enum ml_status status = ml_standing_read(&standing, path, err);
    if (status == ML_OK) {
        (void)fprintf(out, "%s: ", path);
        status_print_progress(out, &standing);
        (void)fputc('\n', out);
        if (standing.state == ML_STANDING_UNDERWAY && standing.is_done && standing.shard.count == 1)
            status_print_missing(out, standing.is_done, standing.n_block, "  ");
        if (standing.state != ML_STANDING_COMPLETE || standing.runs_missing > 0)
            status = status_print_shards(out, &standing, path, err);
    }
    ml_standing_free(&standing);
    return status;
}

enum ml_status ml_result_status(const char *path, char **text, struct ml_error *err)
{
    size_t size;
    *text = NULL;
    FILE *out = open_memstream(text, &size);
    if (!out)
        return ML_E_MEMORY;
    enum ml_status status = status_print_page(out, path, err);
    if (fclose(out) != 0 && status == ML_OK)
        status = ML_E_MEMORY;
    *text = ml_text_escape(*text);
    if (status != ML_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
