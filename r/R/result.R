# The files of a run as data frames.

#' Read the results of a run
#'
#' `disc_run()` returns them by itself; `disc_read()` reads those of a run of the program on the command line, too.
#'
#' @param folder The folder with the files of the run.
#' @return An object of class `disc_result`: a list with the data frames
#'   \describe{
#'     \item{`groups`}{one row per group: its condition, number, size, p-value, stability, score and more; and the columns
#'       `mean_NAME`, the mean correlation between its members in condition NAME}
#'     \item{`members`}{one row per member of a group, the strongest first: feature, weight, whether it is in the core}
#'     \item{`pairs`}{single pairs of features whose correlation changed}
#'     \item{`features`}{every feature: its energy and group per condition, or why it was excluded}
#'     \item{`samples`}{every sample: principal components, and the mean of each group's features}
#'     \item{`correlations`}{mean correlation within every group in every condition, with its 95 % interval}
#'     \item{`enrichment`}{groups compared with named sets; `NULL` without `genesets`}
#'   }
#'   and `warnings` (sentences that change how to read the result), `conditions`, `summary` (all of `summary.json` as a
#'   list), `version` and `folder`. What every column means is told in the program's page "Output files".
#' @seealso [plot.disc_result()], [disc_report()]
#' @export
disc_read <- function(folder) {
  summary_file <- file.path(folder, "summary.json")
  if (!file.exists(summary_file)) fail("disc_input_error", folder, ": holds no summary.json; the folder of a finished run is needed")
  summary <- jsonlite::read_json(summary_file)
  structure(list(
    groups = groups_table(summary), members = read_table(folder, "groups.tsv"), pairs = read_table(folder, "pairs.tsv"),
    features = read_table(folder, "features.tsv"), samples = read_table(folder, "samples.tsv"),
    correlations = correlations_table(summary), enrichment = read_table(folder, "enrichment.tsv"),
    warnings = as.character(unlist(summary$warnings)), conditions = vapply(summary$conditions, function(one) one$name, ""),
    summary = summary, version = summary$version, folder = normalizePath(folder)), class = "disc_result")
}

text_columns <- c("condition", "group", "parent", "feature", "feature_a", "feature_b", "sample", "set", "description", "features", "reason")

read_table <- function(folder, name) {
  path <- file.path(folder, name)
  if (!file.exists(path)) return(NULL)
  titles <- scan(path, "", sep = "\t", quote = "", nlines = 1, quiet = TRUE, encoding = "UTF-8")
  classes <- ifelse(titles %in% text_columns | startsWith(titles, "group_") & name == "features.tsv", "character", NA)
  table <- utils::read.table(path, header = TRUE, sep = "\t", quote = "", comment.char = "", colClasses = classes,
                             check.names = FALSE, na.strings = "", encoding = "UTF-8", fileEncoding = "UTF-8")
  for (flag in intersect(c("core", "used", "significant"), titles)) table[[flag]] <- table[[flag]] == "yes"
  table
}

# One row per group, from the fields that hold one value each.
groups_table <- function(summary) {
  rows <- lapply(summary$conditions, function(condition) lapply(condition$groups, group_row, condition = condition$name))
  bind_rows(unlist(rows, recursive = FALSE))
}

group_row <- function(group, condition) {
  single <- Filter(function(value) is.null(value) || is.atomic(value) && length(value) == 1, group)
  names(single)[names(single) == "id"] <- "group"
  single[vapply(single, is.null, logical(1))] <- NA
  single$group <- as.character(single$group)
  c(list(condition = condition), single, if (length(group$hubs) > 0) list(hubs = paste(unlist(group$hubs), collapse = ", ")))
}

bind_rows <- function(rows) {
  columns <- unique(unlist(lapply(rows, names)))
  cells <- function(name) unlist(lapply(rows, function(row) row[[name]] %||% NA))
  as.data.frame(stats::setNames(lapply(columns, cells), columns), check.names = FALSE, stringsAsFactors = FALSE)
}

correlations_table <- function(summary) {
  names <- vapply(summary$conditions, function(one) one$name, "")
  rows <- lapply(summary$conditions, function(condition) {
    lapply(condition$groups, function(group) lapply(intervals_of(group, names), function(interval) {
      c(list(condition = condition$name, group = as.character(group$id)), interval)
    }))
  })
  bind_rows(unlist(unlist(rows, recursive = FALSE), recursive = FALSE))
}

intervals_of <- function(group, names) {
  number <- function(value) value %||% NA_real_
  Map(function(value, name) list(measured_in = name, correlation = number(value$value), low = number(value$low), high = number(value$high)),
      group$mean_correlation %||% lapply(group$conditions, function(one) {
        list(value = one$mean_correlation, low = one$mean_correlation_low, high = one$mean_correlation_high)
      }), if (length(group$mean_correlation %||% group$conditions) > 0) names)
}

#' @export
print.disc_result <- function(x, ...) {
  cat("DiSC ", x$version, ": ", paste(x$conditions, collapse = ", "), "; ", x$summary$features$used, " features\n", sep = "")
  if (nrow(x$groups) == 0) cat("no group of features is connected in one condition only\n")
  for (i in seq_len(nrow(x$groups))) cat(group_line(x, x$groups[i, ]), "\n", sep = "")
  for (warning in x$warnings) cat("! ", warning, "\n", sep = "")
  cat("files: ", x$folder, "\n", sep = "")
  invisible(x)
}

group_line <- function(x, group) {
  members <- x$members$feature[x$members$condition == group$condition & x$members$group == group$group]
  shown <- paste(utils::head(members, 8), collapse = ", ")
  p <- if (is.null(group$p) || is.na(group$p)) "" else sprintf(", p = %s", format(group$p, digits = 2))
  title <- if (startsWith(group$group, group$condition)) group$group else paste0(group$condition, ", group ", group$group)
  sprintf("%s: %d features%s: %s%s", title, length(members), p, shown, if (length(members) > 8) ", ..." else "")
}

#' @export
as.data.frame.disc_result <- function(x, row.names = NULL, optional = FALSE, ...) as.data.frame(x$members, row.names, optional)

#' @export
summary.disc_result <- function(object, ...) object$groups

#' The report of a run
#'
#' Opens the page that the program wrote, in the viewer of the development environment if there is one, else in the browser.
#'
#' @param x What [disc_run()] or [disc_read()] returned.
#' @param path Where to put a copy, to be sent to others: it is one file. By default there is none, and the page is opened.
#' @return The path of the page, invisibly.
#' @export
disc_report <- function(x, path = NULL) {
  stopifnot(inherits(x, "disc_result"))
  page <- file.path(x$folder, "report.html")
  if (!file.exists(page)) fail("disc_input_error", x$folder, ": holds no report.html; this program was built without the page")
  if (!is.null(path)) {
    if (!file.copy(page, path, overwrite = TRUE)) fail("disc_input_error", path, ": the report cannot be written there")
    return(invisible(path))
  }
  viewer <- getOption("viewer")
  if (is.null(viewer)) {
    utils::browseURL(page)
  } else {
    viewer(in_session_folder(page))  # a viewer shows nothing else
  }
  invisible(page)
}

in_session_folder <- function(page) {
  if (startsWith(page, normalizePath(tempdir()))) return(page)
  folder <- tempfile("report-")
  dir.create(folder)
  file.copy(page, folder)
  file.path(folder, basename(page))
}
