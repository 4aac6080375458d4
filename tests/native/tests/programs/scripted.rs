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
//! Effects of the session (`= …`), in order with its lines, are written as in `tests/properties/sessions.md`.

use outflank::board::Move;
use outflank::notation::moves;
use outflank::score::{Bound, Confidence, Score};
use outflank::search::{Depth, HashSize, Line, Proof, Report, SearchId};
use outflank::session::{Conversation, Effect, Event, Session, SessionConfig, Timestamp};
use outflank_properties::sessions::shown;

use outflank_tests::corpus;
use outflank_tests::transcript::{Action, Transcript};

#[test]
fn every_scripted_transcript() {
    for &(protocol, name, text) in corpus::SCRIPTED {
        let transcript = Transcript::parse(name, text).unwrap_or_else(|error| panic!("scripted/{error}"));
        let config = SessionConfig::default();
        let mut session = match protocol.parse() {
            Ok(protocol) => Conversation::in_protocol(protocol, config),
            Err(_) => Conversation::new(config),
        };
        play(&transcript, &mut session).unwrap_or_else(|error| panic!("scripted/{error}"));
    }
}

/// Plays a scripted transcript to `session`. Every effect must be in the transcript, in order.
fn play(transcript: &Transcript, session: &mut impl Session) -> Result<(), String> {
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
            let text = shown(std::slice::from_ref(&effect), now);
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
