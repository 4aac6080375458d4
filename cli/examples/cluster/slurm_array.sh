#!/usr/bin/env bash
# A Slurm array: `sbatch --array=0-99 slurm_array.sh games.txt out`, then `cat out/*.jsonl`.
# Each job takes every n-th line. A job that is started again goes on where it stopped.
#SBATCH --cpus-per-task=1
set -euo pipefail
games=${1:?the file of games is missing} out=${2:?the folder for the output is missing}
job=${SLURM_ARRAY_TASK_ID:-0} jobs=${SLURM_ARRAY_TASK_COUNT:-1}
mkdir -p "$out"
name=$out/$(printf %05d "$job")
# The job's own lines: a report names this file, so it stays.
awk -v n="$jobs" -v k="$job" 'NR % n == k' "$games" > "$name.txt"
# A line that could not be read has its own answer; the job has done what it could.
outflank analyze "$name.txt" --depth "${DEPTH:-14}" --resume "$name.jsonl" || [ $? = 1 ]
