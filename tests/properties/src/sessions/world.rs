//! The driver of a conversation. It plays the searches and checks the invariants.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use outflank::board::{Move, Position, Status};
use outflank::book::Book;
use outflank::score::{Bound, Confidence, Score};
use outflank::search::{Depth, Goal, HashSize, Limits, Line, Proof, Report, SearchId, SearchRequest};
use outflank::session::{
    BookError, Conversation, Effect, Event, OpenBook, Protocol, Session, SessionConfig, Timestamp,
};

use super::grammar::Grammar;
use super::invariants::{awaits_end, rejects, sent, written};
use crate::draw::Draw;

const MAX_REPLY_BYTES: usize = 4_000;

/// A session and its driver. Prints the conversation if a check panics.
pub(super) struct World {
    session: Conversation,
    grammar: &'static Grammar,
    /// `None` if any line may change it.
    protocol: Option<Protocol>,
    pub(super) now: Timestamp,
    /// The search whose end the session waits for.
    running: Option<Running>,
    /// The reply to the last move of the engine.
    expected: Option<Move>,
    /// Stopped searches whose events must be ignored.
    abandoned: Vec<SearchId>,
    last: SearchId,
    /// Number of fixed reports so far.
    reports: u32,
    has_quit: bool,
    steps: Vec<String>,
}

/// A current search.
#[derive(Clone, Debug)]
struct Running {
    request: SearchRequest,
    last: Option<Report>,
    nodes: u64,
}

impl World {
    /// Starts a conversation in the protocol of `grammar`.
    pub(super) fn new(grammar: &'static Grammar, has_book: bool) -> World {
        let mut world = World::free(grammar, has_book);
        world.session = Conversation::in_protocol(grammar.protocol, config(has_book));
        world.protocol = Some(grammar.protocol);
        world
    }

    /// Starts a conversation whose lines select the protocol.
    pub(super) fn free(grammar: &'static Grammar, has_book: bool) -> World {
        World {
            session: Conversation::new(config(has_book)),
            grammar,
            protocol: None,
            now: Timestamp(Duration::from_secs(1)),
            running: None,
            expected: None,
            abandoned: Vec::new(),
            last: SearchId(0),
            reports: 0,
            has_quit: false,
            steps: Vec::new(),
        }
    }

    /// Takes one step of a script. Returns the effects, or `None` if the step is impossible: an event of a search that does
    /// not exist.
    pub(super) fn step(&mut self, step: &str) -> Option<Vec<Effect>> {
        if self.has_quit {
            return None;
        }
        self.steps.push(step.to_owned());
        let Some(event) = step.strip_prefix('@') else {
            let line = self.fill(step);
            return Some(self.happen(&Event::Line(line)));
        };
        let (name, rest) = event.split_once(' ').unwrap_or((event, ""));
        let event = match name {
            "report" if !rest.is_empty() => {
                let mut draw = Draw::new(rest.as_bytes());
                let running = self.running.as_mut()?;
                running.nodes += draw.below(10_000) as u64;
                Event::Report(drawn_report(&running.request, running.nodes, &mut draw))
            }
            "report" | "partial" | "solved" | "bound" | "draw" => {
                let running = self.running.as_mut()?;
                self.reports += 1;
                running.nodes += 100;
                Event::Report(fixed_report(&running.request, running.nodes, self.reports, name))
            }
            "progress" => {
                let running = self.running.as_mut()?;
                running.nodes += 50;
                Event::Progress { id: running.request.id, nodes: running.nodes }
            }
            "done" => {
                let running = self.running.as_ref()?;
                Event::Done { id: running.request.id, nodes: running.nodes }
            }
            "failed" => {
                Event::Failed { id: self.running.as_ref()?.request.id, message: format!("it broke{rest}") }
            }
            "stale" => {
                self.stale(&mut Draw::new(rest.as_bytes()));
                return Some(Vec::new());
            }
            "wait" => {
                self.now = self.now + Duration::from_millis(rest.parse().unwrap_or(10));
                return Some(Vec::new());
            }
            "back" => {
                let time = Duration::from_millis(rest.parse().unwrap_or(10));
                self.now = Timestamp(self.now.0.saturating_sub(time));
                return Some(Vec::new());
            }
            "hash" => Event::HashReduced(HashSize(rest.parse().unwrap_or(16).max(1))),
            "threads" => Event::ThreadsReduced(rest.parse().unwrap_or(3).clamp(1, 4)),
            "book" => Event::Book(Ok(open_book("small"))),
            "nobook" => Event::Book(Err(BookError("no such file".to_owned()))),
            "long" => Event::LineTooLong(if rest.is_empty() { self.grammar.long } else { rest }.to_owned()),
            "eof" => Event::Eof,
            _ => return Some(Vec::new()),
        };
        Some(self.happen(&event))
    }

