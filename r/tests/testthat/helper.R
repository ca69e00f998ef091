# Eight features of forty act together in condition B only.
two_conditions <- function(samples = 80, features = 40, seed = 1) {
  set.seed(seed)
  noise <- function() matrix(rnorm(samples * features), samples, dimnames = list(paste0("s", seq_len(samples)), paste0("g", seq_len(features))))
  a <- noise()
  b <- noise()
  b[, 1:8] <- b[, 1:8] + 2 * rnorm(samples)
  list(A = a, B = b)
}

skip_without_program <- function() skip_if_not(disc_available(), "the program 'disc' is not there")

# A short run that is the same every time.
quick_run <- function(x, ...) disc_run(x, permutations = 39, bootstraps = 10, threads = 1, progress = FALSE, ...)

expect_the_group <- function(found) {
  expect_s3_class(found, "disc_result")
  expect_setequal(found$members$feature[found$members$condition == "B"], paste0("g", 1:8))
}

# What every run of the same data must agree on, to the bit.
numbers_of <- function(found) found[c("groups", "members", "pairs", "correlations")]
