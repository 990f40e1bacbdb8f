/* Every file of tests/bad_studies is refused, with each problem at its place and with the names of
 * keys that tests/bad_studies/places lists. Ten files have their message to the letter beside them
 * (NAME.expect). */
#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "manylink/study.h"
#include "study.h"

enum { MOST_FILES = 1000, MOST_NAMES = 50, LONGEST = 100000, N_IN_FULL = 10 };
static const char folder[] = ML_SOURCE_DIR "/tests/bad_studies";

static size_t read_all(const char *name, const char *ending, char text[LONGEST])
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, LONGEST - 1, file) : 0;
    text[length] = '\0';
    if (file)
        (void)fclose(file);
    return length;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_name(const char *word)
{
    return (isalpha((unsigned char)*word) || *word == '_') &&
           word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")] ==
               '\0';
}

/* Appends " name" for each name in `backquotes` of a line, in order and without repetition. */
static void append_names(char *line, char *places)
{
    char *names[MOST_NAMES];
    size_t n = 0;
    char *rest = strchr(line, '`');
    for (char *end; rest && (end = strchr(rest + 1, '`')); rest = strchr(end + 1, '`')) {
        *end = '\0';
        if (n < MOST_NAMES && is_name(rest + 1))
            names[n++] = rest + 1;
    }
    qsort(names, n, sizeof *names, compare_texts);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || strcmp(names[i], names[i - 1]) != 0)
            strcat(strcat(places, " "), names[i]);
}

/* Appends a line "FILE:LINE:COLUMN: names" for each problem of a message. Lines that quote the
 * study are indented. */
static void append_places(char *message, char *places)
{
    for (char *end, *line = message; line && *line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        char *text = *line == ' ' ? NULL : strstr(line, ": ");
        if (!text)
            continue;
        strncat(places, line, (size_t)(text + 1 - line));
        append_names(text, places);
        strcat(places, "\n");
    }
}

static void file_is_refused(const char *name, char places[LONGEST], int *n_in_full)
{
    static char text[LONGEST], expected[LONGEST];
    char stem[300];
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    CHECK_CASE("%s", name);
    (void)snprintf(stem, sizeof stem, "%.*s", (int)(strrchr(name, '.') - name), name);
    size_t length = read_all(name, "", text);
    CHECK(ml_study_load(STUDY_TEXT(name, text, .length = length), &study, &err) == ML_E_INPUT);
    CHECK(!study);
    CHECK(err.count > 0 && err.text);
    if (err.text && read_all(stem, ".expect", expected) > 0) {
        ++*n_in_full;
        CHECK(strcmp(err.text, expected) == 0);
        if (strcmp(err.text, expected) != 0)
            fprintf(stderr, "got:\n%sexpected:\n%s", err.text, expected);
    }
    if (err.text)
        append_places(err.text, places);
    ml_error_clear(&err);
    ml_study_free(study);
}

/* Shows the lines of a text that another one lacks. */
static void show_new(char *text, const char *other, const char *title)
{
    for (char *end, *line = text; (end = strchr(line, '\n')); line = end + 1) {
        const char after = end[1];
        end[1] = '\0';
        if (!strstr(other, line))
            fprintf(stderr, "%s: %s", title, line);
        end[1] = after;
    }
}

static void files_are_refused_at_their_places(void)
{
    static char places[LONGEST], expected[LONGEST];
    struct dirent **entries = NULL;
    int n_file = 0, n_in_full = 0;
    const int n = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *ending = strrchr(entries[i]->d_name, '.');
        if (ending && strcmp(ending, ".yaml") == 0) {
            file_is_refused(entries[i]->d_name, places, &n_in_full);
            n_file++;
        }
        free(entries[i]);
    }
    free(entries);
    CHECK_CASE("places");
    CHECK(n_file >= 100 && n_file < MOST_FILES);
    CHECK(n_in_full == N_IN_FULL);
    CHECK(read_all("places", "", expected) > 0);
    CHECK(strcmp(places, expected) == 0);
    show_new(places, expected, "new");
    show_new(expected, places, "missing");
}

int main(void)
{
    files_are_refused_at_their_places();
    return check_done();
}
