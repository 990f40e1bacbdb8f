/* Errors and files. */
#include "h5/h5.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/open.h"
#include "manylink/fail.h"

enum { REASON_LENGTH = 256 };

/* One thread at a time: HDF5 as most systems have it is not thread-safe. Recursive, as a result may
 * be written while another is read. */
static pthread_once_t h5_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t h5_lock;

static void h5_make_lock(void)
{
    pthread_mutexattr_t attributes;
    (void)pthread_mutexattr_init(&attributes);
    (void)pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    (void)pthread_mutex_init(&h5_lock, &attributes);
    (void)pthread_mutexattr_destroy(&attributes);
}

void ml_h5_enter(struct ml_h5 *h5)
{
    (void)pthread_once(&h5_once, h5_make_lock);
    (void)pthread_mutex_lock(&h5_lock);
    (void)H5Eget_auto2(H5E_DEFAULT, &h5->report, &h5->report_context);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void ml_h5_leave(struct ml_h5 *h5)
{
    (void)H5Eset_auto2(H5E_DEFAULT, h5->report, h5->report_context);
    (void)pthread_mutex_unlock(&h5_lock);
}

void ml_h5_begin(struct ml_h5 *h5, const char *path, struct ml_error *err)
{
    *h5 = (struct ml_h5){.path = path, .err = err};
    ml_h5_enter(h5);
}

enum ml_status ml_h5_end(struct ml_h5 *h5)
{
    ml_h5_leave(h5);
    return h5->status;
}

/* Keeps the innermost description, or better, the system's reason that some of them quote. */
static herr_t keep_reason(unsigned n, const H5E_error2_t *error, void *context)
{
    static const char quote[] = "error message = '";
    char *reason = context;
    if (!error->desc)
        return 0;
    const char *system = strstr(error->desc, quote);
    if (system) {
        system += sizeof quote - 1;
        (void)snprintf(reason, REASON_LENGTH, "%.*s", (int)strcspn(system, "'"), system);
        return 1; /* enough */
    }
    if (n == 0)
        (void)snprintf(reason, REASON_LENGTH, "%s", error->desc);
    return 0;
}

hid_t ml_h5_check(struct ml_h5 *h5, hid_t returned, const char *what)
{
    if (returned < 0 && h5->status == ML_OK) {
        char reason[REASON_LENGTH] = "HDF5 gives no reason";
        (void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_reason, reason);
        h5->status = ml_fail(h5->err, ML_E_FILE, "%s: %s: %s", h5->path, what, reason);
    }
    return returned;
}

void ml_h5_fail(struct ml_h5 *h5, enum ml_status status, const char *what)
{
    if (h5->status == ML_OK)
        h5->status = ml_fail(h5->err, status, "%s: %s", h5->path, what);
}

/* File access common to all: no locks, which shared file systems refuse; see h5.h for the rest. */
static hid_t h5_access_list(void)
{
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    (void)H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
    (void)H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V110);
    (void)H5Pset_file_locking(list, false, true);
    return list;
}

void ml_h5_keep_order(hid_t group_creation)
{
    const unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    (void)H5Pset_link_creation_order(group_creation, order);
    (void)H5Pset_attr_creation_order(group_creation, order);
    (void)H5Pset_obj_track_times(group_creation, false);
}

bool ml_h5_is_hdf5(const char *path)
{
    if (!ml_open_is_file(path)) /* HDF5 would wait for a writer of a FIFO */
        return false;
    const struct ml_open_hold hold = ml_open_hold_standard();
    const bool is = H5Fis_hdf5(path) > 0;
    ml_open_release(&hold);
    return is;
}

hid_t ml_h5_create(struct ml_h5 *h5)
{
    if (h5->status != ML_OK)
        return -1;
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = h5_access_list();
    ml_h5_keep_order(creation);
    (void)unlink(h5->path); /* no link that somebody put there is followed */
    const struct ml_open_hold hold = ml_open_hold_standard();
    hid_t file = H5Fcreate(h5->path, H5F_ACC_EXCL, creation, access);
    ml_open_release(&hold);
    ml_h5_check(h5, file, "cannot be made");
    (void)H5Pclose(creation);
    (void)H5Pclose(access);
    return file;
}

double ml_h5_sketch_bytes(struct ml_h5 *h5, hid_t file)
{
    hsize_t size = 0;
    if (h5->status == ML_OK)
        ml_h5_check(h5, H5Fflush(file, H5F_SCOPE_GLOBAL), "sketch");
    if (h5->status == ML_OK)
        ml_h5_check(h5, H5Fget_filesize(file, &size), "sketch");
    return (double)size;
}

hid_t ml_h5_create_in_memory(struct ml_h5 *h5)
{
    const size_t step = h5->is_sketch ? 1 << 9 : 1 << 20; /* bytes that it grows by */
    /* HDF5 takes two files of one name for the same: of two that are begun at the same address,
     * such as that of a variable of the caller, the other is begun later. */
    char name[96];
    (void)snprintf(name, sizeof name, "result in memory at %p, %.9f", (const void *)h5, ml_clock());
    if (h5->status != ML_OK)
        return -1;
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = h5_access_list();
    ml_h5_keep_order(creation);
    (void)H5Pset_fapl_core(access, step, false);
    hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, creation, access);
    ml_h5_check(h5, file, "no memory for the result");
    (void)H5Pclose(creation);
    (void)H5Pclose(access);
    return file;
}

hid_t ml_h5_open(struct ml_h5 *h5)
{
    if (h5->status != ML_OK)
        return -1;
    if (!ml_open_is_file(h5->path)) {
        ml_h5_fail(h5, ML_E_FILE, ml_open_reason(errno));
        return -1;
    }
    hid_t access = h5_access_list();
    const struct ml_open_hold hold = ml_open_hold_standard();
    hid_t file = H5Fopen(h5->path, H5F_ACC_RDONLY, access);
    ml_open_release(&hold);
    ml_h5_check(h5, file, "cannot be opened");
    (void)H5Pclose(access);
    return file;
}

void ml_h5_close(struct ml_h5 *h5, hid_t file)
{
    if (file < 0)
        return;
    if (ml_h5_check(h5, H5Fflush(file, H5F_SCOPE_GLOBAL), "cannot be written") >= 0)
        ml_h5_check(h5, H5Fclose(file), "cannot be closed");
}

hid_t ml_h5_text_transfer(void)
{
    enum { BUFFER_BYTES = 4096 }; /* 256 texts */
    hid_t list = H5Pcreate(H5P_DATASET_XFER);
    (void)H5Pset_buffer(list, BUFFER_BYTES, NULL, NULL);
    return list;
}
