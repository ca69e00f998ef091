# The program 'disc': where it is, how it is called, and what its exit codes mean.

#' The program that does the work
#'
#' The package calls the program `disc`. It is looked for in the option `discfeatures.program`, in the environment
#' variable `DISC_PROGRAM`, in the package itself (packages that bring the program along are for one platform), and on
#' the search path.
#'
#' @return `disc_program()`: the path of the program, or an error that says where it was looked for. `disc_available()`:
#'   whether there is one. `disc_version()`: its version.
#' @examples
#' if (disc_available()) disc_version()
#' @export
disc_program <- function() {
  found <- find_program()
  if (is.null(found)) {
    fail("disc_error", "the program 'disc' was not found: not in the option 'discfeatures.program', the environment ",
         "variable DISC_PROGRAM, this package, or the search path; install it and make sure that Sys.which(\"disc\") ",
         "finds it, or say where it is by options(discfeatures.program = \"/path/to/disc\")")
  }
  found
}

#' @rdname disc_program
#' @export
disc_available <- function() !is.null(find_program())

#' @rdname disc_program
#' @export
disc_version <- function() {
  said <- run_program("--version", progress = FALSE)
  sub("^disc ", "", said[[1]])
}

find_program <- function() {
  given <- c(getOption("discfeatures.program", ""), Sys.getenv("DISC_PROGRAM"))
  given <- given[nzchar(given)]
  if (length(given) > 0) {
    if (!file.exists(given[[1]])) fail("disc_error", "there is no program ", given[[1]], "; it was asked for by option ",
                                       "'discfeatures.program' or the environment variable DISC_PROGRAM")
    return(normalizePath(given[[1]]))
  }
  candidates <- c(system.file("bin", "disc", package = "discfeatures"), unname(Sys.which("disc")))
  candidates <- candidates[nzchar(candidates)]
  if (length(candidates) > 0) candidates[[1]] else NULL
}

# Raises an error of a class that callers can catch; every class is also a disc_error.
fail <- function(class, ...) {
  stop(structure(list(message = paste0(...), call = NULL), class = unique(c(class, "disc_error", "error", "condition"))))
}

exit_classes <- c("2" = "disc_option_error", "3" = "disc_input_error", "4" = "disc_not_converged")

# Runs the program and returns the lines it printed. Lines of progress become messages while it works; the files of
# 'known', a named vector from path to name, are called by their names in what it says.
run_program <- function(arguments, progress = FALSE, known = character()) {
  process <- processx::process$new(disc_program(), arguments, stdout = "|", stderr = "|", cleanup = TRUE)
  on.exit(end_program(process), add = TRUE)
  said <- character()
  complaints <- character()
  repeat {
    process$poll_io(100)
    said <- c(said, process$read_output_lines())
    news <- rename_known(process$read_error_lines(), known)
    if (progress) for (line in news) message(line)
    complaints <- c(complaints, news)
    if (!process$is_alive() && !process$is_incomplete_output() && !process$is_incomplete_error()) break
  }
  code <- process$get_exit_status()
  if (!identical(code, 0L)) {
    class <- exit_classes[as.character(code)]
    fail(if (is.na(class)) "disc_error" else class, complaint_of(complaints, code))
  }
  said
}

# After an interrupt the program must not work on; it needs up to a second to end well.
end_program <- function(process) {
  if (!process$is_alive()) return(invisible())
  process$interrupt()
  process$wait(2000)
  if (process$is_alive()) process$kill()
  invisible()
}

rename_known <- function(lines, known) {
  for (path in names(known)) lines <- gsub(path, known[[path]], lines, fixed = TRUE)
  lines
}

complaint_of <- function(lines, code) {
  own <- grep("^disc: ", lines, value = TRUE)  # the last one: before it are stages of the work
  if (length(own) > 0) return(sub("^disc: ", "", utils::tail(own, 1)))
  paste(c(paste("the program ended with code", code), utils::tail(lines, 5)), collapse = "\n")
}
