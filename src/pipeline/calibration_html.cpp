// The certificate of a calibration: one page without scripts.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/markup.hpp"
#include "disc/calibrate.hpp"

namespace disc {
namespace {

constexpr double plot_size = 320, margin = 44;

std::string escaped(const std::string& text) { return escape_markup(for_terminal(text)); }

std::string fixed(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

double x_of(double p) { return margin + p * (plot_size - margin - 16); }
double y_of(double p) { return plot_size - margin - p * (plot_size - margin - 16); }

std::string line(double x1, double y1, double x2, double y2, const std::string& more) {
  return "<line x1=\"" + fixed(x1, 1) + "\" y1=\"" + fixed(y1, 1) + "\" x2=\"" + fixed(x2, 1) + "\" y2=\"" +
         fixed(y2, 1) + "\" " + more + "/>";
}

std::string axes() {
  std::string svg;
  for (const double p : {0.0, 0.5, 1.0}) {
    svg += "<text x=\"" + fixed(x_of(p), 1) + "\" y=\"" + fixed(plot_size - margin + 18, 1) +
           "\" text-anchor=\"middle\">" + fixed(p, 1) + "</text><text x=\"" + fixed(margin - 8, 1) + "\" y=\"" +
           fixed(y_of(p) + 4, 1) + "\" text-anchor=\"end\">" + fixed(p, 1) + "</text>";
  }
  svg += line(x_of(0), y_of(0), x_of(1), y_of(0), "class=\"axis\"") +
         line(x_of(0), y_of(0), x_of(0), y_of(1), "class=\"axis\"");
  svg += "<text x=\"" + fixed(x_of(0.5), 1) + "\" y=\"" + fixed(plot_size - 6, 1) +
         "\" text-anchor=\"middle\">expected if nothing differs</text>";
  svg += "<text transform=\"translate(12 " + fixed(y_of(0.5), 1) +
         ") rotate(-90)\" text-anchor=\"middle\">smallest p of a run</text>";
  return svg;
}

// Observed p-values against those that are uniform.
std::string plot(const Calibration& calibration) {
  std::vector<double> p;
  for (const RandomHalves& one : calibration.halves) p.push_back(one.p);
  std::ranges::sort(p);
  std::string svg = "<svg viewBox=\"0 0 " + fixed(plot_size, 0) + " " + fixed(plot_size, 0) +
                    "\" role=\"img\" aria-label=\"Observed against expected p-values; on the line they hold, below it "
                    "they are too small\">" +
                    axes() + line(x_of(0), y_of(0), x_of(1), y_of(1), "class=\"ideal\"") +
                    line(x_of(0), y_of(calibration.level), x_of(1), y_of(calibration.level), "class=\"level\"");
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double expected = (static_cast<double>(i) + 0.5) / static_cast<double>(p.size());
    svg += "<circle cx=\"" + fixed(x_of(expected), 1) + "\" cy=\"" + fixed(y_of(p[i]), 1) +
           "\" r=\"3.5\"><title>p = " + fixed(p[i], 3) + "</title></circle>";
  }
  return svg + "</svg>";
}

std::string verdict(const Calibration& calibration) {
  const auto n = calibration.halves.size();
  const double expected = calibration.level * static_cast<double>(n);
  std::string text = "Between random halves of one population, where nothing differs, " +
                     std::to_string(calibration.found()) + " of " + std::to_string(n) +
                     " runs reported something at p &le; " + fixed(calibration.level, 2) + "; " + fixed(expected, 1) +
                     " would be expected. ";
  if (calibration.chance() <= 0.05) {
    return text + "<strong>That is too many</strong> (chance " + fixed(calibration.chance(), 3) +
           "): p-values of runs on data like these are too small as they stand. Samples may depend on each other "
           "(units), or in time.";
  }
  return text +
         "That is in accord with p-values that hold (chance of so many or more: " + fixed(calibration.chance(), 2) +
         ")." +
         (n < 50 ? " With so few runs a share of twice the level could pass unnoticed; --repeats 100 says more." : "");
}

std::string rows(const Calibration& calibration) {
  std::string html;
  for (std::size_t m = 0; m < calibration.populations.size(); ++m) {
    Index runs = 0;
    Index found = 0;
    for (const RandomHalves& one : calibration.halves) {
      if (one.population != static_cast<Index>(m)) continue;
      ++runs;
      found += one.p <= calibration.level ? 1 : 0;
    }
    html += "<tr><td>" + escaped(calibration.populations[m]) + "</td><td>" + std::to_string(runs) + "</td><td>" +
            std::to_string(found) + "</td></tr>";
  }
  return html;
}

}  // namespace

std::string calibration_html(const Calibration& calibration, const RunRecord& record) {
  std::string html = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Do p-values hold? DiSC</title><style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; background: #fff; }
svg { max-width: 24rem; font-size: 12px; } circle { fill: #2b6cb0; } .axis { stroke: #666; } .ideal { stroke: #999; stroke-dasharray: 4 3; }
.level { stroke: #c2410c; } td, th { text-align: left; padding: 0.2rem 1.2rem 0.2rem 0; }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #16181c; } svg text { fill: #e6e6e6; } }
</style></head><body>
<h1>Do p-values hold on these data?</h1>
)";
  html += "<p>" + verdict(calibration) + "</p>" + plot(calibration);
  html += "<table><tr><th>population</th><th>random halves</th><th>with p &le; " + fixed(calibration.level, 2) +
          "</th></tr>" + rows(calibration) + "</table>";
  html += "<p>Every population was cut in two at random, " +
          (calibration.unit.empty() ? std::string("sample by sample")
                                    : "all samples of one '" + escaped(calibration.unit) + "' together") +
          ", and the two halves were compared as two conditions, with " + std::to_string(calibration.permutations) +
          " permutations each and otherwise the settings below.</p><ul>";
  for (const std::string& warning : calibration.warnings) html += "<li>" + escaped(warning) + "</li>";
  html += "</ul><p>";
  for (const auto& [file, digest] : record.inputs) html += escaped(file) + " (digest " + escaped(digest) + ")<br>";
  for (const auto& [name, value] : record.given) html += "--" + escaped(name) + " " + escaped(value) + "<br>";
  html += "seed " + std::to_string(record.seed) + ", DiSC " + std::string(version()) +
          (record.date.empty() ? "" : ", " + escaped(record.date)) + "</p></body></html>\n";
  return html;
}

}  // namespace disc
