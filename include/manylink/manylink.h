/* The whole library. */
#ifndef MANYLINK_MANYLINK_H
#define MANYLINK_MANYLINK_H

#include "manylink/api.h"
#include "manylink/array.h"
#include "manylink/catalogue.h"
#include "manylink/compare.h"
#include "manylink/compile.h"
#include "manylink/draft.h"
#include "manylink/evaluate.h"
#include "manylink/extend.h"
#include "manylink/fail.h"
#include "manylink/fit.h"
#include "manylink/indices.h"
#include "manylink/inverse.h"
#include "manylink/kernel.h"
#include "manylink/merge.h"
#include "manylink/outcome.h"
#include "manylink/plan.h"
#include "manylink/plot.h"
#include "manylink/plugin.h"
#include "manylink/precision.h"
#include "manylink/report.h"
#include "manylink/result.h"
#include "manylink/run.h"
#include "manylink/status.h"
#include "manylink/study.h"
#include "manylink/text.h"
#include "manylink/trial.h"
#include "manylink/verify.h"
#include "manylink/version.h"

#endif
