//! The session that finds out what is spoken.

use super::{Effect, Event, Protocol, Session, SessionConfig, Timestamp};
use crate::search::{HashSize, SearchId};

/// A conversation in a dialect known from the start or told by the first line.
///
/// Where the dialect was not fixed, a line that beyond doubt opens another one ([`Protocol::opened_by`])
/// changes it: whoever types into a console can try all of them. Whatever is said is made of printable
/// ASCII: the most delicate client takes nothing above U+00FF.
#[derive(Debug)]
pub struct Conversation {
    config: SessionConfig,
    /// What is spoken, and by whom; nothing while nothing was understood yet.
    speaker: Option<(Protocol, Box<dyn Session>)>,
    /// Whether a line may change the dialect.
    open: bool,
    /// The last id given to a search, in whatever dialect.
    last: SearchId,
}

impl Conversation {
    /// A conversation whose first line will tell the dialect.
    pub fn new(config: SessionConfig) -> Conversation {
        Conversation { config, speaker: None, open: true, last: SearchId(0) }
    }

    /// A conversation in `dialect` and no other.
    pub fn in_protocol(dialect: Protocol, config: SessionConfig) -> Conversation {
        let mut conversation = Conversation { open: false, ..Conversation::new(config) };
        conversation.speak(dialect);
        conversation
    }

    /// The dialect being spoken, once it is known.
    pub fn protocol(&self) -> Option<Protocol> {
        self.speaker.as_ref().map(|&(dialect, _)| dialect)
    }

    fn speak(&mut self, dialect: Protocol) {
        self.speaker = Some((dialect, dialect.session(self.config.clone(), self.last)));
    }

    /// Chooses the dialect of `line`, if it tells one.
    fn listen(&mut self, line: &str, effects: &mut Vec<Effect>) {
        if !self.open {
            return;
        }
        let told = match self.protocol() {
            None => Protocol::of_first_line(line),
            Some(spoken) => Protocol::opened_by(line).filter(|&opened| opened != spoken),
        };
        if let Some(dialect) = told {
            if self.last > SearchId(0) && self.protocol().is_some() {
                // Whatever the last dialect was searching is nobody's any more.
                effects.push(Effect::Stop(self.last));
            }
            self.speak(dialect);
        }
    }

    /// Keeps what outlives a dialect, and makes lines fit to be said.
    fn follow(&mut self, effects: &mut [Effect]) {
        for effect in effects {
            match effect {
                Effect::Start(request, _) => self.last = self.last.max(request.id),
                Effect::Resize(HashSize(size)) => self.config.hash = HashSize(*size),
                Effect::Threads(threads) => self.config.threads = *threads,
                Effect::Send(line) if !line.bytes().all(is_printable) => {
                    *line = line
                        .chars()
                        .map(|c| if c.is_ascii() && is_printable(c as u8) { c } else { '?' })
                        .collect();
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
            Event::Line(line) => self.listen(line, effects),
            Event::HashReduced(size) => self.config.hash = *size,
            Event::ThreadsReduced(threads) => self.config.threads = *threads,
            Event::Book(Ok(book)) | Event::BookSaved(Ok(book)) => self.config.book = Some(book.clone()),
            _ => {}
        }
        match (&mut self.speaker, event) {
            (Some((_, session)), _) => session.handle(now, event, effects),
            (None, Event::Line(line)) if !line.trim().is_empty() => {
                effects
                    .push(Effect::Send(format!("Error (no protocol begins like this): {}", beginning(line))));
            }
            (None, Event::LineTooLong(line)) => {
                effects.push(Effect::Send(format!("Error (the line is too long): {}", beginning(line))));
            }
            (None, Event::Eof) => effects.push(Effect::Quit),
            (None, _) => {}
        }
        self.follow(&mut effects[before..]);
    }
}

/// The first words of a line, to tell which one is meant.
pub(super) fn beginning(line: &str) -> String {
    line.trim().chars().take(60).collect()
}

fn is_printable(byte: u8) -> bool {
    (b' '..=b'~').contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(conversation: &mut Conversation, line: &str) -> Vec<String> {
        let mut effects = Vec::new();
        conversation.handle(Timestamp::default(), &Event::Line(line.to_owned()), &mut effects);
        effects
            .into_iter()
            .filter_map(|effect| if let Effect::Send(line) = effect { Some(line) } else { None })
            .collect()
    }

    #[test]
    fn the_first_line_tells_the_dialect() {
        let mut conversation = Conversation::new(SessionConfig::default());
        assert_eq!(conversation.protocol(), None);
        assert!(said(&mut conversation, "").is_empty());
        assert!(said(&mut conversation, "hello")[0].starts_with("Error"));
        assert_eq!(said(&mut conversation, "ENGINE-PROTOCOL init"), ["ready."]);
        assert_eq!(conversation.protocol(), Some(Protocol::Cassio));
        assert!(said(&mut conversation, "set game x")[0].starts_with("WARNING"));
        assert_eq!(conversation.protocol(), Some(Protocol::Cassio));
        said(&mut conversation, "nboard 2");
        assert_eq!(conversation.protocol(), Some(Protocol::NBoard));
    }

    #[test]
    fn a_fixed_dialect_stays() {
        let mut conversation = Conversation::in_protocol(Protocol::NBoard, SessionConfig::default());
        said(&mut conversation, "ENGINE-PROTOCOL init");
        assert_eq!(conversation.protocol(), Some(Protocol::NBoard));
    }

    #[test]
    fn changing_the_dialect_ends_the_search_and_goes_on_counting() {
        let mut conversation = Conversation::new(SessionConfig::default());
        let mut effects = Vec::new();
        for line in ["nboard 2", "hint 1", "ENGINE-PROTOCOL init"] {
            conversation.handle(Timestamp::default(), &Event::Line(line.to_owned()), &mut effects);
        }
        let Some(Effect::Start(first, _)) = effects.iter().find(|e| matches!(e, Effect::Start(..))) else {
            panic!()
        };
        assert!(effects.contains(&Effect::Stop(first.id)));
        let search = "ENGINE-PROTOCOL midgame-search ---------------------------OX------XO---------------------------X -1 1 3 90";
        let first = first.id;
        effects.clear();
        conversation.handle(Timestamp::default(), &Event::Line(search.to_owned()), &mut effects);
        assert!(effects.iter().any(|e| matches!(e, Effect::Start(request, _) if request.id > first)));
        // The answer of the first one is stale.
        effects.clear();
        conversation.handle(Timestamp::default(), &Event::Done { id: first, nodes: 1 }, &mut effects);
        assert!(effects.is_empty());
    }

    #[test]
    fn only_printable_ascii_is_said() {
        let mut conversation = Conversation::new(SessionConfig::default());
        for line in said(&mut conversation, "h\u{e9}llo \u{2026} \u{7}") {
            assert!(line.bytes().all(is_printable), "{line}");
        }
    }
}
