/* Messages and figures of all commands. */
#include "cli/messages.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "manylink/run.h"
#include "manylink/text.h"

enum { TEXT = 32 };

/* https://no-color.org */
static bool has_colour(void)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && !(none && *none) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

int fail_with(struct ml_error *err)
{
    const enum ml_status status = err->count > 0 ? err->status : ML_E_MEMORY;
    if (has_colour())
        fputs("\033[1;31merror:\033[0m ", stderr);
    fputs(err->text ? err->text : ml_status_text(status), stderr);
    if (!err->text)
        fputc('\n', stderr);
    ml_error_clear(err);
    switch (status) {
    case ML_E_INPUT:
    case ML_E_OTHER_STUDY:
        return EXIT_BAD_INPUT;
    case ML_STOPPED:
        return EXIT_INTERRUPTED;
    default:
        return EXIT_FAILED;
    }
}

void *need(void *memory)
{
    if (!memory) {
        fputs("manylink: out of memory\n", stderr);
        exit(EXIT_FAILED); /* NOLINT(concurrency-mt-unsafe) */
    }
    return memory;
}

void *take(size_t count, size_t size) { return need(calloc(count + 1, size)); }

static char *format_text(const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        (void)vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

char *take_text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = format_text(format, args);
    va_end(args);
    return need(text);
}

int fail_without_runs(const struct ml_result *result, const char *path, const char *purpose)
{
    struct ml_array_info info = {.size = sizeof info};
    const bool is_comparison = ml_result_find(result, "precision/error", &info) != 0;
    say(stderr, "%s: %shas no runs: %s%s\n", path,
        is_comparison ? "is a comparison of integrators, and " : "", purpose,
        is_comparison ? "; `manylink plot` draws it, `manylink info` lists its numbers" : "");
    return EXIT_BAD_INPUT;
}

void print_outcomes(const struct ml_outcome_count counts[ML_N_OUTCOME])
{
    const char *comma = "";
    for (int i = 0; ml_outcome_name(i); i++)
        if (counts[i].runs > 0) {
            printf("%s%lld %s", comma, (long long)counts[i].runs, ml_outcome_name(i));
            comma = ", ";
        }
}

void print_result(const char *path)
{
    struct stat file;
    char size[TEXT];
    say(stdout, "result: %s", path);
    if (stat(path, &file) == 0)
        printf(" (%s)", format_bytes((double)file.st_size, size));
    printf("\n");
}

void print_notice(const char *text)
{
    const size_t length = strlen(text);
    const char *end = length > 0 && text[length - 1] == '\n' ? "" : "\n";
    const bool is_warning = strncmp(text, "warning:", 8) == 0;
    const size_t word = is_warning ? 8 : strncmp(text, "note:", 5) == 0 ? 5 : 0;
    if (word == 0 || !has_colour()) {
        say(stderr, "manylink: %s%s", text, end);
        return;
    }
    fprintf(stderr, "manylink: \033[1;%dm%.*s\033[0m", is_warning ? 33 : 36, (int)word, text);
    say(stderr, "%s%s", text + word, end);
}

void print_study_notice(const char *text)
{
    static const char word[] = "note:";
    const char *at = strstr(text, word);
    if (at && has_colour()) {
        say(stderr, "%.*s", (int)(at - text), text);
        fprintf(stderr, "\033[1;36m%s\033[0m", word);
        text = at + strlen(word);
    }
    say(stderr, "%s\n", text);
}

bool parse_count(const char *text, long long low, long long high, long long *out)
{
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *out >= low && *out <= high;
}

static char *format_scaled(double value, double base, const char *const *units, const char *none,
                           char *buffer)
{
    int i = -1;
    while (value >= 999.5 && i < 3) { /* 999.5 would print as 1e+03 */
        value /= base;
        i++;
    }
    if (i < 0)
        (void)snprintf(buffer, TEXT, "%.0f%s", value, none);
    else
        (void)snprintf(buffer, TEXT, "%.3g %s", value, units[i]);
    return buffer;
}

char *format_count(double value, char *buffer)
{
    static const char *const units[] = {"k", "M", "G", "T"};
    return format_scaled(value, 1000.0, units, "", buffer);
}

char *format_bytes(double bytes, char *buffer)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    return format_scaled(bytes, 1000.0, units, " bytes", buffer);
}

void say(FILE *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = ml_text_escape(format_text(format, args));
    va_end(args);
    if (text)
        fputs(text, to);
    free(text);
}

/* $'...', which not every shell knows (POSIX.1-2024), for bytes that must not reach the terminal.
 */
static void say_escaped(FILE *to, const char *word)
{
    fputs("$'", to);
    for (; *word; word++)
        if ((unsigned char)*word < ' ' || (unsigned char)*word >= 0x7F)
            fprintf(to, "\\%03o", (unsigned)(unsigned char)*word);
        else
            fprintf(to, strchr("'\\", *word) ? "\\%c" : "%c", *word);
    fputc('\'', to);
}

void say_word(FILE *to, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";
    bool is_clean = true;
    for (const char *c = word; *c; c++)
        is_clean = is_clean && ((*c >= ' ' && *c < 0x7F) || *c == '\n' || *c == '\t');
    if (!is_clean)
        say_escaped(to, word);
    else if (!*word || word[strspn(word, plain)])
        ml_text_quote(to, word);
    else
        fputs(word, to);
}
