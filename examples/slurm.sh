#!/usr/bin/env bash
# A run on four machines with sixteen processes each: sbatch examples/slurm.sh A.npy B.npy
#SBATCH --job-name=disc
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=16
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=4G
#SBATCH --time=04:00:00
# Slurm sends SIGTERM a minute before the time is over; disc then stops and leaves the results of an earlier run as they were.
#SBATCH --signal=TERM@60
set -euo pipefail

# One thread per process: the processes are the parallelism.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
# The folder must be on a file system that all machines see, like the inputs; the first process writes it.
srun --mpi=pmix disc run "$@" --engine mpi --threads 1 -o "${SLURM_SUBMIT_DIR}/disc-${SLURM_JOB_ID}"
