//! Sessions with a scripted search.
//!
//! Events of the search (`* …`) belong to the search that was started last, or to search number n (`* #n …`):
//!
//! ```text
//! * report 12@73% 35805 | f5d6c3 +1.20 heuristic | d3c3 >=-0.40 selective
//! * partial 13@73% 50000 | f5d6 +1.30 heuristic | d3c3 -0.40 heuristic@12
//! * progress 60000
//! * done 70000
//! * hash 512
//! * threads 3
//! * failed the roof fell in
//! * long set game (;GM
//! ```
//!
//! Effects of the session (`= …`), in order with its lines:
//!
//! ```text
//! = start #1 best depth 6 solve 14 @100%
//! = start #2 hints 4 depth 20 solve 24 @73% soft 3.100 hard 12.000
//! = start #3 value -13.00 -12.00 depth 60 solve 64 @100%
//! = budget #1 soft 1.000 hard 2.000
//! = stop #1
//! = resize 64
//! = threads 2
//! = clear
//! = seed -2.00 +64.00 depth 22 @100% h8
//! = quit
//! ```

use outflank::board::Move;
use outflank::notation::moves;
use outflank::score::{Bound, Confidence, Score};
use outflank::search::{Depth, Goal, HashSize, Line, Proof, Report, SearchId};
use outflank::session::{Deadlines, Effect, Event, Session, Timestamp};

use crate::transcript::{Action, Transcript};

/// Plays a scripted transcript to `session`. Every effect must be in the transcript, in order.
pub fn play(transcript: &Transcript, session: &mut impl Session) -> Result<(), String> {
    let mut now = Timestamp::default();
    let mut latest = SearchId(0);
    let mut effects: Vec<Effect> = Vec::new();
    let mut steps = transcript.steps.iter().peekable();
    while let Some(step) = steps.next() {
        let problem = |text: String| transcript.mismatch(step.line, text);
        match &step.action {
            Action::Send(line) => session.handle(now, &Event::Line(line.clone()), &mut effects),
            Action::Wait(time) => now = now + *time,
            Action::SearchEvent(text) => {
                let event = search_event(text, latest).map_err(problem)?;
                session.handle(now, &event, &mut effects);
            }
            Action::Expect(_) | Action::Effect(_) | Action::Allow(_) => {
                return Err(problem("this follows neither a line nor an event".to_owned()));
            }
        }
        for effect in effects.drain(..) {
            if let Effect::Start(request, _) = &effect {
                latest = request.id;
            }
            let text = describe(&effect);
            let line = steps.peek().map_or(step.line, |step| step.line);
            let expected = steps.next_if(|step| matches!(step.action, Action::Expect(_) | Action::Effect(_)));
            let fits = match (expected.map(|step| &step.action), &effect) {
                (Some(Action::Expect(pattern)), Effect::Send(sent)) => pattern.matches(sent),
                (Some(Action::Effect(_)), Effect::Send(_)) => false,
                (Some(Action::Effect(pattern)), _) => pattern.matches(&text),
                _ => false,
            };
            if !fits {
                return Err(transcript.mismatch(line, format!("got `{text}`")));
            }
        }
        if let Some(missing) =
            steps.next_if(|step| matches!(step.action, Action::Expect(_) | Action::Effect(_)))
        {
            return Err(transcript.mismatch(missing.line, "got nothing"));
        }
    }
    Ok(())
}

/// Reads an event of the search.
fn search_event(text: &str, latest: SearchId) -> Result<Event, String> {
    let (id, text) = match text.strip_prefix('#').and_then(|text| text.split_once(' ')) {
        Some((number, text)) => (SearchId(number.parse().map_err(|_| "the search number is missing")?), text),
        None => (latest, text),
    };
    let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
    let nodes = || rest.parse().map_err(|_| format!("`{rest}` is not a number of nodes"));
    Ok(match kind {
        "progress" => Event::Progress { id, nodes: nodes()? },
        "done" => Event::Done { id, nodes: nodes()? },
        "hash" => Event::HashReduced(HashSize(rest.parse().map_err(|_| "no size")?)),
        "failed" => Event::Failed { id, message: rest.to_owned() },
        "threads" => Event::ThreadsReduced(rest.parse().map_err(|_| "no number of threads")?),
        "long" => Event::LineTooLong(rest.to_owned()),
        "eof" => Event::Eof,
        "report" | "partial" => {
            let mut fields = rest.split('|').map(str::trim);
            let head = fields.next().unwrap_or_default();
            let (round, nodes) = head.split_once(' ').ok_or("no nodes")?;
            let (depth, confidence) = depth_of(round)?;
            let nodes = nodes.trim().parse().map_err(|_| "no number of nodes")?;
            let lines = fields.map(|field| line_of(field, depth, confidence)).collect::<Result<_, _>>()?;
            Event::Report(Report::new(id, (depth, confidence), lines, nodes, kind == "report"))
        }
        _ => return Err(format!("`{kind}` is not an event")),
    })
}

