#' Find groups of features that are connected in one condition and not in the others
#'
#' Hands the data to the program `disc` and reads what it writes. Data travel as they are, to the last bit; the result is
#' the same as on the command line with the same options and seed.
#'
#' @param x The data: a named list with one element per condition, or one object whose samples are divided by `by`. An
#'   element is a matrix or data frame (samples in rows, features in columns; see `samples_in`), a sparse `Matrix`, a
#'   `SummarizedExperiment` or `SingleCellExperiment`, a `Seurat` object, or the path of a file that `disc` reads.
#' @param by For one object: which condition every sample belongs to. The name of a column of `colData`, of the metadata,
#'   of the data frame or of a label in the file; or a vector with one value per sample. Levels of a factor give the order
#'   of the conditions; samples with `NA` are excluded.
#' @param unit Samples that belong together, such as the cells of a donor: they change sides together when p-values are
#'   computed. **Without it every sample counts as independent.** The name of a column as for `by`; or values: a vector, or
#'   for a list of conditions a list of vectors.
#' @param strata Units are exchanged within its values only, such as batch. Given like `unit`.
#' @param paired Samples of different conditions that belong together, such as a subject before and after. Given like `unit`.
#' @param covariate Its linear effect is removed first. Given like `unit`; several columns, or a data frame, are allowed.
#' @param samples_in For matrices, whether samples are `"rows"` or `"columns"` (genes x cells). Not asked for objects of
#'   Bioconductor and Seurat, whose samples are columns.
#' @param assay For `SummarizedExperiment`: the assay, by default `counts` if there is one, else the first. For `Seurat`:
#'   the assay, or assay and layer as in `"RNA/data"`; by default the active one and its counts. Raw counts that are kept
#'   sparse are normalized by the program.
#' @param contrast Such as `"B vs A,C"`: only what B has and A and C have not.
#' @param output Folder for the files of the run; by default a temporary one, which ends with the session.
#' @param seed Of everything random.
#' @param threads 0: all cores. The result does not depend on it.
#' @param progress Whether to show what the program is doing.
#' @param ... Any other option of `disc run`, by its name with underscores for dashes: `permutations = 999`,
#'   `select = "variable:2000"`, `normalize = "none"`, `remove_global_signal = TRUE`. `genesets` may be a named list of
#'   character vectors, and `only_features` a vector of names.
#' @return An object of class `disc_result`, see [disc_read()].
#' @examples
#' if (disc_available()) {
#'   set.seed(1)
#'   control <- matrix(rnorm(100 * 40), 100, dimnames = list(NULL, paste0("g", 1:40)))
#'   treated <- matrix(rnorm(120 * 40), 120, dimnames = list(NULL, paste0("g", 1:40)))
#'   treated[, 1:8] <- treated[, 1:8] + rnorm(120)  # eight features start to act together
#'   found <- disc_run(list(control = control, treated = treated), permutations = 99, threads = 1)
#'   found
#'   found$members
#' }
#' @export
disc_run <- function(x, by = NULL, unit = NULL, strata = NULL, paired = NULL, covariate = NULL, samples_in = c("rows", "columns"),
                     assay = NULL, contrast = NULL, output = NULL, seed = 0, threads = 0, progress = interactive(), ...) {
  samples_in <- match.arg(samples_in)
  design <- list(by = by, unit = unit, strata = strata, paired = paired, covariate = covariate)
  data <- conditions_of(x, by, samples_in, assay, unlist(Filter(is.character, design)))
  options <- list(...)
  for (option in names(design)) {
    added <- add_labels(data, option, design[[option]])
    data <- added$data
    options[[option]] <- added$names
  }
  used <- unlist(options[names(design)])
  data <- lapply(data, only_labels, used)
  folder <- tempfile("disc-data-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  files <- vapply(seq_along(data), function(m) condition_file(data[[m]], file.path(folder, paste0("condition", m, ".npz"))), "")
  names <- if (is.null(by)) names(data) else level_names(data[[1]], options$by)
  output <- output %||% tempfile("disc-")
  flags <- as_flags(c(with_files(options, folder), list(names = names, contrast = contrast, seed = seed, threads = threads)))
  known <- stats::setNames(paste0("condition '", names(data), "'"), files)
  if (!is.null(by)) known[] <- "the data"
  run_program(c("run", files, "-o", path.expand(output), flags), progress, known[startsWith(files, folder)])
  disc_read(output)
}

# The data of every condition by name; for one object with 'by', that object alone.
conditions_of <- function(x, by, samples_in, assay, labels_wanted) {
  if (!is.null(by)) {
    if (is.list(x) && !is.data.frame(x)) {
      fail("disc_option_error", "by: is for one object, whose samples it divides; here is a list of conditions")
    }
    return(list(data = as_data(x, "the data", samples_in, assay, labels_wanted)))
  }
  if (!is.list(x) || is.data.frame(x)) {
    fail("disc_input_error", "two or more conditions are needed: list(A = x, B = y); or one object and by = the column that divides its samples")
  }
  if (length(x) < 2) fail("disc_input_error", "there are ", length(x), " conditions; at least 2 are needed")
  names <- names(x) %||% LETTERS[seq_along(x)]
  if (!all(nzchar(names)) || anyDuplicated(names)) fail("disc_input_error", "every condition needs a name of its own")
  if (any(grepl(",", names))) fail("disc_input_error", "names of conditions must not hold commas: '", grep(",", names, value = TRUE)[[1]], "'")
  data <- Map(function(value, name) as_data(value, paste0("condition '", name, "'"), samples_in, assay, labels_wanted), x, names)
  stats::setNames(data, names)
}

only_labels <- function(data, names) {
  data$labels <- data$labels[intersect(names, names(data$labels))]
  data
}

condition_file <- function(data, path) {
  if (!is.null(data$path)) return(data$path)
  write_data(data, path)
  path
}

# Conditions in the order of the levels of a factor. Else the program sorts them, numbers by size.
level_names <- function(data, label) {
  values <- data$labels[[label]]
  if (!is.factor(values)) return(NULL)
  present <- levels(droplevels(values))
  if (any(grepl(",", present))) NULL else present
}
