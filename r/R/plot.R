#' Pictures of a result
#'
#' @param x What [disc_run()] or [disc_read()] returned.
#' @param what `"groups"`: how strongly the members of every group are connected in every condition, with 95 % intervals.
#'   `"weights"`: connections between all features in every condition, side by side. `"samples"`: principal components of the
#'   samples. `"energy"`: how much every feature takes part in what sets a condition apart. `"pairs"`: single pairs whose
#'   correlation changed.
#' @param n For `"energy"` and `"pairs"`: how many are named.
#' @param ... Not used.
#' @return A `ggplot` object, to which themes and scales can be added.
#' @export
plot.disc_result <- function(x, what = c("groups", "weights", "samples", "energy", "pairs"), n = 10, ...) {
  switch(match.arg(what), groups = plot_groups(x), weights = plot_weights(x), samples = plot_samples(x),
         energy = plot_energy(x, n), pairs = plot_pairs(x, n))
}

# Told apart by readers with any colour vision (Okabe and Ito).
condition_colours <- c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")

condition_scale <- function(x, aesthetic = "colour") {
  ggplot2::scale_colour_manual(values = stats::setNames(rep_len(condition_colours, length(x$conditions)), x$conditions),
                               aesthetics = aesthetic)
}

plot_groups <- function(x) {
  if (nrow(x$correlations) == 0) fail("disc_error", "there is no group to draw")
  table <- x$correlations
  table$title <- ifelse(startsWith(table$group, table$condition), table$group, paste(table$condition, table$group))
  table$measured_in <- factor(table$measured_in, rev(x$conditions))
  ggplot2::ggplot(table, ggplot2::aes(x = .data$correlation, y = .data$measured_in, colour = .data$measured_in)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey60") +
    ggplot2::geom_pointrange(ggplot2::aes(xmin = .data$low, xmax = .data$high), na.rm = TRUE) +
    ggplot2::geom_point(size = 2) +
    ggplot2::facet_wrap(~ factor(title, unique(title))) + condition_scale(x) +
    ggplot2::labs(x = "mean correlation between members", y = NULL) + ggplot2::theme_minimal() +
    ggplot2::theme(legend.position = "none")
}

plot_weights <- function(x) {
  keys <- vapply(x$summary$conditions, function(one) one$key, "")
  arrays <- read_npz(file.path(x$folder, "figure_data.npz"), paste0("weights_", keys))
  tables <- lapply(seq_along(keys), function(m) {
    weights <- arrays[[paste0("weights_", keys[[m]])]]
    data.frame(row = c(row(weights)), column = c(col(weights)), weight = c(weights), condition = x$conditions[[m]])
  })
  table <- do.call(rbind, tables)
  table$condition <- factor(table$condition, x$conditions)
  ggplot2::ggplot(table, ggplot2::aes(x = .data$column, y = .data$row, fill = .data$weight)) +
    ggplot2::geom_raster() + ggplot2::facet_wrap(~ condition) + ggplot2::coord_fixed(expand = FALSE) + ggplot2::scale_y_reverse() +
    ggplot2::scale_fill_viridis_c(option = "magma", direction = -1) +
    ggplot2::labs(x = "features, groups first", y = NULL) + ggplot2::theme_minimal() +
    ggplot2::theme(axis.text = ggplot2::element_blank(), panel.grid = ggplot2::element_blank())
}

plot_samples <- function(x) {
  if (!all(c("component_1", "component_2") %in% names(x$samples)) || nrow(x$samples) == 0) fail("disc_error", "this run has no components of samples")
  ggplot2::ggplot(x$samples, ggplot2::aes(x = .data$component_1, y = .data$component_2, colour = .data$condition)) +
    ggplot2::geom_point(alpha = 0.6, size = 1) + condition_scale(x) +
    ggplot2::labs(x = "component 1", y = "component 2", colour = NULL) + ggplot2::theme_minimal()
}

plot_energy <- function(x, n) {
  used <- x$features[x$features$used, ]
  columns <- intersect(paste0("energy_", x$conditions), names(used))
  table <- do.call(rbind, lapply(columns, function(column) {
    energy <- sort(stats::setNames(used[[column]], used$feature), decreasing = TRUE)
    data.frame(condition = sub("^energy_", "", column), rank = seq_along(energy), energy = unname(energy), feature = names(energy))
  }))
  table$condition <- factor(table$condition, x$conditions)
  ggplot2::ggplot(table, ggplot2::aes(x = .data$rank, y = .data$energy, colour = .data$condition)) +
    ggplot2::geom_point(size = 0.8) +
    ggplot2::geom_text(data = table[table$rank <= n, ], ggplot2::aes(label = .data$feature), hjust = -0.15, size = 2.6, check_overlap = TRUE) +
    ggplot2::facet_wrap(~ condition) + condition_scale(x) + ggplot2::scale_x_log10() +
    ggplot2::labs(x = "rank", y = "energy") + ggplot2::theme_minimal() + ggplot2::theme(legend.position = "none")
}

plot_pairs <- function(x, n) {
  if (is.null(x$pairs) || nrow(x$pairs) == 0) fail("disc_error", "no single pair of features changed")
  table <- x$pairs
  table$title <- paste(table$feature_a, table$feature_b, sep = ", ")
  first <- stats::ave(-abs(table$z), table$condition, FUN = rank) <= n
  ggplot2::ggplot(table, ggplot2::aes(x = .data$elsewhere, y = .data$correlation, colour = .data$condition)) +
    ggplot2::geom_abline(slope = 1, intercept = 0, colour = "grey60") + ggplot2::geom_point(alpha = 0.5, size = 1) +
    ggplot2::geom_text(data = table[first, ], ggplot2::aes(label = .data$title), vjust = -0.6, size = 2.6, check_overlap = TRUE) +
    condition_scale(x) + ggplot2::coord_fixed(xlim = c(-1, 1), ylim = c(-1, 1)) +
    ggplot2::labs(x = "correlation elsewhere", y = "correlation in the condition", colour = NULL) + ggplot2::theme_minimal()
}
