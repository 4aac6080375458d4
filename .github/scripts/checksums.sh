#!/usr/bin/env bash
# Writes SHA256SUMS for all other files of a folder, or checks the files of a folder that SHA256SUMS lists.
#
#     checksums.sh write|check FOLDER
set -euo pipefail
cd "$2"
case $1 in
  write)
    rm -f SHA256SUMS
    sums=$(sha256sum -- *)
    echo "$sums" > SHA256SUMS
    ;;
  check) sha256sum --check --strict --ignore-missing SHA256SUMS ;;
  *) exit 2 ;;
esac
