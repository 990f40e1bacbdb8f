/* manylink init: a study to start from. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/templates.h"
#include "manylink/catalogue.h"

bool init_template(int i, struct choice *out)
{
    (void)snprintf(out->word, sizeof out->word, "%s", templates[i].name ? templates[i].name : "");
    return templates[i].name;
}

/* Classical system i of the library; false past the last. */
static bool init_classic(const struct ml_catalogue *c, int i, struct ml_catalogue_entry *out)
{
    *out = (struct ml_catalogue_entry){.size = sizeof *out};
    return ml_catalogue_entry(c, ML_CATALOGUE_CLASSIC, i, out);
}

static void list_templates(const struct ml_catalogue *c)
{
    struct ml_catalogue_entry classic;
    for (const struct template *t = templates; t->name; t++)
        print_row(stdout, (struct help_row){t->name, t->lines[0] + strspn(t->lines[0], "# ")});
    printf("\nclassical systems, `system: {type: NAME}`\n");
    for (int i = 0; init_classic(c, i, &classic); i++)
        print_row(stdout, (struct help_row){classic.name, classic.description});
    printf(
        "\n`manylink init NAME >study.yaml` makes a study of it, `manylink plan study.yaml` shows "
        "its runs and their time\n");
}

/* The lines of the study with that name; NULL: none has. */
static const char *const *init_find(const struct ml_catalogue *c, const char *name)
{
    struct ml_catalogue_entry classic;
    for (const struct template *t = templates; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t->lines;
    for (int i = 0; init_classic(c, i, &classic); i++)
        if (strcmp(classic.name, name) == 0)
            return classic.study;
    return NULL;
}

int command_init(const struct command_line *line)
{
    struct ml_catalogue *catalogue;
    struct ml_error err = {0};
    int code = EXIT_DONE;
    if (ml_catalogue_open(NULL, &catalogue, &err) != ML_OK)
        return fail_with(&err);
    const char *const *text =
        line->n_argument > 0 ? init_find(catalogue, line->arguments[0]) : NULL;
    if (line->n_argument == 0)
        list_templates(catalogue);
    else if (!text)
        code = fail_usage(line->command,
                          "cannot make `%s`: no study to start from has that name; "
                          "`manylink init` lists them",
                          line->arguments[0]);
    for (; text && *text; text++)
        puts(*text);
    ml_catalogue_free(catalogue);
    return code;
}
