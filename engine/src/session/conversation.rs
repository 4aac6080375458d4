//! The session that selects the protocol by the lines it gets.

use super::dialect::beginning;
use super::{Effect, Event, Protocol, Session, SessionConfig, Timestamp};
use crate::board::Position;
use crate::search::SearchId;

/// A session in a fixed protocol, or in one selected by the first line.
///
/// If the protocol is not fixed, a line that can only open another protocol ([`Protocol::opened_by`]) changes it. Every line
/// sent consists of printable ASCII characters, since some clients accept nothing above U+00FF.
///
/// A [`Driver`](crate::driver::Driver) carries out its effects. Without one:
///
/// ```
/// use outflank::session::{Conversation, Effect, Event, Protocol, Session, SessionConfig, Timestamp};
///
/// let mut conversation = Conversation::new(SessionConfig::default());
/// let mut effects = Vec::new();
/// for line in ["nboard 2", "ping 1"] {
///     conversation.handle(Timestamp::default(), &Event::Line(line.to_owned()), &mut effects);
/// }
/// assert_eq!(conversation.protocol(), Some(Protocol::NBoard));
/// assert_eq!(effects.last(), Some(&Effect::Send("pong 1".to_owned())));
/// ```
#[derive(Debug)]
pub struct Conversation {
    config: SessionConfig,
    /// The current protocol and its session. `None` until a line selects one.
    current: Option<(Protocol, Box<dyn Session>)>,
    /// `true` if a line cannot change the protocol.
    is_fixed: bool,
    /// The id of the last search, in any protocol.
    last: SearchId,
}

impl Conversation {
    /// Returns a conversation whose first line selects the protocol.
    pub fn new(config: SessionConfig) -> Conversation {
        Conversation { config, current: None, is_fixed: false, last: SearchId(0) }
    }

    /// Returns a conversation in a fixed protocol.
    pub fn in_protocol(protocol: Protocol, config: SessionConfig) -> Conversation {
        let mut conversation = Conversation { is_fixed: true, ..Conversation::new(config) };
        conversation.select(protocol);
        conversation
    }

    /// Returns the current protocol. `None` until a line selects one.
    pub fn protocol(&self) -> Option<Protocol> {
        self.current.as_ref().map(|&(protocol, _)| protocol)
    }

    fn select(&mut self, protocol: Protocol) {
        self.current = Some((protocol, protocol.session(self.config.clone(), self.last)));
    }

    /// Selects the protocol that `line` opens, if any.
    fn select_by(&mut self, line: &str, effects: &mut Vec<Effect>) {
        let opened = match self.protocol() {
            _ if self.is_fixed => None,
            None => Protocol::of_first_line(line),
            Some(current) => Protocol::opened_by(line).filter(|&opened| opened != current),
        };
        if let Some(protocol) = opened {
            if self.last > SearchId(0) {
                // The search of the previous protocol.
                effects.push(Effect::Stop(self.last));
            }
            self.select(protocol);
        }
    }

    /// Records what the next session needs, and replaces characters that cannot be sent.
    fn record(&mut self, effects: &mut [Effect]) {
        for effect in effects {
            match effect {
                Effect::Start(request, _) => self.last = self.last.max(request.id),
                Effect::Resize(size) => self.config.hash = *size,
                Effect::Threads(threads) => self.config.threads = *threads,
                Effect::Send(line) if !line.chars().all(is_printable) => {
                    *line = line.chars().map(|c| if is_printable(c) { c } else { '?' }).collect();
                }
                _ => {}
            }
        }
    }
}

impl Session for Conversation {
    fn handle(&mut self, now: Timestamp, event: &Event, effects: &mut Vec<Effect>) {
        let before = effects.len();
        match event {
            Event::Line(line) => self.select_by(line, effects),
            Event::HashReduced(size) => self.config.hash = *size,
            Event::ThreadsReduced(threads) => self.config.threads = *threads,
            Event::Book(Ok(book)) | Event::BookSaved(Ok(book)) => self.config.book = Some(book.clone()),
            _ => {}
        }
        let error = |problem, line| Effect::Send(format!("Error ({problem}): {}", beginning(line)));
        match (&mut self.current, event) {
            (Some((_, session)), _) => session.handle(now, event, effects),
            (None, Event::Line(line)) if line.trim().is_empty() => {}
            (None, Event::Line(line)) => effects.push(error("no protocol begins like this", line)),
            (None, Event::LineTooLong(line)) => effects.push(error("the line is too long", line)),
            (None, Event::Eof) => effects.push(Effect::Quit),
            (None, _) => {}
        }
        self.record(&mut effects[before..]);
    }

    fn position(&self) -> Option<Position> {
        self.current.as_ref()?.1.position()
    }
}

fn is_printable(c: char) -> bool {
    (' '..='~').contains(&c)
}
