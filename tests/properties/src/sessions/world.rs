//! The world around a session: it plays the driver, whose searches tell what the input says.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use outflank::board::Status;
use outflank::book::Book;
use outflank::score::{Bound, Confidence, Score};
use outflank::search::{Depth, Goal, Line, Proof, Report, SearchId, SearchRequest};
use outflank::session::{Conversation, Effect, Event, OpenBook, Session, Timestamp};

use super::rules::{Rules, What, said};
use crate::draw::Draw;

/// A session and all that was asked of its driver.
pub(super) struct World {
    session: Conversation,
    rules: Box<dyn Rules>,
    now: Timestamp,
    /// The search that is waited for.
    running: Option<Running>,
    /// Searches that have to end, and that nobody waits for.
    forgotten: Vec<SearchId>,
    last: SearchId,
    /// Whether the session is compared with what it was before a line that it refused.
    is_watched: bool,
    is_over: bool,
}

/// A search under way.
#[derive(Clone, Debug)]
pub(super) struct Running {
    /// What it was asked.
    pub(super) request: SearchRequest,
    /// The line that started it; empty where it was no line.
    pub(super) line: String,
    /// Its nodes so far.
    nodes: u64,
}

/// The longest line that anything may say.
const LONGEST_LINE: usize = 4_000;

impl World {
    pub(super) fn new(session: Conversation, rules: Box<dyn Rules>, is_watched: bool) -> World {
        World {
            session,
            rules,
            now: Timestamp(Duration::from_secs(1)),
            running: None,
            forgotten: Vec::new(),
            last: SearchId(0),
            is_watched,
            is_over: false,
        }
    }

