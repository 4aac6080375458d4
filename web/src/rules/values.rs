//! Values of the positions that the page knows, and the losses of moves.

use outflank::analysis::{self, Course, Kind, Known, Loss, Point, Sums};
use outflank::board::{Color, Move, Position, Square, Status};
use outflank::score::Score;
use outflank::search::NetworkSize;
use wasm_bindgen::prelude::*;

use super::look;

/// The values of all positions, and separately those from analyses of whole games, whose searches are comparable.
#[wasm_bindgen]
#[derive(Default)]
pub struct Values {
    all: analysis::Values,
    reviewed: analysis::Values,
}

// Comments, since wasm-bindgen copies documentation into the module's JavaScript.
#[wasm_bindgen]
impl Values {
    // Creates an empty set.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Values {
        Values::default()
    }

    // Adds values of moves of a position. Returns `false` if no value is valid and new.
    //
    // `rows` has one move per line: its value for the side to move, its line, and its depth as in a line of NBoard, after the
    // word `book` for a value from a book. `kind` is `rows` for separate values, `root` for the best moves of a search, or
    // `reviewed` for the best move of a search that belongs to an analysis of the whole game.
    pub fn add(&mut self, position: &str, kind: &str, rows: &str) -> bool {
        let Ok(position) = look::read(position) else { return false };
        let rows: Vec<Known> = rows.lines().filter_map(read).collect();
        match kind {
            "reviewed" => self.all.add_best(&position, &rows) | self.reviewed.add_best(&position, &rows),
            "root" => self.all.add_best(&position, &rows),
            _ => rows.into_iter().filter(|row| self.all.add(&position, row.clone())).count() > 0,
        }
    }

    // Returns the values that were added to the moves of a position: the search for the best move, then each move.
    pub fn added(&self, position: &str, reviewed: bool) -> String {
        let Ok(position) = look::read(position) else { return String::new() };
        let values = if reviewed { &self.reviewed } else { &self.all };
        rows(values.rows(&position), values.root(&position))
    }

    // Returns the level that the searches of a position have reached.
    pub fn level(&self, position: &str, reviewed: bool) -> f64 {
        let values = if reviewed { &self.reviewed } else { &self.all };
        look::read(position).map_or(0.0, |position| level(values.level(&position)))
    }

    // Removes the values of a position.
    pub fn forget(&mut self, position: &str) {
        if let Ok(position) = look::read(position) {
            self.all.forget(&position);
            self.reviewed.forget(&position);
        }
    }

    // Removes all values.
    pub fn clear(&mut self) {
        self.all.clear();
        self.reviewed.clear();
    }

    // Sets the network of all searches, on which errors depend.
    pub fn network(&mut self, large: bool) {
        let network = if large { NetworkSize::Large } else { NetworkSize::Small };
        self.all.set_network(network);
        self.reviewed.set_network(network);
    }

    // Returns the moves of a position by everything that is known: the best move with the value of the position, then each move.
    pub fn moves(&mut self, position: &str) -> String {
        let Ok(position) = look::read(position) else { return String::new() };
        let moves = self.all.moves(&position);
        let best = self.all.value(&position).filter(|_| position.status() != Status::Over);
        rows(&moves, best.as_ref())
    }

    // Returns the values of the positions of a game tree and the losses of its moves.
    //
    // `positions` has 65 characters per position. `parents` has the index of the position before each, -1 for none; it must be
    // less than the own index. The result has `FIELDS` numbers per position, `NaN` for unknown ones:
    //
    // - the value for Black, its level, its kind in the order of `Kind`, the square of the best move, 1 without a choice
    // - the loss of the move, 1 if it is exact, its error, its certain part, its proven part, the change of the outcome (0
    //   none, 1 win to draw, 2 win to loss, 3 draw to loss), the square of the better move, 1 for a mistake, 1 for a grave one
    // - of the moves up to there: the ply of the turning point and the lowest level, then for each side the sum of the losses,
    //   the sums by thirds of the game, the numbers of moves and of known losses, 1 if all are exact, the changes by kind and
    //   the accuracy
    pub fn tree(&mut self, positions: &str, parents: &[i32]) -> Vec<f64> {
        let places: Vec<&str> =
            (0..parents.len()).filter_map(|at| positions.get(65 * at..65 * at + 65)).collect();
        let mut nodes: Vec<Place> = Vec::with_capacity(places.len());
        for (text, parent) in places.iter().zip(parents) {
            let position = look::read(text).unwrap_or_default();
            let parent = usize::try_from(*parent).ok().filter(|parent| *parent < nodes.len());
            let played = parent.and_then(|parent| self.join(&nodes[parent].position, &position));
            nodes.push(Place { position, parent, played });
        }
        // Later positions first, so that the recursion is short.
        let mut points: Vec<_> = nodes
            .iter()
            .rev()
            .map(|place| [&mut self.all, &mut self.reviewed].map(|values| values.point(&place.position)))
            .collect();
        points.reverse();
        let mut courses: Vec<Course> = Vec::with_capacity(nodes.len());
        let mut numbers = Vec::with_capacity(FIELDS * nodes.len());
        for (Place { parent, played, .. }, [now, reviewed]) in nodes.iter().zip(&points) {
            let mut loss = None;
            let course = match *parent {
                None => Course::start(*now, *reviewed),
                Some(parent) => {
                    let position = &nodes[parent].position;
                    let [before, was] = points[parent].map(|point: Option<Point>| match *played {
                        Some(played) => point.map(|point| point.before(position, played)),
                        None => point,
                    });
                    loss = analysis::loss(position, [before, *now], [was, *reviewed]);
                    courses[parent].extended(position, loss.as_ref(), *now, *reviewed)
                }
            };
            numbers.extend(of_point(now.as_ref()));
            numbers.extend(of_loss(loss.as_ref()));
            numbers.extend(of_course(&course));
            courses.push(course);
        }
        numbers
    }

    /// Joins two positions by a move, which is returned. `None` if no move leads from one to the other.
    fn join(&mut self, before: &Position, after: &Position) -> Option<Square> {
        let placed = before.board().empty() & !after.board().empty();
        let square = placed.first()?;
        let next = before.play(Move::Place(square)).map(Position::after_forced_pass);
        if next != Ok(*after) {
            return None;
        }
        self.all.join(before, square, after);
        self.reviewed.join(before, square, after);
        Some(square)
    }
}

