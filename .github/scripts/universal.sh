#!/usr/bin/env bash
# Joins the archives for both processors of Macs in a folder: `universal.sh FOLDER` writes outflank-VERSION-universal-apple-darwin.tar.gz.
set -euo pipefail
cd "$1"
arm=$(echo outflank-[0-9]*-aarch64-apple-darwin.tar.gz)
intel=${arm/aarch64/x86_64}
both=${arm/aarch64/universal}
for archive in "$arm" "$intel"; do tar -xzf "$archive"; done
arm=${arm%.tar.gz} intel=${intel%.tar.gz} folder=${both%.tar.gz}
mv "$arm" "$folder"
lipo -create "$folder/outflank" "$intel/outflank" -output "$folder/outflank.both"
mv "$folder/outflank.both" "$folder/outflank"
# Signed again: a changed program is killed on Apple's processors.
codesign --force --sign - "$folder/outflank"
"$folder/outflank" doctor --quick
tar -czf "$both" "$folder"
