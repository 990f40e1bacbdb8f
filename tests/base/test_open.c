#include "base/open.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static char folder[] = "/tmp/manylink-test-open-XXXXXX";

static void a_file_is_opened_above_the_standard_descriptors(void)
{
    const int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        (void)close(file);
    const int file = ml_open_file("made", O_RDWR | O_CREAT);
    FILE *stream = ml_open_stream("made");
    const int of_stream = stream ? fileno(stream) : -1;
    const struct ml_open_hold hold = ml_open_hold_standard();
    const int usual = open("made", O_RDONLY);
    ml_open_release(&hold);
    const bool is_closed = fcntl(STDERR_FILENO, F_GETFD) < 0;
    (void)dup2(kept, STDERR_FILENO);
    CHECK(file > STDERR_FILENO);
    CHECK(of_stream > STDERR_FILENO);
    CHECK(usual > STDERR_FILENO);
    CHECK(hold.n == 3);
    CHECK(is_closed);
    CHECK((fcntl(file, F_GETFD) & FD_CLOEXEC) != 0);
    CHECK((fcntl(of_stream, F_GETFD) & FD_CLOEXEC) != 0);
    if (stream)
        (void)fclose(stream);
    (void)close(file);
    (void)close(usual);
    (void)close(kept);
}

/* None of them waits: alarm() would end the test. */
static void only_ordinary_files_are_opened(void)
{
    (void)alarm(10);
    CHECK(mkfifo("fifo", 0600) == 0);
    CHECK(symlink("made", "link") == 0);
    CHECK(ml_open_file("fifo", O_RDONLY) < 0);
    CHECK(strstr(ml_open_reason(errno), "not an ordinary file"));
    CHECK(ml_open_file("fifo", O_WRONLY) < 0);
    CHECK(strstr(ml_open_reason(errno), "not an ordinary file"));
    CHECK(!ml_open_stream("fifo"));
    CHECK(!ml_open_is_file("fifo"));
    CHECK(strstr(ml_open_reason(errno), "not an ordinary file"));
    CHECK(ml_open_file(".", O_RDONLY) < 0 && errno == EISDIR);
    CHECK(!ml_open_is_file(".") && errno == EISDIR);
    CHECK(ml_open_file("none", O_RDONLY) < 0 && errno == ENOENT);
    CHECK(ml_open_file("link", O_RDWR | O_CREAT | O_NOFOLLOW) < 0);
    CHECK(strstr(ml_open_reason(errno), "symbolic link"));
    CHECK(ml_open_is_file("link"));
    (void)alarm(0);
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    a_file_is_opened_above_the_standard_descriptors();
    only_ordinary_files_are_opened();
    (void)unlink("made");
    (void)unlink("fifo");
    (void)unlink("link");
    (void)rmdir(folder);
    return check_done();
}
