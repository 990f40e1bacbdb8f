/* The embedded sources are the files they were made of, and include nothing that is missing. */
#include "engine/kernels/kernel_compiler.h"

#include <stdbool.h>
#include <string.h>

#include "check.h"

/* The file of a path, in the first of the folders that has it. */
static FILE *open_source(const char *path)
{
    static const char *const folders[] = {ML_SOURCE_DIR "/src", ML_SOURCE_DIR "/include",
                                          "generated"};
    FILE *file = NULL;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !file; i++) {
        char name[512];
        (void)snprintf(name, sizeof name, "%s/%s", folders[i], path);
        file = fopen(name, "r");
    }
    return file;
}

static void every_line_is_that_of_the_file(void)
{
    for (const struct ml_kernel_source *source = ml_kernel_sources; source->path; source++) {
        char line[4096];
        FILE *file = open_source(source->path);
        const char *const *at = source->lines;
        CHECK_CASE("%s", source->path);
        CHECK(file != NULL);
        for (; file && *at && fgets(line, sizeof line, file); at++)
            CHECK(strncmp(line, *at, strlen(*at)) == 0 && strcmp(line + strlen(*at), "\n") == 0);
        CHECK(!*at && file && fgetc(file) == EOF);
        if (file)
            (void)fclose(file);
    }
}

static bool is_there(const char *path, size_t length)
{
    for (const struct ml_kernel_source *source = ml_kernel_sources; source->path; source++)
        if (strlen(source->path) == length && strncmp(source->path, path, length) == 0)
            return true;
    return false;
}

static void what_is_included_is_there(void)
{
    int n = 0;
    for (const struct ml_kernel_source *source = ml_kernel_sources; source->path; source++)
        for (const char *const *line = source->lines; *line; line++) {
            static const char include[] = "#include \"";
            if (strncmp(*line, include, sizeof include - 1) != 0)
                continue;
            const char *path = *line + sizeof include - 1;
            CHECK_CASE("%s: %s", source->path, path);
            CHECK(is_there(path, strcspn(path, "\"")));
            n++;
        }
    CHECK_CASE("all");
    CHECK(n > 10);
    CHECK(is_there("engine/kernels/kernel.kern.c", strlen("engine/kernels/kernel.kern.c")));
}

int main(void)
{
    every_line_is_that_of_the_file();
    what_is_included_is_there();
    return check_done();
}
