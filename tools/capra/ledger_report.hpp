// What `capra ledger` prints and writes.
#pragma once

#include "model/ledger.hpp"

#include <string>

namespace capra::tools {

/// A ledger with the words to present it.
struct NamedLedger {
    std::string name;  ///< of the preset, or "own pattern"
    std::string pattern;
    model::Ledger ledger;
};

/// Two tables, of at most 100 columns with numbers of at most 13 digits: by layer, and by kind of
/// layer with the total.
void print_ledger(const NamedLedger& named);

/// {"name","pattern",
///  "attention"|"moe"|"shared"|"stem"|"routed"|"dense": MACs per token of one layer of that kind
///  (of
///      the routed layers their mean), null if the pattern has none,
///  "total": MACs per token of all layers, "control_total", "relative_to_control_percent": to two
///      decimals, "weights_read","weights_stored","table_bytes",
///  "sums":{kind:{"layers","macs","weights_read","weights_stored","table_bytes"}},
///  "product_key":{"macs","percent_of_conditional_feed_forward"} or null,
///  "sizes":{...}, "layers":[{"place","letter","capacity","macs",...}]}
/// Amounts are integers, or strings like "4/3" where a capacity leaves a fraction.
std::string ledger_json(const NamedLedger& named);

}  // namespace capra::tools
