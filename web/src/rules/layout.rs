//! The numbers of nodes, as one array for each drawing. Its reader and its types are written from the tables here.
//!
//! `OUTFLANK_WRITE_TABLES=1 cargo nextest run -p outflank-web` writes `www/js/model/node-analysis.js` and a part of `www/types.d.ts`.

use outflank::analysis::{Loss, Point, Sums};
use outflank::board::{Color, Square};
use outflank::study::NodeReport;

/// The form of a number. Unknown numbers are NaN.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "the reader is written from the names"))]
enum Form {
    Number,
    /// A number, or `null`.
    Optional,
    Flag,
    /// The index of a square, or `null`.
    Square,
    /// The index of a name.
    Name(&'static [&'static str]),
    /// The index of a name, of which the first is `null`.
    OptionalName(&'static [&'static str]),
}

/// A field: its name, its form and its number. Fields `NAME.KEY` are an object or, if the keys are numbers, a list.
type Field<T> = (&'static str, Form, fn(&T) -> f64);

const POINT: [Field<Point>; 6] = [
    // For Black, in discs.
    ("value", Form::Number, |point| point.score_for(Color::Black).discs()),
    ("level", Form::Number, |point| level(point.certainty.level())),
    ("kind", Form::Name(&["heuristic", "selective", "book", "outcome", "exact"]), |point| {
        f64::from(point.certainty.kind() as u8)
    }),
    ("exact", Form::Flag, |point| point.certainty.is_exact().into()),
    ("move", Form::Square, |point| square(point.best)),
    ("forced", Form::Flag, |point| point.forced.into()),
];

const LOSS: [Field<Loss>; 10] = [
    ("side", Form::Name(&["X", "O"]), |loss| f64::from(u8::from(loss.side == Color::White))),
    ("loss", Form::Number, |loss| discs(loss.loss)),
    ("exact", Form::Flag, |loss| loss.exact.into()),
    ("error", Form::Number, |loss| discs(loss.error)),
    ("atLeast", Form::Optional, |loss| loss.at_least.map_or(f64::NAN, discs)),
    ("proven", Form::Optional, |loss| loss.proven.map_or(f64::NAN, discs)),
    ("changed", Form::OptionalName(&["WD", "WL", "DL"]), |loss| {
        loss.changed.map_or(0.0, |change| f64::from(1 + change as u8))
    }),
    ("best", Form::Square, |loss| square(loss.best)),
    ("mistake", Form::Flag, |loss| loss.mistake.into()),
    ("grade", Form::Name(&["slight", "grave"]), |loss| loss.grave.into()),
];

const SUMS: [Field<Sums>; 11] = [
    ("loss", Form::Number, |sums| discs(sums.total)),
    ("phases.0", Form::Number, |sums| discs(sums.phases[0])),
    ("phases.1", Form::Number, |sums| discs(sums.phases[1])),
    ("phases.2", Form::Number, |sums| discs(sums.phases[2])),
    ("moves", Form::Number, |sums| sums.moves.into()),
    ("known", Form::Number, |sums| sums.known.into()),
    ("exact", Form::Flag, |sums| (!sums.inexact).into()),
    ("changed.WD", Form::Number, |sums| sums.changed[0].into()),
    ("changed.WL", Form::Number, |sums| sums.changed[1].into()),
    ("changed.DL", Form::Number, |sums| sums.changed[2].into()),
    ("accuracy", Form::Optional, |sums| sums.accuracy().map_or(f64::NAN, f64::from)),
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
    numbers.extend(fields.iter().map(|(_, _, number)| of.map_or(f64::NAN, number)));
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

    /// An entry of a part: the place of its number, its key, and what it is.
    type Entry = (usize, &'static str, Form);

    /// The parts of the fields: a name, and the entries of an object or a list.
    fn parts<T>(fields: &[Field<T>]) -> Vec<(&'static str, Vec<Entry>)> {
        let mut parts: Vec<(&str, Vec<_>)> = Vec::new();
        for (at, (name, form, _)) in fields.iter().enumerate() {
            let (name, key) = name.split_once('.').unwrap_or((name, ""));
            match parts.last_mut() {
                Some((last, entries)) if *last == name => entries.push((at, key, *form)),
                _ => parts.push((name, vec![(at, key, *form)])),
            }
        }
        parts
    }

    fn quoted(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| format!("'{name}'")).collect()
    }

    fn type_of(form: Form) -> String {
        match form {
            Form::Number => "number".to_owned(),
            Form::Optional => "number | null".to_owned(),
            Form::Flag => "boolean".to_owned(),
            Form::Square => "string | null".to_owned(),
            Form::Name(names) => quoted(names).join(" | "),
            Form::OptionalName(names) => quoted(names).join(" | ") + " | null",
        }
    }

    fn read_of(form: Form, at: usize) -> String {
        let number = if at == 0 { "n[at]".to_owned() } else { format!("n[at + {at}]") };
        match form {
            Form::Number => number,
            Form::Optional => format!("known({number})"),
            Form::Flag => format!("{number} === 1"),
            Form::Square => format!("square({number})"),
            Form::Name(names) => format!("/** @type {{const}} */ ([{}])[{number}]", quoted(names).join(", ")),
            Form::OptionalName(names) => {
                format!("/** @type {{const}} */ ([null, {}])[{number}]", quoted(names).join(", "))
            }
        }
    }

    /// Writes a part: one text, a list, or an object whose entries `separator` separates.
    fn whole(entries: &[Entry], separator: &str, of: impl Fn(Form, usize) -> String) -> String {
        let is_list = entries[0].1 == "0";
        let text = |&(at, key, form): &Entry| match key {
            "" => of(form, at),
            _ if is_list => of(form, at),
            _ => format!("{key}: {}", of(form, at)),
        };
        let all: Vec<String> = entries.iter().map(text).collect();
        match entries[0].1 {
            "" => all.concat(),
            "0" => format!("[{}]", all.join(", ")),
            _ => format!("{{ {} }}", all.join(separator)),
        }
    }

    fn types<T>(name: &str, fields: &[Field<T>]) -> String {
        let mut text = format!("interface {name} {{\n");
        for (name, entries) in parts(fields) {
            writeln!(text, "  {name}: {};", whole(&entries, "; ", |form, _| type_of(form))).unwrap();
        }
        text + "}\n"
    }

    fn reader<T>(name: &str, fields: &[Field<T>]) -> String {
        let is_known = "Number.isNaN(n[at])\n    ? null\n    : {\n";
        let mut text = format!(
            "/** @param {{Float64Array}} n @param {{number}} at @returns {{{name} | null}} */\nexport const read{name} = (n, at = 0) =>\n  {is_known}"
        );
        for (name, entries) in parts(fields) {
            writeln!(text, "        {name}: {},", whole(&entries, ", ", read_of)).unwrap();
        }
        text + "      };\n"
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
