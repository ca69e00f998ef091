library(testthat)
library(discfeatures)

test_check("discfeatures")
