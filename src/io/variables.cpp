#include "io/variables.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace disc::io {
namespace {

std::string list_of(const std::vector<Variable>& variables) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(variables.size(), most); ++i) {
    const Variable& variable = variables[i];
    text +=
        (i > 0 ? ", " : "") + printable(variable.name) + (variable.readable ? " " + shape_text(variable.shape) : "");
  }
  return variables.size() > most ? text + ", ..." : text;
}

// The axes that are samples and those that are features, each in the order of the array.
struct Roles {
  std::vector<std::size_t> samples, features;
};

Roles parse_axes(const std::string& axes, std::size_t count, const std::string& what) {
  Roles roles;
  std::istringstream words(axes);
  std::size_t axis = 0;
  for (std::string word; std::getline(words, word, ','); ++axis) {
    if (word == "sample") {
      roles.samples.push_back(axis);
    } else if (word == "feature") {
      roles.features.push_back(axis);
    } else {
      throw OptionError("axes", axes, "must be the words sample and feature, separated by commas");
    }
  }
  if (axis != count || roles.samples.empty() || roles.features.empty()) {
    throw OptionError("axes", axes,
                      "must name each of the " + std::to_string(count) + " axes of " + what +
                          " sample or feature, and each of the words at least once");
  }
  return roles;
}

// How far apart neighbors along each axis lie in memory.
std::vector<Index> strides_of(const NumberArray& array) {
  const std::size_t axes = array.shape.size();
  std::vector<Index> strides(axes, 1);
  for (std::size_t k = 1; k < axes; ++k) {
    const std::size_t axis = array.first_axis_fastest ? k : axes - 1 - k;
    const std::size_t faster = array.first_axis_fastest ? k - 1 : axes - k;
    strides[axis] = strides[faster] * array.shape[faster];
  }
  return strides;
}

// All places along some axes, the last one fastest: where each lies in memory, and what it is called.
struct Walk {
  std::vector<Index> offsets;
  std::vector<std::vector<Index>> places;  // per axis, counted from 1
};

Walk walk(const std::vector<Index>& shape, const std::vector<Index>& strides, const std::vector<std::size_t>& axes) {
  Walk all{{0}, std::vector<std::vector<Index>>(axes.size())};
  for (std::size_t k = 0; k < axes.size(); ++k) {
    Walk longer{{}, std::vector<std::vector<Index>>(axes.size())};
    for (std::size_t i = 0; i < all.offsets.size(); ++i) {
      for (Index place = 0; place < shape[axes[k]]; ++place) {
        longer.offsets.push_back(all.offsets[i] + place * strides[axes[k]]);
        for (std::size_t before = 0; before < k; ++before) longer.places[before].push_back(all.places[before][i]);
        longer.places[k].push_back(place + 1);
      }
    }
    all = std::move(longer);
  }
  return all;
}

// "r1c2" in a picture, "1_2" elsewhere.
std::vector<std::string> names_of(const Walk& walk, bool picture) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < walk.offsets.size(); ++i) {
    std::string name;
    for (std::size_t k = 0; k < walk.places.size(); ++k) {
      name += (picture ? (k == 0 ? "r" : "c") : (k == 0 ? "" : "_")) + std::to_string(walk.places[k][i]);
    }
    names.push_back(std::move(name));
  }
  return names;
}

NumberArray gathered(const NumberArray& array, const std::vector<Index>& rows, const std::vector<Index>& columns) {
  std::vector<double> values;
  values.reserve(rows.size() * columns.size());
  std::visit(
      [&](const auto* from) {
        for (const Index row : rows) {
          for (const Index column : columns) values.push_back(static_cast<double>(from[row + column]));
        }
      },
      array.values);
  return number_array({}, std::move(values), false);
}

}  // namespace