struct Place {
    position: Position,
    parent: Option<usize>,
    /// The move from the position before.
    played: Option<Square>,
}

/// Numbers per position in the result of [`Values::tree`].
const FIELDS: usize = 5 + 9 + 2 + 2 * 11;

fn number(value: Option<impl Into<f64>>) -> f64 {
    value.map_or(f64::NAN, Into::into)
}

fn discs(centidiscs: f64) -> f64 {
    centidiscs / 100.0
}

fn level(thousandths: i32) -> f64 {
    f64::from(thousandths) / 1000.0
}

fn square(square: Option<Square>) -> f64 {
    number(square.map(|square| square.index() as u32))
}

fn of_point(point: Option<&Point>) -> [f64; 5] {
    let Some(point) = point else { return [f64::NAN; 5] };
    let kind = f64::from(point.certainty.kind() as u8);
    [
        point.score_for(Color::Black).discs(),
        level(point.certainty.level()),
        kind,
        square(point.best),
        point.forced.into(),
    ]
}

fn of_loss(loss: Option<&Loss>) -> [f64; 9] {
    let Some(loss) = loss else { return [f64::NAN; 9] };
    let changed = loss.changed.map_or(0, |change| 1 + change as u8);
    let [at_least, proven] = [loss.at_least, loss.proven].map(|least| number(least.map(discs)));
    let [mistake, grave] = [loss.mistake, loss.grave].map(f64::from);
    let (cost, error) = (discs(loss.loss), discs(loss.error));
    [cost, loss.exact.into(), error, at_least, proven, changed.into(), square(loss.best), mistake, grave]
}

fn of_course(course: &Course) -> impl Iterator<Item = f64> {
    let of_side = |sums: &Sums| {
        let counts = [sums.moves.into(), sums.known.into(), f64::from(!sums.inexact)];
        let accuracy = number(sums.accuracy());
        [
            &[discs(sums.total)],
            &sums.phases.map(discs)[..],
            &counts,
            &sums.changed.map(f64::from),
            &[accuracy],
        ]
        .concat()
    };
    let turned = number(course.turning_point().map(|ply| ply as u32));
    [turned, number(course.level.map(level))]
        .into_iter()
        .chain(course.sums.map(|sums| of_side(&sums)).concat())
}

