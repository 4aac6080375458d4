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

use outflank::notation::moves;
use outflank::score::{Bound, Confidence, Score};
use outflank::search::{Depth, HashSize, Line, Proof, Report, SearchId};
use outflank::session::{Conversation, Effect, Event, Session, SessionConfig, Timestamp};
use outflank_properties::sessions::shown;
use outflank_tests::transcript::{Action, Transcript};

#[test]
fn every_scripted_transcript() {
    let transcripts = Transcript::all("scripted").unwrap();
    assert!(transcripts.len() > 8);
    for transcript in transcripts {
        let protocol = transcript.name.split('-').next().unwrap_or_default();
        let config = SessionConfig::default();
        let mut session = match protocol.parse() {
            Ok(protocol) => Conversation::in_protocol(protocol, config),
            Err(_) => Conversation::new(config),
        };
        play(&transcript, &mut session).unwrap();
    }
}

/// Plays a scripted transcript to `session`. Every effect must be in the transcript, in order.
fn play(transcript: &Transcript, session: &mut impl Session) -> Result<(), String> {
    let mut now = Timestamp::default();
    let mut latest = SearchId(0);
    let mut effects: Vec<Effect> = Vec::new();
    let mut steps = transcript.steps.iter();
    while let Some(step) = steps.next() {
        let problem = |text| transcript.mismatch(step.line, text);
        match &step.action {
            Action::Send(line) => session.handle(now, &Event::Line(line.clone()), &mut effects),
            Action::Wait(time) => now = now + *time,
            Action::SearchEvent(text) => {
                let event = search_event(text, latest).ok_or_else(|| problem("this is not an event"))?;
                session.handle(now, &event, &mut effects);
            }
            Action::Expect(_) | Action::Effect(_) | Action::Allow(_) => {
                return Err(problem("got nothing"));
            }
        }
        for effect in effects.drain(..) {
            if let Effect::Start(request, _) = &effect {
                latest = request.id;
            }
            let text = shown(std::slice::from_ref(&effect), now);
            let expected = steps.next().unwrap_or(step);
            let fits = match (&expected.action, &effect) {
                (Action::Expect(pattern), Effect::Send(sent)) => pattern.matches(sent),
                (Action::Effect(pattern), _) => pattern.matches(&text),
                _ => false,
            };
            if !fits {
                return Err(transcript.mismatch(expected.line, &format!("got `{text}`")));
            }
        }
    }
    Ok(())
}

/// Reads an event of the search.
fn search_event(text: &str, latest: SearchId) -> Option<Event> {
    let (id, text) = match text.strip_prefix('#').and_then(|text| text.split_once(' ')) {
        Some((number, text)) => (SearchId(number.parse().ok()?), text),
        None => (latest, text),
    };
    let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
    Some(match kind {
        "progress" => Event::Progress { id, nodes: rest.parse().ok()? },
        "done" => Event::Done { id, nodes: rest.parse().ok()? },
        "hash" => Event::HashReduced(HashSize(rest.parse().ok()?)),
        "failed" => Event::Failed { id, message: rest.to_owned() },
        "threads" => Event::ThreadsReduced(rest.parse().ok()?),
        "long" => Event::LineTooLong(rest.to_owned()),
        "eof" => Event::Eof,
        "report" | "partial" => {
            let mut fields = rest.split('|').map(str::trim);
            let (round, nodes) = fields.next()?.split_once(' ')?;
            let (plies, percent) = round.split_once('@').unwrap_or((round, "100%"));
            let depth = Depth::new(plies.parse().ok()?);
            let confidence = Confidence::at_least(percent.trim_end_matches('%').parse().ok()?);
            let lines = fields.map(|field| line_of(field, depth, confidence)).collect::<Option<_>>()?;
            Event::Report(Report::new(id, (depth, confidence), lines, nodes.parse().ok()?, kind == "report"))
        }
        _ => return None,
    })
}

/// Reads `f5d6c3 >=+1.20 heuristic@11`.
fn line_of(text: &str, depth: Depth, confidence: Confidence) -> Option<Line> {
    let mut words = text.split_whitespace();
    let (squares, value, proof) = (words.next()?, words.next()?, words.next()?);
    let mv = |bytes| moves::read(str::from_utf8(bytes).ok()?).ok();
    let moves = squares.as_bytes().chunks(2).map(mv).collect::<Option<_>>()?;
    let bound = match value.as_bytes() {
        [b'>', ..] => Bound::Lower,
        [b'<', ..] => Bound::Upper,
        _ => Bound::Exact,
    };
    let score = Score::from_discs(value.trim_start_matches(['<', '>', '=']).parse().ok()?)?;
    let (proof, depth) = match proof.split_once('@') {
        Some((proof, own)) => (proof, Depth::new(own.parse().ok()?)),
        None => (proof, depth),
    };
    let proof = match proof {
        "heuristic" => Proof::Heuristic(confidence),
        "selective" => Proof::Selective(confidence),
        "outcome" => Proof::Outcome,
        "exact" => Proof::Exact,
        _ => return None,
    };
    Some(Line { moves, score, bound, proof, depth })
}
