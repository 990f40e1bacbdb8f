#include "store/finished.h"

#include <stdlib.h>

#include "base/fail.h"
#include "manylink/version.h"
#include "store/identity.h"

hid_t ml_finished_open(struct ml_h5 *h5)
{
    if (h5->status == ML_OK && H5Fis_hdf5(h5->path) == 0)
        ml_h5_fail(h5, ML_E_FILE, "is not a manylink result, and not HDF5 at all");
    hid_t file = ml_h5_open(h5);
    if (h5->status != ML_OK)
        return file;
    if (H5Aexists(file, "manylink_format") <= 0) {
        ml_h5_fail(h5, ML_E_FILE, "is an HDF5 file, but not a manylink result");
        return file;
    }
    int format = 0;
    ml_h5_read_attribute(h5, file, "manylink_format", H5T_NATIVE_INT, &format);
    if (h5->status == ML_OK && (format < 1 || format > ML_RESULT_FORMAT))
        h5->status = ml_fail(h5->err, ML_E_FILE,
                             "%s: is a result of format version %d; this program knows 1 to %d",
                             h5->path, format, ML_RESULT_FORMAT);
    return file;
}

void ml_finished_tally(struct ml_h5 *h5, hid_t file, struct ml_tally *tally)
{
    enum { PIECE = 4096 };
    int8_t outcome[PIECE];
    *tally = (struct ml_tally){0};
    if (h5->status != ML_OK)
        return;
    hid_t id = ml_h5_check(h5, H5Dopen2(file, "/study/runs/outcome", H5P_DEFAULT), "outcome");
    struct ml_extent extent = ml_h5_extent(h5, id);
    for (unsigned long long first = 0, n; first < extent.size[0] && h5->status == ML_OK;
         first += n) {
        n = extent.size[0] - first < PIECE ? extent.size[0] - first : PIECE;
        ml_h5_read_range(h5, id, &extent, H5T_NATIVE_INT8, first, n, outcome);
        for (unsigned long long i = 0; i < n && h5->status == ML_OK; i++)
            if (outcome[i] >= 0 && outcome[i] < ML_N_OUTCOME)
                tally->count[outcome[i]]++;
            else
                ml_h5_fail(h5, ML_E_FILE, "has an outcome that is none");
    }
    (void)H5Dclose(id);
}

enum ml_status ml_finished_check(const char *path, const struct ml_study *study,
                                 struct ml_tally *tally, struct ml_error *err)
{
    struct ml_h5 h5;
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_finished_open(&h5);
    char *resolved = ml_h5_read_text(&h5, file, "/study/resolved");
    if (h5.status == ML_OK)
        h5.status = ml_identity_compare(path, resolved, study->resolved, err);
    ml_finished_tally(&h5, file, tally);
    free(resolved);
    ml_h5_close(&h5, file);
    return ml_h5_end(&h5);
}
