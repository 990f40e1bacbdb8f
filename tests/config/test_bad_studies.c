/* Every file of tests/bad_studies is refused with exactly the message that stands beside it. */
#include <dirent.h>
#include <string.h>

#include "check.h"
#include "manylink/study.h"
#include "study.h"

enum { MOST_FILES = 1000, LONGEST = 100000 };

static size_t read_all(const char *path, char text[LONGEST])
{
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, LONGEST - 1, file) : 0;
    text[length] = '\0';
    if (file)
        (void)fclose(file);
    return length;
}

static void file_is_refused_as_expected(const char *name)
{
    static char text[LONGEST], expected[LONGEST];
    char path[512];
    int stem = (int)(strrchr(name, '.') - name);
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    CHECK_CASE("%s", name);
    (void)snprintf(path, sizeof path, "%s/tests/bad_studies/%s", ML_SOURCE_DIR, name);
    size_t length = read_all(path, text);
    (void)snprintf(path, sizeof path, "%s/tests/bad_studies/%.*s.expect", ML_SOURCE_DIR, stem,
                   name);
    CHECK(read_all(path, expected) > 0);
    CHECK(ml_study_load(STUDY_TEXT(name, text, .length = length), &study, &err) == ML_E_INPUT);
    CHECK(!study);
    CHECK(err.count > 0 && err.text && strcmp(err.text, expected) == 0);
    if (err.text && strcmp(err.text, expected) != 0)
        fprintf(stderr, "got:\n%sexpected:\n%s", err.text, expected);
    ml_error_clear(&err);
    ml_study_free(study);
}

static void all_files_are_refused_as_expected(void)
{
    DIR *folder = opendir(ML_SOURCE_DIR "/tests/bad_studies");
    int n = 0;
    CHECK(folder != NULL);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        const char *ending = strrchr(entry->d_name, '.');
        if (!ending || strcmp(ending, ".yaml") != 0)
            continue;
        file_is_refused_as_expected(entry->d_name);
        n++;
    }
    CHECK(n >= 100);
    if (folder)
        (void)closedir(folder);
}

int main(void)
{
    all_files_are_refused_as_expected();
    return check_done();
}
