#!/usr/bin/env bash
# Takes the picture in cli/docs/xboard.md: xboard_picture.sh PROGRAM FILE.png [SECONDS of the match].
# The program plays itself under a real XBoard on a screen of its own.
set -euo pipefail
program=$(realpath "${1:?the program is missing}")
picture=$(realpath -m "${2:?the file is missing}")
seconds=${3:-40}
folder=$(mktemp -d)
xboard=$(PATH="$PATH:/usr/games" command -v xboard)
export DISPLAY=:77
Xvfb :77 -screen 0 928x362x24 &
screen=$!
trap 'kill "$screen"; rm -rf "$folder"' EXIT
cd "$folder"
sleep 2
"$xboard" -fcp "$program xboard" -scp "$program xboard" -variant othello -mg 1 -tc 1 -inc 0 -size 49 \
    -engineOutputUp true -engineOutputX 424 -engineOutputY 0 -engineOutputW 420 -engineOutputH 362 \
    -showThinking true -sgf games.pgn -popupExitMessage false -popupMoveErrors false >xboard.log 2>&1 &
board=$!
sleep "$seconds"
# There is no window manager to put one beside the other.
for window in $(xdotool search --name 'Engine Output'); do xdotool windowmove "$window" 424 0; done
sleep 2
import -window root "$folder/screen.png"
kill "$board"
convert "$folder/screen.png" -strip -colors 128 "PNG8:$picture"
optipng -quiet -o4 "$picture"
