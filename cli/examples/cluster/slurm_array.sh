#!/usr/bin/env bash
# A Slurm array: `sbatch --array=0-99 slurm_array.sh games.txt out`, then `cat out/*.jsonl`.
# Each job takes every n-th line. A job that is started again goes on where it stopped.
#SBATCH --cpus-per-task=1
set -euo pipefail
games=${1:?the file of games is missing} out=${2:?the folder for the output is missing}
job=${SLURM_ARRAY_TASK_ID:-0} jobs=${SLURM_ARRAY_TASK_COUNT:-1}
mkdir -p "$out"
part=$(mktemp)
trap 'rm -f "$part"' EXIT
awk -v n="$jobs" -v k="$job" 'NR % n == k' "$games" > "$part"
# A line that could not be read has its own answer; the job has done what it could.
outflank analyze "$part" --depth "${DEPTH:-14}" --resume "$out/$(printf %05d "$job").jsonl" || [ $? = 1 ]
