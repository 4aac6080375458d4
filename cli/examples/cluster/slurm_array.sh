#!/usr/bin/env bash
# A Slurm array: `sbatch --array=0-99 slurm_array.sh games.txt out`, then `cat out/*.jsonl`.
# Each job takes every n-th line. A restarted job resumes where it stopped.
#SBATCH --cpus-per-task=1
set -euo pipefail
games=${1:?the file of games is missing} out=${2:?the folder for the output is missing}
job=${SLURM_ARRAY_TASK_ID:-0} jobs=${SLURM_ARRAY_TASK_COUNT:-1}
mkdir -p "$out"
name=$out/$(printf %05d "$job")
# The lines of this job. A report names this file, so it is kept.
awk -v n="$jobs" -v k="$job" 'NR % n == k' "$games" > "$name.txt"
# Status 1: a line could not be read, and its answer reports it. The job has not failed.
outflank analyze "$name.txt" --depth "${DEPTH:-14}" --resume "$name.jsonl" || [ $? = 1 ]
