//! The numbers of nodes, as one array for each drawing. Its reader and its types are written from the tables here.
//!
//! `OUTFLANK_WRITE_TABLES=1 cargo nextest run -p outflank-web` writes `www/js/model/node-analysis.js` and a part of `www/types.d.ts`.

use outflank::analysis::{Loss, Point, Sums};
use outflank::board::{Color, Square};
use outflank::study::NodeReport;

/// A field: its name with its type in angle brackets, and its number, which is NaN if it is unknown. A square is written as its
/// index, a name as its index among the names of its type. A field without a name belongs to the object or list before it.
type Field<T> = (&'static str, fn(&T) -> f64);

const POINT: [Field<Point>; 6] = [
    // For Black, in discs.
    ("value: <number>;", |point| point.score_for(Color::Black).discs()),
    ("level: <number>;", |point| level(point.certainty.level())),
    ("kind: <'heuristic' | 'selective' | 'book' | 'outcome' | 'exact'>;", |point| {
        f64::from(point.certainty.kind() as u8)
    }),
    ("exact: <boolean>;", |point| point.certainty.is_exact().into()),
    ("move: <string | null>;", |point| square(point.best)),
    ("forced: <boolean>;", |point| point.forced.into()),
];

const LOSS: [Field<Loss>; 10] = [
    ("side: <'X' | 'O'>;", |loss| f64::from(u8::from(loss.side == Color::White))),
    ("loss: <number>;", |loss| discs(loss.loss)),
    ("exact: <boolean>;", |loss| loss.exact.into()),
    ("error: <number>;", |loss| discs(loss.error)),
    ("atLeast: <number | null>;", |loss| loss.at_least.map_or(f64::NAN, discs)),
    ("proven: <number | null>;", |loss| loss.proven.map_or(f64::NAN, discs)),
    ("changed: <null | 'WD' | 'WL' | 'DL'>;", |loss| {
        loss.changed.map_or(0.0, |change| f64::from(1 + change as u8))
    }),
    ("best: <string | null>;", |loss| square(loss.best)),
    ("mistake: <boolean>;", |loss| loss.mistake.into()),
    ("grade: <'slight' | 'grave'>;", |loss| loss.grave.into()),
];

const SUMS: [Field<Sums>; 11] = [
    ("loss: <number>;", |sums| discs(sums.total)),
    ("phases: [<number>, ", |sums| discs(sums.phases[0])),
    ("<number>, ", |sums| discs(sums.phases[1])),
    ("<number>];", |sums| discs(sums.phases[2])),
    ("moves: <number>;", |sums| sums.moves.into()),
    ("known: <number>;", |sums| sums.known.into()),
    ("exact: <boolean>;", |sums| (!sums.inexact).into()),
    ("changed: { WD: <number>; ", |sums| sums.changed[0].into()),
    ("WL: <number>; ", |sums| sums.changed[1].into()),
    ("DL: <number> };", |sums| sums.changed[2].into()),
    ("accuracy: <number | null>;", |sums| sums.accuracy().map_or(f64::NAN, f64::from)),
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

    /// Writes fields in lines, their types by `of`.
    fn written<T>(fields: &[Field<T>], indent: &str, of: impl Fn(usize, &str) -> String) -> String {
        let mut text = String::new();
        for (at, (field, _)) in fields.iter().enumerate() {
            let (name, rest) = field.split_once('<').unwrap();
            let (form, end) = rest.split_once('>').unwrap();
            let line_end = if end.ends_with(';') { "\n" } else { "" };
            text += &format!("{name}{}{end}{line_end}", of(at, form));
        }
        text.lines().map(|line| format!("{indent}{line}\n")).collect()
    }

    fn read_of(at: usize, form: &str) -> String {
        let number = if at == 0 { "n[at]".to_owned() } else { format!("n[at + {at}]") };
        match form {
            "number" => number,
            "number | null" => format!("known({number})"),
            "boolean" => format!("{number} === 1"),
            "string | null" => format!("square({number})"),
            names => format!("/** @type {{const}} */ ([{}])[{number}]", names.replace(" | ", ", ")),
        }
    }

    fn types<T>(name: &str, fields: &[Field<T>]) -> String {
        format!("interface {name} {{\n{}}}\n", written(fields, "  ", |_, form| form.to_owned()))
    }

    fn reader<T>(name: &str, fields: &[Field<T>]) -> String {
        let fields = written(fields, "        ", read_of).replace(';', ",");
        format!(
            "/** @param {{Float64Array}} n @param {{number}} at @returns {{{name} | null}} */\n\
             export const read{name} = (n, at = 0) =>\n  Number.isNaN(n[at])\n    ? null\n    : {{\n{fields}      }};\n"
        )
    }

    /// Compares a file with its text, or writes it.
    fn check(path: &str, expected: impl Fn(&str) -> String) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        let expected = expected(&found);
        if std::env::var_os("OUTFLANK_WRITE_TABLES").is_some() {
            std::fs::write(path, expected).unwrap();
        } else {
            assert_eq!(found, expected, "OUTFLANK_WRITE_TABLES=1 writes {}", path.display());
        }
    }

    #[test]
    fn reader_and_types_are_current() {
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
        check("www/js/model/node-analysis.js", |_| text.clone());
        let begin = "// Written from web/src/rules/layout.rs.\n";
        let end = "// End of the part from web/src/rules/layout.rs.\n";
        let types = [
            ("The value of a position for Black.", types("Point", &POINT)),
            ("The cost of a move, in discs for its side.", types("Loss", &LOSS)),
            ("The sums of one side along a line.", types("SideSums", &SUMS)),
        ];
        let types: String = types.map(|(about, text)| format!("/** {about} */\n{text}\n")).concat();
        check("www/types.d.ts", |found| {
            let (before, rest) = found.split_once(begin).unwrap();
            let (_, after) = rest.split_once(end).unwrap();
            format!("{before}{begin}{}{end}{after}", types.strip_suffix('\n').unwrap_or(&types))
        });
    }
}
