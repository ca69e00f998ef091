test_that("tables fit each other", {
  skip_without_program()
  found <- quick_run(two_conditions())
  expect_identical(nrow(found$features), 40L)
  expect_identical(nrow(found$samples), 160L)
  expect_identical(as.data.frame(found), found$members)
  for (i in seq_len(nrow(found$groups))) {
    group <- found$groups[i, ]
    expect_identical(sum(found$members$condition == group$condition & found$members$group == group$group), as.integer(group$size))
    own <- found$correlations[found$correlations$condition == group$condition & found$correlations$group == group$group, ]
    expect_setequal(own$measured_in, c("A", "B"))
    expect_true(all(own$low <= own$correlation & own$correlation <= own$high))
  }
  expect_output(print(found), "8 features, p = ")
})

test_that("a result without groups has empty tables and says so", {
  skip_without_program()
  x <- two_conditions()
  found <- quick_run(list(A = x$A[1:40, ], B = x$A[41:80, ]))
  expect_identical(nrow(found$groups), 0L)
  expect_identical(nrow(found$members), 0L)
  expect_output(print(found), "no group")
  expect_error(plot(found), "no group", class = "disc_error")
})

test_that("pictures show what the tables hold", {
  skip_without_program()
  found <- quick_run(two_conditions())
  drawn <- function(what) ggplot2::ggplot_build(plot(found, what))
  expect_identical(nrow(drawn("groups")$data[[3]]), nrow(found$correlations))
  expect_identical(nrow(drawn("weights")$data[[1]]), 3200L)
  expect_identical(nrow(drawn("samples")$data[[1]]), 160L)
  expect_identical(nrow(drawn("energy")$data[[1]]), 80L)
  expect_identical(nrow(drawn("pairs")$data[[2]]), nrow(found$pairs))
})

test_that("the report is opened in the viewer, or copied", {
  skip_without_program()
  found <- quick_run(two_conditions(30, 12))
  page <- file.path(found$folder, "report.html")
  skip_if_not(file.exists(page), "the program was built without the report page")
  seen <- NULL
  before <- options(viewer = function(url, ...) seen <<- url)
  on.exit(options(before))
  disc_report(found)
  expect_true(startsWith(seen, normalizePath(tempdir())))
  copy <- tempfile(fileext = ".html")
  disc_report(found, copy)
  expect_identical(readLines(copy, warn = FALSE), readLines(page, warn = FALSE))
})

test_that("simulated data come with the truth, which is found", {
  skip_without_program()
  toy <- disc_simulate("newly-connected", samples = 150, seed = 1)
  expect_identical(dim(toy$conditions$A), c(150L, 250L))
  found <- quick_run(toy$conditions)
  of <- function(table) split(table$feature, table[c("condition", "group")], drop = TRUE)
  overlap <- function(a, b) length(intersect(a, b)) / length(union(a, b))
  best <- vapply(of(toy$truth), function(true) max(vapply(of(found$members), overlap, 1, b = true)), 1)
  expect_true(all(best > 0.8))
})

test_that("a folder that holds no run is refused", {
  expect_error(disc_read(tempfile()), "no summary.json", class = "disc_input_error")
})
