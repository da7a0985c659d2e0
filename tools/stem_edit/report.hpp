// What stem_edit prints, and its JSON.
#pragma once

#include "tools/stem_edit/study.hpp"

#include <string>

namespace capra::tools {

/// A token's row has its number; the row that an edit adds is named after what it is.
std::string row_name(const EditOptions& options, std::uint32_t row);

/// Model, text and edit in words; position by position rows read and predictions, before and after;
/// what the edit did where nothing was edited. Returns the exit status.
int print_study(const EditOptions& options, const EditStudy& study);

/// {"pattern","seed","engine","text","span":[first,last],"target","mode",
///  "positions":[{"position","token","edited","row_before","row_after","predicts_before",
///                "predicts_after","expected":[...],"logit_change"}],
///  "follows_target",
///  "untouched":{"positions","predictions_changed","mean_change","largest_change"}}
/// Positions count from 1. Rows are the numbers of tokens; what an edit adds is "mean" or "zeros".
/// Changes are relative L2 and not rounded. "expected" after the edit, any of them: of a mean see
/// `EditedPosition`.
std::string edit_json(const EditOptions& options, const EditStudy& study);

}  // namespace capra::tools
