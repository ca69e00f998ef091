# WGCNA itself (Langfelder and Horvath 2008): modules of each condition, with the package's defaults for a signed network. Two rows of labels: own, others.
# Which modules have no counterpart is decided outside, as for our own version of it (modules.py).
suppressWarnings(suppressPackageStartupMessages(library(WGCNA)))
folder <- commandArgs(trailingOnly = TRUE)[1]
modules <- function(file) {
  values <- as.matrix(read.csv(file.path(folder, file), header = FALSE))
  sink(tempfile())
  found <- blockwiseModules(values, power = 12, networkType = "signed", TOMType = "signed", maxBlockSize = ncol(values) + 1, numericLabels = TRUE, verbose = 0)
  sink()
  found$colors
}
labels <- rbind(modules("own.csv"), modules("others.csv"))
write.table(labels, file.path(folder, "labels.csv"), sep = ",", row.names = FALSE, col.names = FALSE)
