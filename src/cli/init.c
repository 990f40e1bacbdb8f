/* manylink init: a study to start from. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/templates.h"

/* "chain.yaml" -> "chain" */
const char *init_template(int i, char name[CHOICE])
{
    const char *file = templates[i].file;
    if (!file)
        return NULL;
    (void)snprintf(name, CHOICE, "%.*s", (int)strcspn(file, "."), file);
    return name;
}

static int list_templates(void)
{
    char name[CHOICE];
    for (int i = 0; init_template(i, name); i++) {
        const char *first = templates[i].lines[0];
        print_row(stdout, (struct help_row){name, first + strspn(first, "# ")});
    }
    printf(
        "\n`manylink init NAME >study.yaml` makes a study of it, `manylink plan study.yaml` says "
        "what it does\n");
    return EXIT_DONE;
}

int command_init(const struct command_line *line)
{
    char name[CHOICE], known[200] = "";
    if (line->n_argument == 0)
        return list_templates();
    for (int i = 0; init_template(i, name); i++) {
        if (strcmp(name, line->arguments[0]) == 0) {
            for (const char *const *text = templates[i].lines; *text; text++)
                puts(*text);
            return EXIT_DONE;
        }
        (void)snprintf(known + strlen(known), sizeof known - strlen(known), " %s", name);
    }
    return fail_usage(line->command, "nothing is called `%s`; there are:%s", line->arguments[0],
                      known);
}
