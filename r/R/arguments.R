# Options of R as flags of the program.

# Flags without a value.
switches <- c("strict")

as_text <- function(value) {
  if (is.logical(value)) return(ifelse(value, "yes", "no"))
  if (is.double(value)) return(ifelse(value == round(value) & abs(value) < 1e15, sprintf("%.0f", value), sprintf("%.17g", value)))
  as.character(value)
}

# list(min_group_size = 5) becomes "--min-group-size 5". NULL means: not given.
as_flags <- function(options) {
  if (length(options) > 0 && (is.null(names(options)) || !all(nzchar(names(options))))) {
    fail("disc_option_error", "options are given by name, such as permutations = 99")
  }
  unlist(Map(one_flag, names(options), options), use.names = FALSE)
}

one_flag <- function(name, value) {
  flag <- paste0("--", gsub("_", "-", name, fixed = TRUE))
  if (is.null(value)) return(NULL)
  if (!is.atomic(value) || length(value) == 0 || anyNA(value)) {
    fail("disc_option_error", flag, ": a number, a text, TRUE or FALSE is needed, or a vector of them")
  }
  if (name %in% switches) return(if (isTRUE(value)) flag)
  c(flag, paste(as_text(value), collapse = ","))
}

# Options that are lists or vectors in R and files for the program.
with_files <- function(options, folder) {
  if (is.list(options$genesets)) options$genesets <- write_sets(options$genesets, file.path(folder, "genesets.gmt"))
  only <- options$only_features
  if (length(only) > 1 || (length(only) == 1 && !file.exists(only))) {
    options$only_features <- file.path(folder, "features.txt")
    writeLines(enc2utf8(as.character(only)), options$only_features, useBytes = TRUE)
  }
  options
}

write_sets <- function(sets, path) {
  if (is.null(names(sets))) fail("disc_option_error", "genesets: the sets need names, such as list(interferon = c(\"ISG15\", \"IFI6\"))")
  rows <- vapply(names(sets), function(name) paste(c(name, "", sets[[name]]), collapse = "\t"), "")
  writeLines(enc2utf8(rows), path, useBytes = TRUE)
  path
}

# Who belongs together. A value is either names of labels, which are there, or the values of the samples, which become
# a label; returns the data with their labels and the names to hand to the program.
add_labels <- function(data, option, value) {
  if (is.null(value)) return(list(data = data, names = NULL))
  if (names_labels(value, data)) return(list(data = data, names = label_name(value)))
  if (any(vapply(data, function(one) !is.null(one$path), logical(1)))) {
    fail("disc_option_error", option, ": for data in files, give the name of a label in the file, or metadata = a table of the samples")
  }
  per_condition <- values_per_condition(value, data, option)
  several <- is.data.frame(per_condition[[1]])
  names <- if (several) label_name(names(per_condition[[1]])) else option
  for (m in seq_along(data)) {
    columns <- if (several) as.list(per_condition[[m]]) else list(per_condition[[m]])
    for (i in seq_along(names)) {
      if (length(columns[[i]]) != data[[m]]$count) {
        fail("disc_option_error", option, ": has ", length(columns[[i]]), " values; condition '", names(data)[[m]], "' has ",
             data[[m]]$count, " samples")
      }
      data[[m]]$labels[[names[[i]]]] <- columns[[i]]
    }
  }
  list(data = data, names = names)
}

# Whether these are names of labels, not values: that is so where they are read from a file, too.
names_labels <- function(value, data) {
  if (!is.character(value)) return(FALSE)
  all(vapply(data, function(one) !is.null(one$path) || all(label_name(value) %in% names(one$labels)), logical(1)))
}

values_per_condition <- function(value, data, option) {
  if (is.character(value) && length(value) == 1) {
    fail("disc_option_error", option, ": there is no label '", value, "'; there are ",
         paste(names(data[[1]]$labels), collapse = ", ") %|% "none")
  }
  if (length(data) == 1) return(list(value))
  if (!is.list(value) || is.data.frame(value)) {
    fail("disc_option_error", option, ": give the name of a label, or a list of values per condition: ", paste(names(data), collapse = ", "))
  }
  if (!is.null(names(value))) {
    missing <- setdiff(names(data), names(value))
    if (length(missing) > 0) fail("disc_option_error", option, ": there are no values for condition '", missing[[1]], "'")
    return(value[names(data)])
  }
  if (length(value) != length(data)) fail("disc_option_error", option, ": has ", length(value), " entries; there are ", length(data), " conditions")
  value
}

`%|%` <- function(text, otherwise) if (nzchar(text)) text else otherwise
