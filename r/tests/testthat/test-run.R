test_that("the group is found in matrices, and is the same as on the command line", {
  skip_without_program()
  x <- two_conditions()
  found <- quick_run(x)
  expect_the_group(found)
  expect_identical(found$conditions, c("A", "B"))
  folder <- tempfile()
  dir.create(folder)
  for (name in names(x)) {
    table <- cbind(sample = rownames(x[[name]]), as.data.frame(matrix(sprintf("%.17g", x[[name]]), nrow(x[[name]]), dimnames = dimnames(x[[name]]))))
    utils::write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE, quote = FALSE)
  }
  run_program(c("run", file.path(folder, c("A.csv", "B.csv")), "-o", file.path(folder, "out"), "--permutations", "39", "--bootstraps", "10", "-q"))
  expect_identical(numbers_of(found), numbers_of(disc_read(file.path(folder, "out"))))
})

test_that("samples in columns, data frames and sparse matrices give the same", {
  skip_without_program()
  x <- two_conditions()
  found <- numbers_of(quick_run(x))
  expect_identical(numbers_of(quick_run(lapply(x, t), samples_in = "columns")), found)
  expect_identical(numbers_of(quick_run(lapply(x, as.data.frame))), found)
  sparse <- quick_run(lapply(x, Matrix::Matrix, sparse = TRUE))
  expect_equal(sparse$correlations, found$correlations, tolerance = 1e-6)
})

test_that("one data frame is divided by a column, whose levels give the order", {
  skip_without_program()
  x <- two_conditions()
  frame <- data.frame(do.call(rbind, x), treatment = factor(rep(c("A", "B"), each = 80), c("B", "A")), animal = rep(1:80, each = 2), row.names = NULL)
  found <- quick_run(frame, by = "treatment", unit = "animal")
  expect_the_group(found)
  expect_identical(found$conditions, c("B", "A"))
  expect_identical(found$summary$settings$used$unit, "animal")
  expect_identical(found$summary$statistics$units, 80L)
  same <- quick_run(frame[1:40], by = frame$treatment, unit = frame$animal)
  expect_identical(same$members, found$members)
})

test_that("samples without a condition are left out, and a warning says so", {
  skip_without_program()
  x <- two_conditions()
  by <- rep(c("A", "B"), each = 80)
  by[c(1, 100)] <- NA
  found <- quick_run(do.call(rbind, x), by = by)
  expect_the_group(found)
  expect_identical(vapply(found$summary$conditions, function(one) one$samples, 1L), c(79L, 79L))
  expect_match(found$warnings, "2 of 160 samples", all = FALSE)
})

test_that("options reach the program, and its sentences come back as errors", {
  skip_without_program()
  x <- two_conditions(30, 12)
  found <- disc_run(x, permutations = 0, bootstraps = 0, min_group_size = 5, remove_global_signal = FALSE, progress = FALSE, only_features = paste0("g", 1:10))
  expect_identical(found$summary$settings$used[["min-group-size"]], 5L)
  expect_identical(found$summary$features$used, 10L)
  expect_error(disc_run(x, no_such_option = 1, progress = FALSE), "--no-such-option", class = "disc_option_error")
  expect_error(disc_run(x, level = 2, progress = FALSE), "--level 2", class = "disc_option_error")
  x$A[3, 2] <- NaN
  expect_error(disc_run(x, progress = FALSE), "condition 'A'", class = "disc_input_error")
})

test_that("sets of features are compared with the groups", {
  skip_without_program()
  found <- quick_run(two_conditions(), genesets = list(together = paste0("g", 1:8), others = paste0("g", 20:30)))
  expect_identical(found$enrichment$set[[1]], "together")
  expect_identical(found$enrichment$shared[[1]], 8L)
})

test_that("mistakes are told before anything is run", {
  x <- two_conditions(10, 8)
  expect_error(disc_run(x$A), "two or more conditions", class = "disc_input_error")
  expect_error(disc_run(x["A"]), "at least 2", class = "disc_input_error")
  expect_error(disc_run(list(A = x$A, x$B)), "a name of its own", class = "disc_input_error")
  expect_error(disc_run(list(A = x$A, B = letters)), "class character", class = "disc_input_error")
  expect_error(disc_run(list(A = "no/such/file", B = x$B)), "no file", class = "disc_input_error")
  expect_error(disc_run(data.frame(x$A, sex = "f"), by = rep(1:2, 5)), "column 'sex'", class = "disc_input_error")
  expect_error(disc_run(x, unit = "donor"), "no label 'donor'", class = "disc_option_error")
  expect_error(disc_run(x, unit = list(A = 1:10)), "no values for condition 'B'", class = "disc_option_error")
  expect_error(disc_run(x, unit = list(A = 1:10, B = 1:9)), "has 9 values", class = "disc_option_error")
  expect_error(disc_run(x, by = "treatment"), "list of conditions", class = "disc_option_error")
})

test_that("a program that is not there is told with the way out", {
  withr_options <- options(discfeatures.program = "/no/such/disc")
  on.exit(options(withr_options))
  expect_error(disc_program(), "no program /no/such/disc", class = "disc_error")
})
