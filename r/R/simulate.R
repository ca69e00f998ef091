#' Simulated data whose groups are known
#'
#' @param problem `"newly-connected"`, `"subsets"`, `"both"`, `"three"`, `"partial"`, `"scene"` or `"hard"`, as `disc simulate --help`
#'   describes them.
#' @param samples Per condition.
#' @param seed Of everything random.
#' @param ... Other options of `disc simulate`, by name with underscores for dashes.
#' @return A list: `conditions`, a named list of matrices (samples x features), and `truth`, a data frame with the columns
#'   `condition`, `group` and `feature`.
#' @examples
#' if (disc_available()) {
#'   toy <- disc_simulate("newly-connected", samples = 50)
#'   sapply(toy$conditions, dim)
#' }
#' @export
disc_simulate <- function(problem, samples = 300, seed = 0, ...) {
  folder <- tempfile("simulated-")
  on.exit(unlink(folder, recursive = TRUE))
  run_program(c("simulate", problem, "-o", folder, as_flags(list(samples = samples, seed = seed, ...))))
  files <- list.files(folder, "\\.npy$", full.names = TRUE)
  conditions <- lapply(files, function(file) {
    values <- read_npy(readBin(file, "raw", file.size(file)))
    colnames(values) <- paste0("f", seq_len(ncol(values)))
    values
  })
  list(conditions = stats::setNames(conditions, sub("\\.npy$", "", basename(files))), truth = read_table(folder, "truth.tsv"))
}
