# The figure of the tutorial for R, from a run on the real cells: Rscript tools/draw_kang.R FOLDER FILE
library(discfeatures)
given <- commandArgs(TRUE)
ggplot2::ggsave(given[[2]], plot(disc_read(given[[1]])), width = 7, height = 3.5, dpi = 100)
