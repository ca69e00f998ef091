// The whole public interface. Start with disc::run in disc/pipeline.hpp.
#pragma once

#include "disc/base.hpp"
#include "disc/correlations.hpp"
#include "disc/differential.hpp"
#include "disc/graph.hpp"
#include "disc/groups.hpp"
#include "disc/io.hpp"
#include "disc/matrix.hpp"
#include "disc/options.hpp"
#include "disc/pictures.hpp"
#include "disc/pipeline.hpp"
#include "disc/prepare.hpp"
#include "disc/report.hpp"
#include "disc/sheet.hpp"
#include "disc/simulate.hpp"
#include "disc/spectral.hpp"
#include "disc/stats.hpp"
