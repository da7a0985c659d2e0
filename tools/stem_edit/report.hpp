// What stem_edit prints, and its JSON.
#pragma once

#include "tools/stem_edit/study.hpp"

#include <string>

namespace capra::tools {

/// Model, text and edit in words.
void print_edit(const EditOptions& options, const EditStudy& study);
/// Position by position: rows read and predictions, before and after.
void print_positions(const EditOptions& options, const EditStudy& study);
/// What the edit did where nothing was edited.
void print_collateral(const EditOptions& options, const EditStudy& study);

/// {"pattern","seed","engine","text","span":[first,last],"target","mode",
///  "positions":[{"position","token","edited","row_before","row_after","predicts_before",
///                "predicts_after","expected":[...],"logit_change"}],
///  "follows_target",
///  "untouched":{"positions","predictions_changed","mean_change","largest_change"}}
/// Positions count from 1. Changes are relative L2 and not rounded. "expected" after the edit; of
/// the mean of several rows, any of them may answer.
std::string edit_json(const EditOptions& options, const EditStudy& study);

}  // namespace capra::tools
