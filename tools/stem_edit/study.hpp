// What stem_edit measures: a text read on the chip with and without an edit of its rows.
#pragma once

#include "tools/stem_edit/options.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace capra::tools {

/// One position of the text, whose token is the same in both runs.
struct EditedPosition {
    std::uint32_t token = 0;
    std::uint32_t row_before = 0;
    std::uint32_t row_after = 0;
    std::uint32_t predicts_before = 0;
    std::uint32_t predicts_after = 0;
    /// After the edit, any of them. Of a mean of rows: the tokens whose logit in double precision,
    /// with the same rows, is within a tenth of the highest.
    std::vector<std::uint32_t> expected;
    double logit_change = 0;  ///< relative L2, of the logits with to those without
};

struct EditStudy {
    Span span;
    std::vector<EditedPosition> positions;

    /// True if each position of the span predicts what is expected of its row.
    [[nodiscard]] bool follows_target() const;
};

/// What changed where nothing was edited.
struct Collateral {
    std::size_t positions = 0;
    std::size_t predictions = 0;  ///< of these, how many predict another token
    double mean_change = 0;       ///< of `logit_change`
    double largest_change = 0;
    std::optional<std::size_t> largest_at{};  ///< position from 0; none without any change
};
Collateral collateral(const EditStudy& study);

/// For options that `check_options` lets pass. An Error for whatever the edit does not allow.
EditStudy study_edit(const EditOptions& options);

}  // namespace capra::tools
