/* Runs gnuplot, and ffmpeg where that is to make a film of it, and puts the picture in place: a
 * whole one, or none. */
#include "plot/script.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/io.h"
#include "base/open.h"
#include "base/path.h"

enum { MESSAGE_LENGTH = 600 };

/* Whether a picture has its end: gnuplot does not tell of a disk that is full. */
static bool gnuplot_is_whole(const char *path, const struct ml_plot_picture *kind)
{
    enum { TAIL = 64 };
    char tail[TAIL];
    struct stat about;
    const size_t length = strlen(kind->end);
    const int file = ml_open_file(path, O_RDONLY | O_NOFOLLOW);
    bool is = false;
    if (file < 0)
        return false;
    if (fstat(file, &about) == 0 && about.st_size >= (off_t)length) {
        const size_t n = about.st_size < TAIL ? (size_t)about.st_size : TAIL;
        const bool is_read = ml_io_read(file, about.st_size - (off_t)n, tail, n);
        for (size_t i = 0; is_read && i + length <= n; i++)
            is = is || memcmp(tail + i, kind->end, length) == 0;
    }
    (void)close(file); /* read only */
    return is;
}

/* Removes gnuplot's first line about the degree sign in a locale without it, which no picture
 * needs. */
static const char *gnuplot_reason(const char *text)
{
    const char *warning = strstr(text, "warning: iconv"), *end = strchr(text, '\n');
    return warning && end && warning < end ? end + 1 : text;
}

/* Runs a program in the folder; whether it ended well, else the source fails.
 *   missing  message where it is not installed
 *   made     its product, for a message */
static bool gnuplot_child(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                          char *const *arguments, const char *missing, const char *made)
{
    char text[MESSAGE_LENGTH + 1];
    if (source->status != ML_OK)
        return false;
    const struct ml_child child = {.arguments = arguments,
                                   .folder = folder->path,
                                   .owns_folder = !folder->is_kept,
                                   .stop = source->stop};
    const struct ml_child_report report = ml_child_run(&child, text, sizeof text);
    const bool is_done = ml_child_is_done(report);
    if (report.end == ML_CHILD_NOT_STARTED && report.code == ENOENT)
        ml_plot_fail(source, ML_E_FILE, "%s", missing);
    else if (report.end == ML_CHILD_NOT_STARTED)
        ml_plot_fail(source, ML_E_FILE, "cannot start %s: %s", *arguments, strerror(report.code));
    else if (!is_done && !ml_plot_is_stopped(source))
        ml_plot_fail(source, ML_E_FILE, "%s made no %s:\n%s", *arguments, made,
                     gnuplot_reason(text));
    return is_done;
}

/* Runs gnuplot where its script is, into a file that may be left in any state on failure: without
 * the settings of the user. */
static void gnuplot_run(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                        const struct ml_plot_picture *kind, const char *output)
{
    char *const arguments[] = {"gnuplot", "-d", "-c", ML_PLOT_SCRIPT, (char *)output, NULL};
    const char *missing =
        "pictures are drawn by gnuplot, which is not installed or not in PATH: on Debian, apt-get "
        "install gnuplot-nox; a folder for the script alone does without it";
    if (gnuplot_child(source, folder, arguments, missing, "picture") &&
        !gnuplot_is_whole(output, kind))
        ml_plot_fail(source, ML_E_FILE, "%s: gnuplot did not finish the picture: is the disk full?",
                     output);
}

/* Makes a film of the pictures that gnuplot has drawn; its encoders want even numbers of pixels. */
static void run_ffmpeg(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                       const char *animation, const char *output)
{
    char *const arguments[] = {"ffmpeg",
                               "-nostdin",
                               "-loglevel",
                               "error",
                               "-y",
                               "-f",
                               "gif",
                               "-i",
                               (char *)animation,
                               "-vf",
                               "crop=trunc(iw/2)*2:trunc(ih/2)*2",
                               "-pix_fmt",
                               "yuv420p",
                               "-movflags",
                               "+faststart",
                               "-f",
                               "mp4",
                               (char *)output,
                               NULL};
    (void)gnuplot_child(source, folder, arguments,
                        "films are made by ffmpeg, which is not installed or not in PATH: on "
                        "Debian, apt-get install ffmpeg; .gif does without it",
                        "film");
}

/* Makes the empty file that gnuplot writes to: not where a link leads that somebody put there. */
static bool make_temporary(const char *path)
{
    (void)unlink(path);
    const int file = ml_open_file(path, O_WRONLY | O_CREAT | O_EXCL);
    return file >= 0 && close(file) == 0;
}

/* By way of an animation beside the output. */
static void run_film(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                     const struct ml_plot_picture *kind, const char *output)
{
    char *animation = ml_path("%s.gif", output);
    if (!animation) {
        ml_plot_fail(source, ML_E_MEMORY, "%s: out of memory", source->path);
        return;
    }
    if (source->status == ML_OK && !make_temporary(animation))
        ml_plot_fail(source, ML_E_FILE, "%s: cannot be made: %s", animation, strerror(errno));
    gnuplot_run(source, folder, kind, animation);
    run_ffmpeg(source, folder, animation, output);
    (void)unlink(animation);
    free(animation);
}

void ml_plot_run_gnuplot(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                         const char *picture)
{
    char *name = source->status == ML_OK ? ml_path_absolute(picture) : NULL;
    char *temporary = name ? ml_path_temporary(name) : NULL;
    const struct ml_plot_picture *kind = ml_plot_picture_of(picture);
    free(name);
    if (!temporary || !kind) {
        ml_plot_fail(source, ML_E_MEMORY, "%s: out of memory", source->path);
        free(temporary);
        return;
    }
    if (!make_temporary(temporary))
        ml_plot_fail(source, ML_E_FILE, "%s: cannot be made: %s", picture, strerror(errno));
    (kind->is_film ? run_film : gnuplot_run)(source, folder, kind, temporary);
    if (source->status == ML_OK && rename(temporary, picture) != 0)
        ml_plot_fail(source, ML_E_FILE, "cannot rename the new picture to its name: %s",
                     strerror(errno));
    if (source->status != ML_OK)
        (void)unlink(temporary); /* it may not exist */
    free(temporary);
}
