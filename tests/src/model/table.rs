//! Every line and all news in every state, and what is owed then: as a table.

use std::fmt::Write as _;

use super::play::{Pair, Step, book};
use super::{Fault, Happening, Model, News, State};

/// How many pairs of a state and a happening were tried, and the part of the table that tells of them.
#[derive(Debug)]
pub struct Tried {
    /// Lines by states, and news by the states they can come in.
    pub pairs: usize,
    /// In Markdown.
    pub table: String,
}

/// Tries everything in every state; each time the conversation goes on to its end: by the end of its searches, by their
/// breakdown, and by a sign of life.
///
/// # Errors
/// For the first time that something else came than is owed.
pub fn table<M: Model>() -> Result<Tried, Fault> {
    let states = M::states();
    let mut pairs = 0;
    let mut table = String::new();
    let _ = writeln!(
        table,
        "States: {}.\n",
        states.iter().map(|state| state.name.as_str()).collect::<Vec<_>>().join("; ")
    );
    table.push_str("| what comes in | what is owed | in which states |\n| --- | --- | --- |\n");
    let lines = M::LINES.iter().map(|line| (Happening::Say(line.text), shown(line.text)));
    let news = News::ALL.iter().map(|&news| (Happening::News(news), news.name().to_owned()));
    // Lines that are owed the same everywhere share their rows.
    let mut groups: Vec<(Vec<String>, String)> = Vec::new();
    for (happening, name) in lines.chain(news) {
        let mut rows: Vec<Row> = Vec::new();
        for state in &states {
            let Some(owed) = cell::<M>(state, happening)? else { continue };
            pairs += 1;
            match rows.iter_mut().find(|row| row.owed == owed) {
                Some(row) => row.states.push(&state.name),
                None => rows.push(Row { owed, states: vec![&state.name] }),
            }
        }
        let rows = written(&rows, states.len());
        match groups.iter_mut().find(|(_, known)| *known == rows) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], rows)),
        }
    }
    for (names, rows) in groups {
        let _ = write!(table, "| {} {rows}", names.join("<br>"));
    }
    Ok(Tried { pairs, table })
}

/// What is owed, and in which states.
struct Row<'a> {
    owed: String,
    states: Vec<&'a str>,
}

/// The rows of a line without its name.
fn written(rows: &[Row<'_>], states: usize) -> String {
    let told: usize = rows.iter().map(|row| row.states.len()).sum();
    let most = rows.iter().map(|row| row.states.len()).max().unwrap_or_default();
    let mut text = String::new();
    for row in rows {
        let place = if row.states.len() == told && told == states {
            "all".to_owned()
        } else if row.states.len() == most && most > 4 && !text.contains("the other") {
            format!("the other {most}")
        } else {
            row.states.join("; ")
        };
        let name = if text.is_empty() { "" } else { "| " };
        let _ = writeln!(text, "{name}| {} | {place} |", row.owed);
    }
    text
}

/// What is owed for `happening` in `state`; nothing where it cannot happen.
fn cell<M: Model>(state: &State, happening: Happening) -> Result<Option<String>, Fault> {
    let mut owed = None;
    for with_book in [false, true] {
        for end in [News::Done, News::Failed] {
            let mut pair = Pair::<M>::new(with_book.then(|| book("openings.txt")));
            let tried = run(&mut pair, state, happening, end);
            let fault = |fault| {
                let sent = pair.sent().join("\n");
                format!("{}: {}, then {happening:?}: {fault}\n{sent}", M::DIALECT, state.name)
            };
            // The table is that of an engine without a book.
            let labels = tried.map_err(fault)?;
            if !with_book {
                owed = labels;
            }
        }
    }
    Ok(owed.map(|labels| if labels.is_empty() { "nothing".to_owned() } else { labels.join(", ") }))
}

fn run<M: Model>(
    pair: &mut Pair<M>,
    state: &State,
    happening: Happening,
    end: News,
) -> Result<Option<Vec<String>>, Fault> {
    for &what in &state.way {
        pair.step(Step { what, after: 10, dice: 0 })?;
    }
    let labels = pair.step(Step { what: happening, after: 70, dice: 0 })?;
    pair.conclude(end)?;
    Ok(labels)
}

/// A line as a table can show it.
fn shown(text: &str) -> String {
    if text.is_empty() {
        return "(an empty line)".to_owned();
    }
    // A board of dashes in words.
    let mut short = String::new();
    for word in text.split(' ') {
        let long = word.len() > 40;
        let cut: String = word.chars().take(if long { 16 } else { 40 }).collect();
        let _ =
            write!(short, "{}{cut}{}", if short.is_empty() { "" } else { " " }, if long { "…" } else { "" });
    }
    format!("`{}`", short.replace('|', "\\|"))
}
