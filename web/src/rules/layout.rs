//! The numbers of nodes, as one array for each drawing. Its reader is written from the tables here; `www/types.d.ts` has its types.
//!
//! `OUTFLANK_WRITE_TABLES=1 cargo nextest run -p outflank-web` writes `www/js/model/node-analysis.js`.

use outflank::analysis::{Loss, Point, Sums};
use outflank::board::{Color, Square};
use outflank::study::NodeReport;

/// A field: its text in the reader, with `#` for its number, and that number, which is NaN if it is unknown. A square is written as
/// its index, a name as its index in a list.
type Field<T> = (&'static str, fn(&T) -> f64);

const POINT: [Field<Point>; 6] = [
    // For Black, in discs.
    ("value: #,", |point| point.score_for(Color::Black).discs()),
    ("level: #,", |point| level(point.certainty.level())),
    ("kind: /** @type {const} */ (['heuristic', 'selective', 'book', 'outcome', 'exact'])[#],", |point| {
        f64::from(point.certainty.kind() as u8)
    }),
    ("exact: # === 1,", |point| point.certainty.is_exact().into()),
    ("move: square(#),", |point| square(point.best)),
    ("forced: # === 1,", |point| point.forced.into()),
];

const LOSS: [Field<Loss>; 10] = [
    ("side: /** @type {const} */ (['X', 'O'])[#],", |loss| f64::from(u8::from(loss.side == Color::White))),
    ("loss: #,", |loss| discs(loss.loss)),
    ("exact: # === 1,", |loss| loss.exact.into()),
    ("error: #,", |loss| discs(loss.error)),
    ("atLeast: known(#),", |loss| loss.at_least.map_or(f64::NAN, discs)),
    ("proven: known(#),", |loss| loss.proven.map_or(f64::NAN, discs)),
    ("changed: /** @type {const} */ ([null, 'WD', 'WL', 'DL'])[#],", |loss| {
        loss.changed.map_or(0.0, |change| f64::from(1 + change as u8))
    }),
    ("best: square(#),", |loss| square(loss.best)),
    ("mistake: # === 1,", |loss| loss.mistake.into()),
    ("grade: /** @type {const} */ (['slight', 'grave'])[#],", |loss| loss.grave.into()),
];

const SUMS: [Field<Sums>; 11] = [
    ("loss: #,", |sums| discs(sums.total)),
    ("phases: [#, ", |sums| discs(sums.phases[0])),
    ("#, ", |sums| discs(sums.phases[1])),
    ("#],", |sums| discs(sums.phases[2])),
    ("moves: #,", |sums| sums.moves.into()),
    ("known: #,", |sums| sums.known.into()),
    ("exact: # === 1,", |sums| (!sums.inexact).into()),
    ("changed: { WD: #, ", |sums| sums.changed[0].into()),
    ("WL: #, ", |sums| sums.changed[1].into()),
    ("DL: # },", |sums| sums.changed[2].into()),
    ("accuracy: known(#),", |sums| sums.accuracy().map_or(f64::NAN, f64::from)),
];

/// Numbers of a node: its point, its loss, the sums of both sides, and the level of its line.
const NODE: usize = POINT.len() + LOSS.len() + 2 * SUMS.len() + 1;

fn discs(centidiscs: f64) -> f64 {
    centidiscs / 100.0
}

fn level(thousandths: i32) -> f64 {
    f64::from(thousandths) / 1000.0
}

fn square(square: Option<Square>) -> f64 {
    square.map_or(f64::NAN, |square| f64::from(square.index() as u32))
}

fn push<T>(numbers: &mut Vec<f64>, fields: &[Field<T>], of: Option<&T>) {
    numbers.extend(fields.iter().map(|(_, number)| of.map_or(f64::NAN, number)));
}

/// Returns the numbers of nodes.
pub(super) fn numbers(nodes: &[NodeReport]) -> Vec<f64> {
    let mut numbers = Vec::with_capacity(NODE * nodes.len());
    for NodeReport { point, loss, course, .. } in nodes {
        push(&mut numbers, &POINT, point.as_ref());
        push(&mut numbers, &LOSS, loss.as_ref());
        course.sums.iter().for_each(|sums| push(&mut numbers, &SUMS, Some(sums)));
        numbers.push(course.level.map_or(f64::NAN, level));
    }
    numbers
}

/// Returns the numbers of a point.
pub(super) fn point(point: Option<&Point>) -> Vec<f64> {
    let mut numbers = Vec::new();
    push(&mut numbers, &POINT, point);
    numbers
}

/// Returns the numbers of a loss.
pub(super) fn loss(loss: Option<&Loss>) -> Vec<f64> {
    let mut numbers = Vec::new();
    push(&mut numbers, &LOSS, loss);
    numbers
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::path::Path;

    use super::*;

    fn reader<T>(name: &str, fields: &[Field<T>]) -> String {
        let mut text = String::new();
        for (at, (field, _)) in fields.iter().enumerate() {
            text += &field.replace('#', &format!("n[at + {at}]")).replace(" + 0]", "]");
            text += if field.ends_with(',') { "\n" } else { "" };
        }
        let fields: String = text.lines().map(|line| format!("        {line}\n")).collect();
        format!(
            "/** @param {{Float64Array}} n @param {{number}} at @returns {{{name} | null}} */\n\
             export const read{name} = (n, at = 0) =>\n  Number.isNaN(n[at])\n    ? null\n    : {{\n{fields}      }};\n"
        )
    }

    #[test]
    fn reader_is_current() {
        const SIDE: usize = SUMS.len();
        let sums = POINT.len() + LOSS.len();
        let mut text = "// Written from web/src/rules/layout.rs: reads the numbers of nodes.\n\n\
            import { squareName } from '../base/position.js';\n\n\
            /** @param {number} number */\n\
            const known = (number) => (Number.isNaN(number) ? null : number);\n\
            /** @param {number} number */\n\
            const square = (number) => (Number.isNaN(number) ? null : squareName(number));\n\n"
            .to_owned();
        text += &[reader("Point", &POINT), reader("Loss", &LOSS), reader("SideSums", &SUMS)].join("\n");
        let (loss, white, level) = (POINT.len(), sums + SIDE, sums + 2 * SIDE);
        write!(
            text,
            "\n/** Returns what is known of the node with a number. @param {{Float64Array}} n @param {{number}} node \
             @returns {{NodeAnalysis}} */\n\
             export function readNode(n, node) {{\n  const at = {NODE} * node;\n  return {{\n    \
             point: readPoint(n, at),\n    loss: readLoss(n, at + {loss}),\n    get sums() {{\n      \
             const [X, O] = [readSideSums(n, at + {sums}), readSideSums(n, at + {white})];\n      \
             return /** @type {{Record<Side, SideSums>}} */ ({{ X, O }});\n    }},\n    \
             level: known(n[at + {level}]),\n  }};\n}}\n"
        )
        .unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../www/js/model/node-analysis.js");
        if std::env::var_os("OUTFLANK_WRITE_TABLES").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), text, "OUTFLANK_WRITE_TABLES=1 writes the file");
    }
}
