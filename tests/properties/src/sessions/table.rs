//! Every line and event in every state: the replies as a table.

use std::fmt::Write as _;

use outflank::notation::fen;
use outflank::search::Limits;
use outflank::session::{Effect, Protocol, Timestamp};

use super::grammar::{Grammar, grammar};
use super::world::World;

/// Events, with the names that the table gives them.
const EVENTS: [(&str, &str); 12] = [
    ("@report", "a complete report"),
    ("@partial", "an incomplete report"),
    ("@solved", "a complete report with proven values"),
    ("@bound", "a complete report with proven lower bounds"),
    ("@progress", "a progress event"),
    ("@done", "the search ends"),
    ("@failed", "the search fails"),
    ("@hash 16", "less memory than requested"),
    ("@threads 3", "fewer threads than requested"),
    ("@nobook", "a book could not be opened"),
    ("@long", "a line that is too long"),
    ("@eof", "the input ends"),
];

/// The replies to a line, and the states in which it gets them.
struct Row<'a> {
    replies: String,
    states: Vec<&'a str>,
}

/// Takes the steps that lead to a state.
fn enter(mut world: World, steps: &[&str]) -> World {
    for step in steps {
        world.step("@wait 10");
        world.step(step);
    }
    world
}

/// Sends every line and event in every state, then ends the conversation. Returns the replies as a table.
pub fn table(protocol: Protocol) -> String {
    let grammar = grammar(protocol);
    let states = &grammar.states;
    let names: Vec<&str> = states.iter().map(|state| state.name.as_str()).collect();
    let others = Protocol::ALL.into_iter().filter(|&other| other != protocol);
    let openings = others.map(|other| self::grammar(other).opening);
    let lines = grammar.lines.iter().copied().chain(openings).map(|line| (line, code(line)));
    // Lines with the same replies everywhere share their rows.
    let mut groups: Vec<(Vec<String>, String)> = Vec::new();
    for (step, name) in lines.chain(EVENTS.map(|(step, name)| (step, name.to_owned()))) {
        let mut rows: Vec<Row<'_>> = Vec::new();
        for state in states {
            let Some(replies) = replies(grammar, &state.steps, step) else { continue };
            match rows.iter_mut().find(|row| row.replies == replies) {
                Some(row) => row.states.push(&state.name),
                None => rows.push(Row { replies, states: vec![&state.name] }),
            }
        }
        let rows = written(&rows, states.len());
        match groups.iter_mut().find(|(_, known)| *known == rows) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], rows)),
        }
    }
    let mut text = format!(
        "States: {}.\n\n| line or event | effects | states |\n| --- | --- | --- |\n",
        names.join("; ")
    );
    for (names, rows) in groups {
        let _ = write!(text, "| {} {rows}", names.join("<br>"));
    }
    text
}

/// Returns the effects of a step in a state, or `None` if it is impossible. Then ends the conversation.
fn replies(grammar: &'static Grammar, state: &[&str], step: &str) -> Option<String> {
    let opened = Protocol::ALL.map(self::grammar).into_iter().find(|other| other.opening == step);
    let (mut world, effects) = match opened.filter(|other| other.protocol != grammar.protocol) {
        None => {
            let mut world = enter(World::new(grammar, state.first() == Some(&"@book")), state);
            world.step("@wait 70");
            let effects = world.step(step)?;
            (world, effects)
        }
        Some(other) => {
            let mut world = World::free(grammar, false);
            world.step(grammar.opening);
            enter(world, state).change(other)
        }
    };
    let replies = shown(&effects, world.now);
    world.finish();
    Some(replies)
}

/// Returns the rows of a line, without the line.
fn written(rows: &[Row<'_>], states: usize) -> String {
    let all: usize = rows.iter().map(|row| row.states.len()).sum();
    let most = rows.iter().map(|row| row.states.len()).max().unwrap_or_default();
    let mut text = String::new();
    for row in rows {
        let place = if row.states.len() == all && all == states {
            "all".to_owned()
        } else if row.states.len() == most && most > 4 && !text.contains("the other") {
            format!("the other {most}")
        } else {
            row.states.join("; ")
        };
        let name = if text.is_empty() { "" } else { "| " };
        let _ = writeln!(text, "{name}| {} | {place} |", row.replies);
    }
    text
}

/// Returns effects as the table shows them.
pub fn shown(effects: &[Effect], now: Timestamp) -> String {
    let millis = |at: Option<Timestamp>| at.map_or(0, |at| at.since(now).as_millis());
    let texts = effects.iter().map(|effect| match effect {
        Effect::Send(line) => code(line),
        Effect::Start(request, budget) => {
            let root = fen::write(&request.root, 'd');
            let Limits { depth, exact_from, confidence, nodes, .. } = request.limits;
            let mut text = format!(
                "search `{}`, {:?}, depth {}",
                root.trim_end_matches(" - - 0 1"),
                request.goal,
                depth.plies()
            );
            let _ = write!(text, ", exact from {exact_from}, {confidence}");
            if let Some(nodes) = nodes {
                let _ = write!(text, ", {nodes} nodes");
            }
            if budget.soft.or(budget.hard).is_some() {
                let _ = write!(text, ", {} to {} ms", millis(budget.soft), millis(budget.hard));
            }
            text
        }
        Effect::SetDeadlines(_, budget) => {
            format!("deadlines {} to {} ms", millis(budget.soft), millis(budget.hard))
        }
        Effect::Stop(_) => "stop".to_owned(),
        Effect::Resize(size) => format!("resize to {}", size.0),
        Effect::Threads(threads) => format!("threads {threads}"),
        Effect::Clear => "clear".to_owned(),
        Effect::AddBounds(seed) => {
            let best = seed.best.map(|best| best.to_string()).unwrap_or_default();
            format!(
                "store {}..{} at {}, {} {best}",
                seed.lower,
                seed.upper,
                seed.depth.plies(),
                seed.confidence
            )
        }
        Effect::OpenBook(path) => format!("open {path}"),
        Effect::Learn(book, game) => format!("learn {} plies in {}", game.plies(), book.path),
        Effect::Quit => "quit".to_owned(),
        _ => format!("{effect:?}"),
    });
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}

/// Returns a line as code, with long words cut.
fn code(line: &str) -> String {
    if line.is_empty() {
        return "(an empty line)".to_owned();
    }
    let short = |word: &str| match word.char_indices().nth(40) {
        Some(_) => format!("{}…", word.chars().take(16).collect::<String>()),
        None => word.to_owned(),
    };
    let words: Vec<String> = line.split(' ').map(short).collect();
    let (open, close) = if line.contains('`') { ("`` ", " ``") } else { ("`", "`") };
    format!("{open}{}{close}", words.join(" ").replace('|', "\\|"))
}
