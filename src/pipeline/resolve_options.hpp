// What the options leave open until the data are known.
#pragma once

#include "pipeline/engine.hpp"

namespace disc {

/// Fills in what the options leave open once the data are known, and checks what depends on them.
void resolve_options(Engine& engine, Analysis& analysis, const Context& context);

}  // namespace disc
