#!/bin/sh
# Makes the endings of the page, www/data/endings.json, from games that both networks play against each other from named openings.
# Usage: train/endings.sh FOLDER, in the root of the repository. Needs `jq`, and 15 minutes of processor time.
set -eu
mkdir -p "$1"
out=$PWD/www/data/endings.json outflank=$PWD/target/release/outflank openings=$PWD/www/data/openings.json
cd "$1"

# Games: each opening twice at four depths.
jq -r '.lines[].moves' "$openings" | sort -u > openings.txt
for depth in 4 5 6 7; do
  "$outflank" match "$outflank nboard" "$outflank nboard --eval large" --depth $depth --openings openings.txt \
    --games $((2 * $(wc -l < openings.txt))) --report $depth.rep --pgn $depth.pgn
  "$outflank" convert --quiet $depth.pgn $depth.txt
done

# Eight positions of each game, with 16 to 24 empty squares.
sort -u [4-7].txt | awk 'BEGIN { split("16 17 18 19 20 21 22 23 24 16 17 18 19 20 21 22", empty) }
  { for (k = 0; k < 16; k += 2) print substr($0, 1, 2 * (60 - empty[(NR + k) % 16 + 1])) }' | sort -u > cuts.txt

# Positions whose values are close in a search of 10 plies.
"$outflank" hint - --depth 10 --count 64 --json < cuts.txt | jq -r '. as { $position } | [.moves[].value]
  | select(length >= 4 and max > 0 and max < 12 and (map(select(. < 0)) | length >= 2)) | $position' > close.txt

# The exact value of every move.
"$outflank" hint - --depth 60 --count 64 --json < close.txt > exact.jsonl

# 300 positions: at most 100 in which four or more moves win, at most 100 in which two or three win, then those in which one wins. Symmetric
# positions count once. `scores` is as www/js/model/puzzles.js reads it.
jq -s 'def rows: [range(8) as $row | .[8 * $row:8 * $row + 8]];
  def turned: rows as $rows | [range(8) as $column | $rows | reverse[] | .[$column:$column + 1]] | add;
  def canonical: [.[:64] | ., (rows | reverse | add) | limit(4; recurse(turned))] | min;
  [ .[] | select(all(.moves[]; .proof == "exact")) | (.position | gsub(" "; "")) as $position
    | { $position, canonical: ($position | canonical), empty: ($position | [scan("-")] | length),
        scores: [.moves | sort_by(.move[1:], .move[:1])[] | 65 + .value / 2] | implode,
        wins: [.moves[] | select(.value > 0)] | length, all: .moves | length }
    | select(.wins > 0 and .wins < .all - 1) ]
  | unique_by(.canonical) | group_by([.wins > 1, .wins > 3]) | reverse
  | (.[:2] | map(.[:100]) | add) as $more | $more + .[2][:300 - ($more | length)]
  | sort_by(-.wins, .empty) | map(.position + .scores)' exact.jsonl > endings.json
mv endings.json "$out"