/// `12` or `12@73%`.
fn depth_of(text: &str) -> Result<(Depth, Confidence), String> {
    let (plies, percent) = text.split_once('@').unwrap_or((text, "100%"));
    let depth = plies.parse().map(Depth::new).map_err(|_| format!("`{plies}` is not a depth"))?;
    let percent: u8 = percent.trim_end_matches('%').parse().map_err(|_| "no confidence")?;
    Ok((depth, Confidence::at_least(percent)))
}

/// `f5d6c3 >=+1.20 heuristic@11`.
fn line_of(text: &str, depth: Depth, confidence: Confidence) -> Result<Line, String> {
    let mut words = text.split_whitespace();
    let mut next =
        || words.next().ok_or_else(|| format!("`{text}` is not a line with moves, score and proof"));
    let squares = next()?;
    let list: Result<Vec<Move>, _> = (0..squares.len() / 2)
        .map(|n| moves::read(squares.get(2 * n..2 * n + 2).unwrap_or_default()).map_err(|e| e.to_string()))
        .collect();
    let score = next()?;
    let (bound, score) = match (score.strip_prefix(">="), score.strip_prefix("<=")) {
        (Some(score), _) => (Bound::Lower, score),
        (_, Some(score)) => (Bound::Upper, score),
        _ => (Bound::Exact, score),
    };
    let score: f64 = score.parse().map_err(|_| format!("`{score}` is not a score"))?;
    let (proof, own) = match next()?.split_once('@') {
        Some((proof, own)) => (proof.to_owned(), Depth::new(own.parse().map_err(|_| "no depth of a line")?)),
        None => (text.split_whitespace().nth(2).unwrap_or_default().to_owned(), depth),
    };
    let proof = match proof.as_str() {
        "heuristic" => Proof::Heuristic(confidence),
        "selective" => Proof::Selective(confidence),
        "outcome" => Proof::Outcome,
        "exact" => Proof::Exact,
        other => return Err(format!("`{other}` is not a proof")),
    };
    Ok(Line { moves: list?, score: Score::from_discs(score).ok_or("no score")?, bound, proof, depth: own })
}

fn describe(effect: &Effect) -> String {
    match effect {
        Effect::Send(line) => format!("< {line}"),
        Effect::Start(request, budget) => {
            let goal = match request.goal {
                Goal::BestMove => "best".to_owned(),
                Goal::Hints(count) => format!("hints {count}"),
                Goal::Value(window) => format!("value {} {}", window.alpha(), window.beta()),
                Goal::Outcome => "outcome".to_owned(),
            };
            let limits = request.limits;
            let nodes = limits.nodes.map(|nodes| format!(" nodes {nodes}")).unwrap_or_default();
            format!(
                "start #{} {goal} depth {} solve {} @{}{nodes}{}",
                request.id.0,
                limits.depth.plies(),
                limits.exact_from,
                limits.confidence,
                deadlines(budget)
            )
        }
        Effect::SetDeadlines(id, budget) => format!("budget #{}{}", id.0, deadlines(budget)),
        Effect::Stop(id) => format!("stop #{}", id.0),
        Effect::Resize(hash) => format!("resize {}", hash.0),
        Effect::Threads(threads) => format!("threads {threads}"),
        Effect::Clear => "clear".to_owned(),
        Effect::AddBounds(seed) => {
            let best = seed.best.map(|square| format!(" {square}")).unwrap_or_default();
            format!(
                "seed {} {} depth {} @{}{best}",
                seed.lower,
                seed.upper,
                seed.depth.plies(),
                seed.confidence
            )
        }
        Effect::OpenBook(path) => format!("open book {path}"),
        Effect::Learn(open, _) => format!("learn {}", open.path),
        Effect::Quit => "quit".to_owned(),
        other => format!("{other:?}"),
    }
}

fn deadlines(budget: &Deadlines) -> String {
    let mut text = String::new();
    for (name, deadline) in [("soft", budget.soft), ("hard", budget.hard)] {
        if let Some(Timestamp(time)) = deadline {
            text.push_str(&format!(" {name} {:.3}", time.as_secs_f64()));
        }
    }
    text
}