    /// Returns `line` with a legal move, or the expected one, instead of `{move}`, `{reply}`.
    fn fill(&self, line: &str) -> String {
        // A line of the native program cannot contain a line end.
        let line: String = line.chars().filter(|c| *c != '\n').collect();
        if !line.contains('{') {
            return line;
        }
        let position = self.session.position().unwrap_or_default();
        let moves: Vec<Move> = position.legal_moves().collect();
        let some = moves.get(self.steps.len() % moves.len().max(1)).copied().unwrap_or(Move::Pass);
        let expected = self.expected.filter(|&mv| position.play(mv).is_ok()).unwrap_or(some);
        line.replace("{move}", &written(self.protocol, some))
            .replace("{reply}", &written(self.protocol, expected))
    }

    /// Sends an event of a search that is abandoned or does not exist. It must not have any effect.
    fn stale(&mut self, draw: &mut Draw<'_>) {
        let known = self.abandoned.len();
        let id = match self.abandoned.get(draw.below(known + 1)) {
            Some(&id) => id,
            None => SearchId(self.last.0 + 1 + draw.below(2) as u64),
        };
        let request = SearchRequest { id, root: draw.position(), goal: Goal::BestMove, limits: Limits::NONE };
        let event = match draw.below(4) {
            0 => Event::Report(drawn_report(&request, 7, draw)),
            1 => Event::Progress { id, nodes: 7 },
            2 => Event::Done { id, nodes: 7 },
            _ => Event::Failed { id, message: "stale".to_owned() },
        };
        let before = self.state();
        let mut effects = Vec::new();
        self.session.handle(self.now, &event, &mut effects);
        assert_eq!(effects, [], "an abandoned search has effects: {event:?}");
        assert!(before == self.state(), "an abandoned search changes the session: {event:?}");
        if matches!(event, Event::Done { .. } | Event::Failed { .. }) {
            self.abandoned.retain(|&known| known != id);
        }
    }

    /// Ends all searches. Then checks that every request is answered and that the session still works: it answers a question,
    /// searches another position, and answers that search once.
    pub(super) fn finish(&mut self) {
        for word in ["@stale a", "@stale b", "@stale c"] {
            self.step(word);
        }
        let mut searches = 0;
        while self.running.is_some() && !self.has_quit {
            self.step("@report");
            self.step("@done");
            searches += 1;
            assert!(searches < 200, "one search follows another without end");
        }
        if self.has_quit || self.protocol.is_none() {
            return;
        }
        let [hush, question, answer, start, ask @ ..] = &self.grammar.finale[..] else {
            panic!("{}: an incomplete finale", self.grammar.protocol);
        };
        self.step(hush);
        let answers = self.step(question).unwrap_or_default();
        assert_eq!(sent(&answers).filter(|line| line == answer).count(), 1, "{answers:?}");
        let mut effects: Vec<Effect> = ask.iter().filter_map(|line| self.step(line)).flatten().collect();
        let found = |effects: &[Effect]| sent(effects).filter(|line| line.starts_with(start)).count();
        if found(&effects) == 0 {
            let root = self.running.as_ref().map(|running| running.request.root);
            assert_eq!(root, Some(Position::START), "neither searched nor answered: {effects:?}");
            effects = self.step("@done").unwrap_or_default();
        }
        assert_eq!(found(&effects), 1, "asked once: {effects:?}");
        let end = self.step("@eof").unwrap_or_default();
        assert_eq!(end.last(), Some(&Effect::Quit), "the session ignores the end of the input");
    }

