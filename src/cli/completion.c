/* Completion of command lines in bash: a function with a case for every command. */
#include <string.h>

#include "cli/help.h"

/* "--kernel) words='auto general made' ;;": the values of an option; the default is nothing.
 */
static void print_value(const struct option_row *row)
{
    if (row->kind == OPTION_FILE)
        printf("        --%s) files='*' ;;\n", row->name);
    else if (row->kind == OPTION_WORD) {
        printf("        --%s) words='", row->name);
        for (int i = 0; row->words[i]; i++)
            printf("%s%s", i > 0 ? " " : "", row->words[i]);
        printf("' ;;\n");
    } else if (row->kind != OPTION_FLAG)
        printf("        --%s) ;;\n", row->name);
    if (row->letter && row->kind == OPTION_FILE)
        printf("        -%c) files='*' ;;\n", row->letter);
}

/* Files that the command's argument can be: those with the ending of the first. */
static const char *ending_of(const struct command *command)
{
    return strstr(command->arguments, ".yaml")  ? "*.yaml"
           : strstr(command->arguments, ".h5")  ? "*.h5"
           : strstr(command->arguments, ".so]") ? "*.so"
                                                : "";
}

static void print_command(const struct command *command)
{
    struct choice choice;
    printf("    *-%s)\n        case $before in\n", command->name);
    for (const struct option_row *row = command->options; row->name; row++)
        print_value(row);
    printf("        *)\n            words='");
    for (const struct option_row *row = command->options; row->name; row++)
        printf("--%s ", row->name);
    for (const struct option_row *row = common_options; row->name; row++)
        printf("%s--%s", row == common_options ? "" : " ", row->name);
    for (int i = 0; command->choice && command->choice(i, &choice); i++)
        printf(" %s", choice.word);
    printf("'\n            files='%s' ;;\n        esac ;;\n", ending_of(command));
}

void print_completion(void)
{
    printf("# Completes command lines of manylink in bash.\n"
           "_manylink()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local words='' files='' name\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then\n        words='");
    for (const struct command *c = commands; c->name; c++)
        printf("%s ", c->name);
    printf("--help --version'\n    fi\n"
           "    case $COMP_CWORD-${COMP_WORDS[1]} in\n    1-*) ;;\n");
    for (const struct command *c = commands; c->name; c++)
        print_command(c);
    printf("    esac\n"
           "    COMPREPLY=()\n"
           "    while IFS= read -r name; do\n"
           "        COMPREPLY+=(\"$name\")\n"
           "    done < <(compgen -W \"$words\" -- \"$word\"\n"
           "        [ -z \"$files\" ] || compgen -d -- \"$word\"\n"
           "        [ -z \"$files\" ] || compgen -f -X \"!$files\" -- \"$word\")\n"
           "}\n"
           "complete -o filenames -F _manylink manylink\n");
}
