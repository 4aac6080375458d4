#!/usr/bin/env bash
# Checks that a release tag names the version in Cargo.toml and a commit of the main branch.
#
#     check-tag.sh TAG
set -euo pipefail
tag=$1
if ! grep -qFx "version = \"${tag#v}\"" Cargo.toml; then
  echo "$tag is not the version in Cargo.toml" >&2
  exit 1
fi
if ! git merge-base --is-ancestor "$tag^{commit}" origin/main; then
  echo "$tag is not a commit of the main branch" >&2
  exit 1
fi
