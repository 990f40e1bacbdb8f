/* Completion of command lines in bash, zsh and fish: scripts with a case for every command, from
 * the table of commands. Keys of a study and datasets of a result are those that the scripts get
 * from `manylink --complete FILE`. */
#include "cli/completion.h"

#include <string.h>

#include "cli/command.h"
#include "manylink/catalogue.h"
#include "manylink/evaluate.h"
#include "manylink/result.h"

/* Files that the command's argument can be: those with the ending of the first. */
static const char *ending_of(const struct command *command)
{
    return strstr(command->arguments, ".yaml")  ? "*.yaml"
           : strstr(command->arguments, ".h5")  ? "*.h5"
           : strstr(command->arguments, ".so]") ? "*.so"
                                                : "";
}

static bool takes_result(const struct command *command)
{
    return strncmp(command->arguments, "OUT.h5", 6) == 0;
}

/* Whether the values of an option are keys of the study, or names in the result. */
static bool takes_names(const struct command *command, const struct option_row *row)
{
    const char *argument = row->argument ? row->argument : "";
    return strncmp(argument, "PATH", 4) == 0 || strcmp(argument, "AXIS") == 0 ||
           (takes_result(command) && strcmp(argument, "NAME,...") == 0);
}

/* Whether names in the result are arguments behind it. */
static bool names_are_arguments(const struct command *command)
{
    return takes_result(command) &&
           (strstr(command->arguments, "OUTPUT") || strstr(command->arguments, "NAME"));
}

static void print_words(const char *const *words)
{
    for (int i = 0; words[i]; i++)
        printf("%s%s", i > 0 ? " " : "", words[i]);
}

/* Text within single quotes, where bytes of `escaped` have a backslash. */
static void print_escaped(const char *text, const char *escaped)
{
    for (; *text; text++) {
        if (*text == '\'')
            printf("'\\'");
        else if (strchr(escaped, *text))
            putchar('\\');
        putchar(*text);
    }
}

/* "--kernel) words='auto general made' ;;": the values of an option; the default is nothing. */
static void print_bash_value(const struct command *command, const struct option_row *row)
{
    if (row->kind == OPTION_FILE)
        printf("        --%s) files='*' ;;\n", row->name);
    else if (takes_names(command, row))
        printf("        --%s) names=1 ;;\n", row->name);
    else if (row->kind == OPTION_WORD) {
        printf("        --%s) words='", row->name);
        print_words(row->words);
        printf("' ;;\n");
    } else if (row->kind != OPTION_FLAG)
        printf("        --%s) ;;\n", row->name);
    if (row->letter && row->kind == OPTION_FILE)
        printf("        -%c) files='*' ;;\n", row->letter);
}

static void print_bash_command(const struct command *command)
{
    struct choice choice;
    printf("    *-%s)\n        case $before in\n", command->name);
    for (const struct option_row *row = command->options; row->name; row++)
        print_bash_value(command, row);
    printf("        *)\n            words='");
    for (const struct option_row *row = command->options; row->name; row++)
        printf("--%s ", row->name);
    for (const struct option_row *row = common_options; row->name; row++)
        printf("%s--%s", row == common_options ? "" : " ", row->name);
    for (int i = 0; command->choice && command->choice(i, &choice); i++)
        printf(" %s", choice.word);
    printf("'\n            files='%s'%s ;;\n        esac ;;\n", ending_of(command),
           names_are_arguments(command) ? "\n            names=1" : "");
}

static void print_bash(void)
{
    printf("# Completes command lines of manylink in bash.\n"
           "_manylink()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local words='' files='' names='' name\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then\n        words='");
    for (const struct command *c = commands; c->name; c++)
        printf("%s ", c->name);
    printf("--help --version'\n    fi\n"
           "    case $COMP_CWORD-${COMP_WORDS[1]} in\n    1-*) ;;\n");
    for (const struct command *c = commands; c->name; c++)
        print_bash_command(c);
    printf(
        "    esac\n"
        "    if [ \"$names\" ]; then\n"
        "        for name in \"${COMP_WORDS[@]:2:COMP_CWORD-2}\"; do\n"
        "            case $name in\n"
        "            *.yaml | *.h5) words+=\" $(manylink --complete \"$name\" 2>/dev/null)\" ;;\n"
        "            esac\n"
        "        done\n"
        "    fi\n"
        "    COMPREPLY=()\n"
        "    while IFS= read -r name; do\n"
        "        COMPREPLY+=(\"$name\")\n"
        "    done < <(compgen -W \"$words\" -- \"$word\"\n"
        "        [ -z \"$files\" ] || compgen -d -- \"$word\"\n"
        "        [ -z \"$files\" ] || compgen -f -X \"!$files\" -- \"$word\")\n"
        "}\n"
        "complete -o filenames -F _manylink manylink\n");
}