/// Reads a row of [`Values::add`]. Returns `None` if a part of it is invalid. An invalid line ends after its first move.
fn read(row: &str) -> Option<Known> {
    let (value, rest) = row.split_once(' ')?;
    let (moves, depth) = rest.split_once(' ')?;
    let value: f64 = value.parse().ok().filter(|value: &f64| value.abs() <= 64.0)?;
    let first: Square = moves.get(..2)?.parse().ok()?;
    let squares = (0..moves.len()).step_by(2).map(|at| moves.get(at..at + 2)?.parse().ok());
    let line: Option<Vec<Square>> = squares.collect();
    let line = line.filter(|line| line.len() <= 64).unwrap_or_else(|| vec![first]);
    Some(Known { score: Score::from_discs(value)?, certainty: depth.parse().ok()?, line })
}

/// Writes one line per row, the best one first. Its line is blank if it is not known.
fn rows(rows: &[Known], best: Option<&Known>) -> String {
    let mut text = best.map(row).unwrap_or_default();
    for known in rows {
        text.push('\n');
        text.push_str(&row(known));
    }
    text
}

/// Writes the value for `side` in discs, the level, the kind, the depth, the confidence and the proven outcome, `-` for unknown
/// ones, and the expected squares as one word.
#[inline(never)]
fn row(known: &Known) -> String {
    let own = known.score;
    let certainty = known.certainty;
    let outcome = match certainty.kind() {
        Kind::Outcome if own > Score::ZERO => 'W',
        Kind::Outcome if own < Score::ZERO => 'L',
        Kind::Outcome => 'D',
        _ => '-',
    };
    let number = |number: Option<u32>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
    let (depth, confidence) = (number(certainty.depth()), number(certainty.confidence()));
    let line: String = known.line.iter().map(Square::to_string).collect();
    let (value, level, kind) = (own.discs(), level(certainty.level()), certainty.kind().name());
    format!("{value} {level} {kind} {depth} {confidence} {outcome} {line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO---------------------------X";
    const AFTER_F5: &str = "---------------------------OX------XXX--------------------------O";

    #[test]
    fn tree_has_values_losses_and_sums() {
        let mut values = Values::new();
        assert!(values.add(START, "root", "1.00 f5d6 10"));
        assert!(!values.add(START, "root", "2.00 f5 9") && !values.add(START, "rows", "2.00 a1 9"));
        assert!(!values.add("short", "root", "1.00 f5 10") && !values.add(START, "root", "NaN f5 10"));
        assert!(values.add(AFTER_F5, "reviewed", "1.50 f4 12"));
        let numbers = values.tree(&[START, AFTER_F5].concat(), &[-1, 0]);
        assert_eq!(numbers.len(), 2 * FIELDS);
        let (start, after) = numbers.split_at(FIELDS);
        // The value after f5, with the certainty of the search of the start. The four first moves are equal.
        assert_eq!(start[..5], [-1.5, 10.1, 0.0, 37.0, 1.0]);
        assert_eq!((after[0], after[5], after[14]), (-1.5, 0.0, 0.0));
        // A move that is equal to the best one by symmetry is the best one.
        values.clear();
        values.add(START, "root", "1.00 d3c5 10");
        values.add(AFTER_F5, "root", "-1.00 d6c3 9");
        let numbers = values.tree(&[START, AFTER_F5].concat(), &[-1, 0]);
        assert_eq!((numbers[3], numbers[FIELDS + 11]), (19.0, 37.0));
        assert_eq!(values.tree("garbage", &[-1, 7, -5]).len(), 0);
    }

    #[test]
    fn rows_are_lines() {
        let mut values = Values::new();
        assert_eq!((values.added(START, false), values.moves("short")), (String::new(), String::new()));
        values.add(AFTER_F5, "root", "-2.50 f4d3 18@73%");
        values.add(AFTER_F5, "rows", "-2 d6 100%W");
        let root = "-2.5 18.073 selective 18 73 - f4d3";
        assert_eq!(values.added(AFTER_F5, false), format!("{root}\n{root}\n-2 900 outcome 100 - L d6"));
        assert!(values.moves(AFTER_F5).starts_with("-2 18.073 selective 18 73 - d6\n"));
    }
}