    /// Whether the session has asked to leave.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn line(&mut self, line: &str) {
        // No line of a program holds another one.
        let line: String = line.chars().filter(|c| *c != '\n').collect();
        self.happen(&Event::Line(line));
    }

    pub(super) fn wait(&mut self, time: Duration) {
        self.now = self.now + time;
    }

    /// The search that is waited for tells something.
    pub(super) fn report(&mut self, draw: &mut Draw<'_>) {
        if let Some(running) = &mut self.running {
            running.nodes += draw.below(10_000) as u64;
            let report = report(&running.request, running.nodes, draw);
            self.happen(&Event::Report(report));
        }
    }

    pub(super) fn progress(&mut self) {
        if let Some(running) = &self.running {
            let event = Event::Progress { id: running.request.id, nodes: running.nodes };
            self.happen(&event);
        }
    }

    pub(super) fn done(&mut self) {
        if let Some(running) = &self.running {
            let event = Event::Done { id: running.request.id, nodes: running.nodes };
            self.happen(&event);
        }
    }

    pub(super) fn failed(&mut self, message: &str) {
        if let Some(running) = &self.running {
            let event = Event::Failed { id: running.request.id, message: message.to_owned() };
            self.happen(&event);
        }
    }

    /// A search that nobody waits for tells something, or one that never was.
    pub(super) fn stale(&mut self, draw: &mut Draw<'_>) {
        let known = self.forgotten.len();
        let id = match self.forgotten.get(draw.below(known + 1)) {
            Some(&id) => id,
            None => SearchId(self.last.0 + 1 + draw.below(2) as u64),
        };
        let request = SearchRequest {
            id,
            root: draw.position(),
            goal: Goal::BestMove,
            limits: outflank::search::Limits::NONE,
        };
        let event = match draw.below(4) {
            0 => Event::Report(report(&request, 7, draw)),
            1 => Event::Progress { id, nodes: 7 },
            2 => Event::Done { id, nodes: 7 },
            _ => Event::Failed { id, message: "stale".to_owned() },
        };
        let before = self.look();
        let mut effects = Vec::new();
        self.session.handle(self.now, &event, &mut effects);
        assert_eq!(effects, [], "of a search that nobody waits for: {event:?}");
        assert!(before == self.look(), "changed by a search that nobody waits for: {event:?}");
        if matches!(event, Event::Done { .. } | Event::Failed { .. }) {
            self.forgotten.retain(|&known| known != id);
        }
    }

    /// Something that is no search's.
    pub(super) fn other(&mut self, event: &Event) {
        self.happen(event);
    }

    /// Sees that the session is usable, whatever came before: it answers a question, searches another position and tells
    /// what it found, once.
    pub(super) fn finish(&mut self) {
        if self.is_over {
            return;
        }
        let Some(finale) = self.rules.finale() else { return };
        // Lines that waited for the end of a search may start others.
        self.line(finale.hush);
        self.done();
        while self.running.is_some() {
            self.done();
        }
        let answers = self.happen(&Event::Line(finale.question.to_owned()));
        assert_eq!(said(&answers).filter(|line| *line == finale.answer).count(), 1, "{answers:?}");
        let mut effects = Vec::new();
        for line in finale.ask {
            effects.extend(self.happen(&Event::Line((*line).to_owned())));
        }
        let found = |effects: &[Effect]| said(effects).filter(|line| line.starts_with(finale.found)).count();
        if found(&effects) == 0 {
            let running =
                self.running.clone().unwrap_or_else(|| panic!("neither searched nor answered: {effects:?}"));
            assert_eq!(
                running.request.root,
                outflank::board::Position::START,
                "another position is searched"
            );
            effects = self.happen(&Event::Done { id: running.request.id, nodes: 1 });
        }
        assert_eq!(found(&effects), 1, "asked once: {effects:?}");
        let end = self.happen(&Event::Eof);
        assert_eq!(end.last(), Some(&Effect::Quit), "goes on after the end of its input");
    }

    /// Tells the session what happened and does what it asks; all that it asked.
    fn happen(&mut self, event: &Event) -> Vec<Effect> {
        self.now = self.now + Duration::from_millis(1);
        let before = matches!(event, Event::Line(_)).then(|| self.look());
        let mut effects = Vec::new();
        self.session.handle(self.now, event, &mut effects);
        for line in said(&effects) {
            assert!(line.len() <= LONGEST_LINE, "{} bytes: {line}", line.len());
            assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line:?}");
        }
        let refused = said(&effects).any(|line| self.rules.refuses(line));
        if refused
            && effects.iter().all(|effect| matches!(effect, Effect::Send(_)))
            && said(&effects).count() == 1
            && let Some(before) = before
        {
            assert!(before == self.look(), "refused, and changed nevertheless: {event:?}");
        }
        let ended = self.ended(event);
        let answers = self.carry_out(event, &effects);
        let what = match (event, &ended) {
            (Event::Line(line), _) => What::Line(line),
            (Event::Report(_) | Event::Progress { .. }, _) => What::Told,
            (_, Some(ended)) => What::Ended(ended),
            _ => What::Other(event),
        };
        self.rules.check(what, self.running.as_ref(), &effects);
        for answer in answers {
            effects.extend(self.happen(&answer));
        }
        effects
    }

    /// The search that is waited for, where the event is its end.
    fn ended(&mut self, event: &Event) -> Option<Running> {
        match event {
            Event::Done { .. } | Event::Failed { .. } => self.running.take(),
            _ => None,
        }
    }

    /// Does what a driver would do; what happens by that.
    fn carry_out(&mut self, event: &Event, effects: &[Effect]) -> Vec<Event> {
        let line = match event {
            Event::Line(line) => line.clone(),
            _ => String::new(),
        };
        let mut answers = Vec::new();
        for effect in effects {
            assert!(!self.is_over, "after it has left: {effect:?}");
            match effect {
                Effect::Send(_) | Effect::Clear | Effect::AddBounds(_) => {}
                Effect::Start(request, budget) => {
                    assert!(request.id > self.last, "{request:?} after {:?}", self.last);
                    assert!(request.limits.depth.plies() > 0, "{request:?}");
                    assert!(!matches!(request.goal, Goal::Hints(0)), "{request:?}");
                    if !matches!(request.goal, Goal::Value(_)) {
                        assert_ne!(request.root.status(), Status::Over, "{request:?}");
                    }
                    if let (Some(soft), Some(hard)) = (budget.soft, budget.hard) {
                        assert!(self.now <= soft && soft <= hard, "{budget:?} at {:?}", self.now);
                    }
                    self.last = request.id;
                    let running = Running { request: request.clone(), line: line.clone(), nodes: 0 };
                    let old = self.running.replace(running);
                    self.forgotten.extend(old.map(|old| old.request.id));
                }
                Effect::SetDeadlines(id, _) => {
                    let running = self.running.as_ref().map(|running| running.request.id);
                    assert_eq!(running, Some(*id), "another time for a search that is not under way");
                }
                Effect::Stop(id) => {
                    assert!(*id <= self.last, "{id:?} was never started");
                    if !self.rules.wants_answer(&line) {
                        let old = self.running.take_if(|running| running.request.id == *id);
                        self.forgotten.extend(old.map(|old| old.request.id));
                    }
                }
                Effect::Resize(size) => assert!(size.0 > 0),
                Effect::Threads(threads) => assert!((1..=4).contains(threads), "{threads} threads of 4"),
                Effect::OpenBook(path) => answers.push(Event::Book(match path.len() % 2 {
                    0 => Ok(OpenBook { path: path.clone(), ..open_book() }),
                    _ => Err(format!("{path}: no such file")),
                })),
                Effect::Learn(book, game) => {
                    assert!(game.is_over(), "only finished games are learnt");
                    answers.push(Event::BookSaved(match game.plies() % 2 {
                        0 => Ok(book.clone()),
                        _ => Err("read only".to_owned()),
                    }));
                }
                Effect::Quit => self.is_over = true,
                _ => panic!("{effect:?}"),
            }
        }
        answers
    }

    /// The session as it is, to see whether it has changed.
    fn look(&self) -> String {
        if self.is_watched { format!("{:?}", self.session) } else { String::new() }
    }
}