/* "'*--set[override a key]:PATH=VALUE:_manylink_names'", as _arguments of zsh takes it. */
static void print_zsh_option(const struct command *command, const struct option_row *row)
{
    static const char special[] = "[]:\\";
    printf("        '%s--%s[", row->kind == OPTION_LIST ? "*" : "", row->name);
    print_escaped(row->doc, special);
    printf("]");
    if (row->kind != OPTION_FLAG) {
        printf(":");
        print_escaped(row->argument ? row->argument : row->name, special);
        printf(":");
    }
    if (row->kind == OPTION_FILE)
        printf("_files");
    else if (takes_names(command, row))
        printf("_manylink_names");
    else if (row->kind == OPTION_WORD) {
        printf("(");
        print_words(row->words);
        printf(")");
    }
    printf("' \\\n");
    if (row->letter && row->kind == OPTION_FILE)
        printf("        '-%c+: :_files' \\\n", row->letter);
}

static void print_zsh_command(const struct command *command)
{
    struct choice choice;
    const char *ending = ending_of(command);
    printf("    %s)\n        _arguments -S \\\n", command->name);
    for (const struct option_row *row = command->options; row->name; row++)
        print_zsh_option(command, row);
    for (const struct option_row *row = common_options; row->name; row++)
        print_zsh_option(command, row);
    if (command->choice) {
        printf("        '1: :(");
        for (int i = 0; command->choice(i, &choice); i++)
            printf("%s%s", i > 0 ? " " : "", choice.word);
        printf(")' \\\n");
    } else if (names_are_arguments(command)) {
        printf("        '1: :_files -g \"%s\"' \\\n        '*: :_manylink_names' \\\n", ending);
    } else if (*ending) {
        printf("        '*: :_files -g \"%s\"' \\\n", ending);
    }
    printf("        ;;\n");
}

static void print_zsh(void)
{
    printf("#compdef manylink\n"
           "# Completes command lines of manylink in zsh.\n"
           "_manylink_names()\n{\n"
           "    local name\n"
           "    for name in ${words[2,-1]}; do\n"
           "        case $name in\n"
           "        *.yaml|*.h5)\n"
           "            compadd -- ${(f)\"$(manylink --complete $name 2>/dev/null)\"} ;;\n"
           "        esac\n"
           "    done\n"
           "}\n"
           "_manylink()\n{\n"
           "    local -a all\n"
           "    if (( CURRENT == 2 )); then\n"
           "        all=(\n");
    for (const struct command *c = commands; c->name; c++) {
        printf("            '%s:", c->name);
        print_escaped(c->summary, "");
        printf("'\n");
    }
    printf("        )\n"
           "        _describe command all\n"
           "        compadd -- --help --version\n"
           "        return\n"
           "    fi\n"
           "    shift words\n"
           "    (( CURRENT-- ))\n"
           "    case $words[1] in\n");
    for (const struct command *c = commands; c->name; c++)
        print_zsh_command(c);
    printf("    esac\n"
           "}\n"
           "if [ \"$funcstack[1]\" = _manylink ]; then\n"
           "    _manylink \"$@\"\n"
           "else\n"
           "    compdef _manylink manylink\n"
           "fi\n");
}

static void print_fish_option(const struct command *command, const struct option_row *row)
{
    printf("complete -c manylink -n '__fish_seen_subcommand_from %s' -l %s", command->name,
           row->name);
    if (row->letter)
        printf(" -s %c", row->letter);
    if (row->kind == OPTION_FILE)
        printf(" -r -F");
    else if (takes_names(command, row))
        printf(" -x -a '(__manylink_names)'");
    else if (row->kind == OPTION_WORD) {
        printf(" -x -a '");
        print_words(row->words);
        printf("'");
    } else if (row->kind != OPTION_FLAG)
        printf(" -x");
    printf(" -d '");
    print_escaped(row->doc, "\\");
    printf("'\n");
}

