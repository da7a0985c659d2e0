// Exit statuses of every tool.
#pragma once

namespace capra::tools {

inline constexpr int kOk = 0;
inline constexpr int kCheckFailed = 1;
inline constexpr int kBadInput = 2;

}  // namespace capra::tools