/// A small book.
pub(super) fn open_book() -> OpenBook {
    static BOOK: OnceLock<Arc<Book>> = OnceLock::new();
    const LINES: &str = "f5d6c3d3c4 +0.50\nf5f6e6f4 -4\nf5d6c4 +0\nf5d6c6 -1.25\n";
    let book = BOOK.get_or_init(|| Arc::new(Book::read(LINES).unwrap_or_default()));
    OpenBook { path: "small".to_owned(), book: Arc::clone(book) }
}

/// What a search of this request may tell: legal lines of its position, of any depth.
fn report(request: &SearchRequest, nodes: u64, draw: &mut Draw<'_>) -> Report {
    let most = match request.goal {
        Goal::Hints(count) => count.min(5),
        Goal::BestMove => 2,
        Goal::Value(_) | Goal::Outcome => 1,
    };
    let mut lines: Vec<Line> = Vec::new();
    for _ in 0..draw.below(most + 1) {
        let length = 1 + draw.below(6);
        let moves = draw.line(&request.root, length);
        if moves.is_empty() || lines.iter().any(|line| line.first() == moves.first().copied()) {
            continue;
        }
        let confidence = draw.pick(&Confidence::LEVELS);
        let proof = draw.pick(&[
            Proof::Heuristic(confidence),
            Proof::Selective(confidence),
            Proof::Outcome,
            Proof::Exact,
        ]);
        let score = if draw.once_in(4) { Score::ZERO } else { draw.score() };
        let bound = draw.pick(&[Bound::Exact, Bound::Lower, Bound::Upper]);
        lines.push(Line { moves, score, bound, proof, depth: Depth::new(draw.below(61) as u32) });
    }
    let effort = (Depth::new(draw.below(61) as u32), draw.pick(&Confidence::LEVELS));
    Report::new(request.id, effort, lines, nodes, draw.any())
}
