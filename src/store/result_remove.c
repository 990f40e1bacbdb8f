/* Removes a result and its work folder, after checking that this program made them. */
#include "store/result_remove.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "store/result_h5.h"
#include "store/work_folder.h"

enum ml_status ml_result_remove(const char *path, const char *parts, struct ml_error *err)
{
    if (access(path, F_OK) == 0) {
        enum ml_status status = ml_result_h5_is_ours(path, err);
        if (status != ML_OK)
            return status;
        if (unlink(path) != 0)
            return ml_fail(err, ML_E_FILE, "%s: cannot be removed: %s", path, strerror(errno));
    }
    ml_work_folder_clear(parts);
    return ML_OK;
}
