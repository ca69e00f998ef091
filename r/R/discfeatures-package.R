#' discfeatures: groups of features connected in one condition and not in others
#'
#' [disc_run()] is the place to begin; `vignette("discfeatures")` shows it at work.
#'
#' @keywords internal
#' @importFrom ggplot2 .data
"_PACKAGE"