std::string shape_text(const std::vector<Index>& shape) {
  std::string text;
  for (const Index length : shape) text += (text.empty() ? "" : ", ") + std::to_string(length);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

std::string choose_variable(const std::vector<Variable>& variables, const std::string& wanted,
                            const std::string& file) {
  if (!wanted.empty()) {
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [&](const Variable& variable) { return variable.name == wanted; });
    if (found != variables.end()) return wanted;
    throw InputError({.file = file, .value = wanted},
                     "holds no array '" + printable(wanted) + "'; there are " + list_of(variables));
  }
  std::vector<std::string> matrices;
  for (const Variable& variable : variables) {
    if (variable.readable && variable.shape.size() == 2) matrices.push_back(variable.name);
  }
  if (matrices.size() == 1) return matrices.front();
  if (matrices.empty() && variables.size() == 1) return variables.front().name;  // its reader says what is wrong
  throw InputError({.file = file}, "holds " + (matrices.empty() ? "no" : std::to_string(matrices.size())) +
                                       " two-dimensional arrays of numbers; there are " + list_of(variables) +
                                       (matrices.empty() ? "" : "; choose one with --variable"));
}

NumberArray number_array(std::vector<Index> shape, std::vector<double> values, bool first_axis_fastest) {
  auto owned = std::make_shared<const std::vector<double>>(std::move(values));
  return {std::move(shape), first_axis_fastest, owned->data(), owned};
}

FileTable table_of_array(const NumberArray& array, const std::string& axes, const std::string& what) {
  const std::vector<Index>& shape = array.shape;
  FileTable table;
  if (shape.size() == 2 && axes.empty()) {
    const std::vector<Index> strides = strides_of(array);
    table.values = DenseValues{array.values, shape[0], shape[1], strides[0], strides[1], array.owner};
    return table;
  }
  if (shape.size() < 2 || axes.empty()) {
    throw InputError({.file = what}, "holds an array of " + std::to_string(shape.size()) +
                                         (shape.size() == 1 ? " dimension" : " dimensions") + ", shape " +
                                         shape_text(shape) + "; two are needed, samples x features" +
                                         (shape.size() > 2 ? ", or --axes sample,feature,... that says for each what "
                                                             "it is"
                                                           : ""));
  }
  const Roles roles = parse_axes(axes, shape.size(), what);
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) {  // the other axes may then claim any length
    throw InputError({.file = what}, "holds an array of shape " + shape_text(shape) + "; there is nothing to read");
  }
  const std::vector<Index> strides = strides_of(array);
  const Walk samples = walk(shape, strides, roles.samples), features = walk(shape, strides, roles.features);
  const auto rows = static_cast<Index>(samples.offsets.size()), cols = static_cast<Index>(features.offsets.size());
  const bool in_order = !array.first_axis_fastest && roles.samples.back() < roles.features.front();
  const NumberArray arranged = in_order ? array : gathered(array, samples.offsets, features.offsets);
  table.values = DenseValues{arranged.values, rows, cols, cols, 1, arranged.owner};
  table.samples_in = SamplesIn::rows;
  if (roles.samples.size() > 1) {
    table.row_names = names_of(samples, false);
    for (std::size_t k = 0; k < roles.samples.size(); ++k) {
      LabelColumn column{"axis" + std::to_string(roles.samples[k] + 1), {}};
      for (const Index place : samples.places[k]) column.values.push_back(std::to_string(place));
      table.labels.push_back(std::move(column));
    }
  }
  if (roles.features.size() > 1) {
    table.column_names = names_of(features, roles.features.size() == 2);
    for (const std::size_t axis : roles.features) table.shape.push_back(shape[axis]);
  }
  return table;
}

Index make_unique(std::vector<std::string>& names) {
  const std::set<std::string> given(names.begin(), names.end());
  if (given.size() == names.size()) return 0;
  std::set<std::string> taken = given, seen;
  std::map<std::string, Index> copies;
  Index changed = 0;
  for (std::string& name : names) {
    if (seen.insert(name).second) continue;
    std::string candidate;
    do {
      candidate = name + "-" + std::to_string(++copies[name]);
    } while (!taken.insert(candidate).second);
    name = std::move(candidate);
    ++changed;
  }
  return changed;
}

}  // namespace disc::io
