"""Programs that judge disc, one file per experiment: `python -m experiments.NAME`, all of them with `make paper`."""
import os

# Before numpy is loaded: the heavy work is done by disc, which has threads of its own; those of other libraries would only get in its way.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
