// Places of samples that a file brings along (UMAP, t-SNE): two columns of labels, so that they stay with their samples.
#pragma once

#include <string>
#include <string_view>

namespace disc::io {

/// "X_umap 1", "X_umap 2"; `axis` counts from 1.
inline std::string embedding_label(std::string_view name, int axis) {
  return std::string(name) + " " + std::to_string(axis);
}
inline bool is_embedding_label(std::string_view label) {
  return label.starts_with("X_") && (label.ends_with(" 1") || label.ends_with(" 2"));
}

}  // namespace disc::io