    /// Continues in another protocol. The current search must be stopped. Returns the effects as well.
    pub(super) fn change(mut self, grammar: &'static Grammar) -> (World, Vec<Effect>) {
        let running = self.running.take().map(|running| running.request.id);
        let mut effects = Vec::new();
        self.session.handle(self.now, &Event::Line(grammar.opening.to_owned()), &mut effects);
        let stopped =
            matches!(effects.first(), Some(Effect::Stop(id)) if running.is_none_or(|running| running == *id));
        assert!(running.is_none() || stopped, "the search continues: {effects:?}");
        let mut world = World::new(grammar, false);
        world.steps = std::mem::take(&mut self.steps);
        world.steps.push(grammar.opening.to_owned());
        std::mem::swap(&mut world.session, &mut self.session);
        (world.now, world.last) = (self.now, self.last);
        world.abandoned = self.abandoned.drain(..).chain(running).collect();
        (world, effects)
    }

    /// Passes an event to the session and carries out its effects. Returns them, with those of the events that follow.
    fn happen(&mut self, event: &Event) -> Vec<Effect> {
        self.now = self.now + Duration::from_millis(1);
        let before = matches!(event, Event::Line(_)).then(|| self.state());
        let mut effects = Vec::new();
        self.session.handle(self.now, event, &mut effects);
        for line in sent(&effects) {
            assert!(line.len() <= MAX_REPLY_BYTES, "{} bytes: {line}", line.len());
            assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line:?}");
        }
        if let ([Effect::Send(reply)], Some(before)) = (effects.as_slice(), before)
            && self.protocol.is_some_and(|protocol| rejects(protocol, reply))
        {
            assert!(before == self.state(), "a rejected line changes the session: {event:?}");
        }
        if let (Some(running), Event::Report(report)) = (&mut self.running, event) {
            running.last = Some(report.clone());
        }
        if matches!(event, Event::Done { .. } | Event::Failed { .. }) {
            let ended = self.running.take();
            if sent(&effects).any(|line| line.starts_with("move ")) {
                self.expected = ended.and_then(|ended| ended.last?.best()?.moves.get(1).copied());
            }
            // A search while the opponent thinks, or to analyze, has no answer.
            let needs_answer = self.protocol.is_some_and(|protocol| protocol != Protocol::XBoard);
            let is_answered =
                effects.iter().any(|effect| matches!(effect, Effect::Send(_) | Effect::Start(..)));
            assert!(is_answered || !needs_answer, "no answer: {event:?}");
        }
        for answer in self.carry_out(event, &effects) {
            effects.extend(self.happen(&answer));
        }
        effects
    }

    /// Carries out effects as a driver does. Returns the events that follow.
    fn carry_out(&mut self, event: &Event, effects: &[Effect]) -> Vec<Event> {
        let line = match event {
            Event::Line(line) => line.as_str(),
            _ => "",
        };
        let mut answers = Vec::new();
        for effect in effects {
            assert!(!self.has_quit, "an effect after the end: {effect:?}");
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
                        assert!(soft <= hard, "{budget:?}");
                    }
                    self.last = request.id;
                    let running = Running { request: request.clone(), last: None, nodes: 0 };
                    let old = self.running.replace(running);
                    self.abandoned.extend(old.map(|old| old.request.id));
                }
                Effect::SetDeadlines(id, _) => {
                    let running = self.running.as_ref().map(|running| running.request.id);
                    assert_eq!(running, Some(*id), "a deadline for a search that is not current");
                }
                Effect::Stop(id) => {
                    let running = self.running.as_ref().map(|running| running.request.id);
                    let is_current = running == Some(*id);
                    assert!(is_current || self.protocol.is_none(), "{effect:?}: not the current search");
                    if is_current && !awaits_end(self.protocol, line) {
                        self.running = None;
                        self.abandoned.push(*id);
                    }
                }
                Effect::Resize(size) => assert!(size.0 > 0),
                Effect::Threads(threads) => assert!((1..=4).contains(threads), "{threads} threads of 4"),
                Effect::OpenBook(path) => answers.push(Event::Book(match path.len() % 2 {
                    0 => Ok(open_book(path)),
                    _ => Err(BookError(format!("{path}: no such file"))),
                })),
                Effect::Learn(book, game) => {
                    assert!(game.is_over(), "an unfinished game is learned");
                    answers.push(Event::BookSaved(match game.plies() % 2 {
                        0 => Ok(book.clone()),
                        _ => Err(BookError("read only".to_owned())),
                    }));
                }
                Effect::Quit => self.has_quit = true,
                _ => panic!("{effect:?}"),
            }
        }
        answers
    }

    /// Returns the state of the session, to compare.
    fn state(&self) -> String {
        format!("{:?}", self.session)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() && !self.steps.is_empty() {
            eprintln!("{}:\n{}", self.grammar.protocol, self.steps.join("\n"));
        }
    }
}

