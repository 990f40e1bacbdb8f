/* manylink init: a study to start from. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/templates.h"

/* "chain.yaml" -> "chain" */
bool init_template(int i, struct choice *out)
{
    const char *file = templates[i].file;
    if (file)
        (void)snprintf(out->word, sizeof out->word, "%.*s", (int)strcspn(file, "."), file);
    return file;
}

static int list_templates(void)
{
    struct choice name;
    for (int i = 0; init_template(i, &name); i++) {
        const char *first = templates[i].lines[0];
        print_row(stdout, (struct help_row){name.word, first + strspn(first, "# ")});
    }
    printf(
        "\n`manylink init NAME >study.yaml` makes a study of it, `manylink plan study.yaml` shows "
        "its runs and their time\n");
    return EXIT_DONE;
}

int command_init(const struct command_line *line)
{
    struct choice name;
    char known[200] = "";
    if (line->n_argument == 0)
        return list_templates();
    for (int i = 0; init_template(i, &name); i++) {
        if (strcmp(name.word, line->arguments[0]) == 0) {
            for (const char *const *text = templates[i].lines; *text; text++)
                puts(*text);
            return EXIT_DONE;
        }
        (void)snprintf(known + strlen(known), sizeof known - strlen(known), " %s", name.word);
    }
    return fail_usage(line->command,
                      "cannot make `%s`: no study to start from has that name; there are:%s",
                      line->arguments[0], known);
}