static void print_fish_command(const struct command *command)
{
    struct choice choice;
    const char *ending = ending_of(command);
    printf("complete -c manylink -n __fish_use_subcommand -a %s -d '", command->name);
    print_escaped(command->summary, "\\");
    printf("'\n");
    for (const struct option_row *row = command->options; row->name; row++)
        print_fish_option(command, row);
    for (const struct option_row *row = common_options; row->name; row++)
        print_fish_option(command, row);
    printf("complete -c manylink -n '__fish_seen_subcommand_from %s' -a '", command->name);
    for (int i = 0; command->choice && command->choice(i, &choice); i++)
        printf("%s ", choice.word);
    if (*ending)
        printf("(__fish_complete_suffix %s) ", ending + 1);
    if (names_are_arguments(command))
        printf("(__manylink_names)");
    printf("'\n");
}

static void print_fish(void)
{
    printf("# Completes command lines of manylink in fish.\n"
           "function __manylink_names\n"
           "    for name in (commandline -opc)[3..-1]\n"
           "        if string match -q -r '[.](yaml|h5)$' -- $name\n"
           "            manylink --complete $name 2>/dev/null\n"
           "        end\n"
           "    end\n"
           "end\n"
           "complete -c manylink -f\n"
           "complete -c manylink -n __fish_use_subcommand -l help\n"
           "complete -c manylink -n __fish_use_subcommand -l version\n");
    for (const struct command *c = commands; c->name; c++)
        print_fish_command(c);
}

int print_completion(const char *shell)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (!shell || strcmp(shell, shells[i].name) == 0) {
            shells[i].print();
            return EXIT_DONE;
        }
    say(stderr, "manylink: no completion for `%s`; there are: bash zsh fish\n", shell);
    return EXIT_BAD_INPUT;
}

/* Names of swept numbers and of datasets of the summary, where axes are both. */
static void complete_result(const struct ml_result *result)
{
    struct ml_array_info info = {.size = sizeof info}, twin = info;
    char path[300];
    for (int i = 0; ml_result_dataset(result, i, &info); i++) {
        (void)snprintf(path, sizeof path, "runs/%s", ml_result_name(&info));
        if (strncmp(info.name, "runs/", 5) == 0 ||
            (strncmp(info.name, "summary/", 8) == 0 && !ml_result_find(result, path, &twin)))
            say(stdout, "%s\n", ml_result_name(&info));
    }
}

/* Keys of any study, then the numbers that this study has. */
static int complete_study(const struct ml_study *study, struct ml_error *err)
{
    struct ml_catalogue *catalogue;
    struct ml_catalogue_key key = {.size = sizeof key};
    const char *path;
    if (ml_catalogue_open(NULL, &catalogue, err) != ML_OK)
        return fail_with(err);
    for (int i = 0; ml_catalogue_key(catalogue, i, &key); i++)
        if (!*key.owner && !strchr(key.path, '[') && strcmp(key.path, "manylink") != 0 &&
            strncmp(key.path, "system.", 7) != 0 && strncmp(key.path, "derived.", 8) != 0)
            printf("%s\n", key.path);
    ml_catalogue_free(catalogue);
    for (int i = 0; (path = ml_study_number(study, i)) != NULL; i++)
        say(stdout, "%s\n", path);
    return EXIT_DONE;
}

int print_complete(const char *path)
{
    struct ml_error err = {0};
    struct ml_result *result = NULL;
    struct ml_study *study = NULL;
    const struct ml_study_source source = {.size = sizeof source, .path = path, .no_native = true};
    const size_t length = path ? strlen(path) : 0;
    int code;
    if (!path)
        return EXIT_BAD_INPUT;
    if (length > 3 && strcmp(path + length - 3, ".h5") == 0) {
        code = ml_result_open(path, &result, &err) == ML_OK ? EXIT_DONE : fail_with(&err);
        if (result)
            complete_result(result);
    } else {
        code = ml_study_load(&source, &study, &err) == ML_OK ? complete_study(study, &err)
                                                             : fail_with(&err);
    }
    ml_result_free(result);
    ml_study_free(study);
    return code;
}