fn config(has_book: bool) -> SessionConfig {
    let book = has_book.then(|| open_book("small"));
    SessionConfig { version: "VERSION", max_threads: 4, book, ..SessionConfig::default() }
}

/// Returns a small book.
fn open_book(path: &str) -> OpenBook {
    static BOOK: OnceLock<Arc<Book>> = OnceLock::new();
    const LINES: &str = "f5d6c3d3c4 +0.50\nf5f6e6f4 -4\nf5d6c4 +0\nf5d6c6 -1.25\n";
    let book = BOOK.get_or_init(|| Arc::new(Book::read(LINES).unwrap_or_default()));
    OpenBook { path: path.to_owned(), book: Arc::clone(book) }
}

/// Returns a report with lines of up to four moves. Each number has other scores, so that a test can tell reports apart.
fn fixed_report(request: &SearchRequest, nodes: u64, number: u32, kind: &str) -> Report {
    let depth = Depth::new(1 + number % 59);
    let (proof, bound) = match kind {
        "solved" | "draw" => (Proof::Exact, Bound::Exact),
        "bound" => (Proof::Exact, Bound::Lower),
        _ => (Proof::Heuristic(Confidence::EXACT), Bound::Exact),
    };
    let most = if let Goal::Hints(count) = request.goal { count } else { 1 };
    let mut lines = Vec::new();
    for first in request.root.legal_moves().take(most) {
        let (mut here, mut moves, mut next) = (request.root, Vec::new(), Some(first));
        while let Some(mv) = next.filter(|_| moves.len() < 4)
            && let Ok(after) = here.play(mv)
        {
            moves.push(mv);
            here = after;
            next = here.legal_moves().next();
        }
        // The best line first, and a draw only if asked for.
        let rank = lines.len() as i32;
        let score = if kind == "draw" { -200 * rank } else { 6001 - 64 * (number % 180) as i32 - rank };
        let score = Score::from_centidiscs(score);
        let depth = if kind == "partial" && rank > 0 { Depth::new(number % 59) } else { depth };
        lines.push(Line { moves, score, bound, proof, depth });
    }
    Report::new(request.id, (depth, Confidence::EXACT), lines, nodes, kind != "partial")
}

/// Returns a report with any legal lines, depths and values.
fn drawn_report(request: &SearchRequest, nodes: u64, draw: &mut Draw<'_>) -> Report {
    let most = match request.goal {
        Goal::Hints(count) => count.min(5),
        Goal::BestMove => 2,
        _ => 1,
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
