#!/usr/bin/env bash
# A match of the program with itself under XBoard: xboard.sh PROGRAM [GAMES] [CLOCK in minutes:seconds].
# Fails unless every game ends by its result.
set -euo pipefail
program=$(realpath "${1:?the program is missing}")
games=${2:-1}
clock=${3:-0:20}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
xboard=$(PATH="$PATH:/usr/games" command -v xboard)
xvfb-run -a "$xboard" -fcp "$program xboard --log first.log" -scp "$program xboard --log second.log" \
    -variant othello -mg "$games" -tc "$clock" -inc 0 -ponderNextMove true -sgf games.pgn \
    -popupExitMessage false -popupMoveErrors false -noGUI >xboard.log 2>&1
ended=$(grep -cE '^\{((Black|White) wins [0-9]+-[0-9]+|Draw agreed)\} ' games.pgn || true)
passes=$(grep -hcE '[<>] (move|usermove) @@@@|> setboard' first.log second.log | paste -sd+ | bc)
grep -E '^\{[A-Z].*\} ' games.pgn || true
echo "$ended of $games games played to their end, $passes passes sent or received"
if grep -hE '> .*(Illegal|Error)|< (Illegal|Error)' first.log second.log; then exit 1; fi
[ "$ended" = "$games" ]
