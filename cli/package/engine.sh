#!/bin/sh
# Cassio starts this with the number of cores. Put the whole folder, named Outflank, among its engines.
exec "$(dirname "$0")/@program@" cassio --threads "${1:-1}" --hash 256
