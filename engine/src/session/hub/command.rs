//! The commands of a Hub GUI.

use crate::game::Game;
use crate::notation::{moves, squares};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command<'a> {
    /// Asks for the name and the parameters of the engine.
    Hub,
    SetParam {
        name: &'a str,
        value: &'a str,
    },
    /// Asks the engine to apply the parameters.
    Init,
    /// The position of the next search.
    Pos(Box<Game>),
    /// The limits of the next search.
    Level(ParsedLine<'a>),
    /// Starts a search.
    Go(Mode),
    /// The expected move has been played.
    PonderHit,
    /// Ends the search with a move.
    Stop,
    /// The next search does not continue the last game.
    NewGame,
    Ping,
    Quit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// A move to play.
    Think,
    /// A move to play if the expected move comes.
    Ponder,
    /// Information.
    Analyze,
}

/// A line, divided into a command and its arguments:
///
/// ```text
/// <command> <name>=<value> <name>="<value with spaces>" <flag> …
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParsedLine<'a> {
    command: &'a str,
    arguments: Vec<(&'a str, &'a str)>,
}

impl<'a> ParsedLine<'a> {
    /// Reads a line. `None` if it is blank. White space around `=` is allowed.
    pub(super) fn parse(line: &'a str) -> Result<Option<ParsedLine<'a>>, String> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(None);
        }
        let (command, mut rest) = split(line, char::is_whitespace);
        let mut arguments = Vec::new();
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return Ok(Some(ParsedLine { command, arguments }));
            }
            let (name, after) = split(rest, |c| c == '=' || c.is_whitespace());
            let Some(value) = after.trim_start().strip_prefix('=') else {
                arguments.push((name, ""));
                rest = after;
                continue;
            };
            let value = value.trim_start();
            let (value, after) = match value.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').ok_or("a quotation mark is not closed")?,
                None => split(value, char::is_whitespace),
            };
            arguments.push((name, value));
            rest = after;
        }
    }

    /// Returns the value of the last argument of this name. The value of a flag is empty.
    pub(super) fn value(&self, name: &str) -> Option<&'a str> {
        self.arguments.iter().rev().find(|argument| argument.0 == name).map(|argument| argument.1)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.arguments.iter().map(|argument| argument.0)
    }
}

/// Splits a text before the first character of a kind.
fn split(text: &str, at: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(at).unwrap_or(text.len()))
}

impl<'a> Command<'a> {
    /// Reads a line. `None` if it is not a command.
    ///
    /// # Errors
    ///
    /// A description of the invalid field of a known command.
    pub(super) fn parse(line: &'a str) -> Result<Option<Command<'a>>, String> {
        let Some(line) = ParsedLine::parse(line)? else { return Ok(None) };
        Ok(Some(match line.command {
            "hub" => Command::Hub,
            "set-param" => {
                let name = line.value("name").ok_or("set-param: name is missing")?;
                let value = line.value("value").ok_or("set-param: value is missing")?;
                Command::SetParam { name, value }
            }
            "init" => Command::Init,
            "pos" => Command::Pos(Box::new(position(&line)?)),
            "level" => Command::Level(line),
            // A GUI that sends `go` waits for `done`, whatever the mode.
            "go" => Command::Go(line.names().find_map(Mode::named).unwrap_or(Mode::Think)),
            "ponder-hit" => Command::PonderHit,
            "stop" => Command::Stop,
            "new-game" => Command::NewGame,
            "ping" => Command::Ping,
            "quit" => Command::Quit,
            _ => return Ok(None),
        }))
    }
}

impl Mode {
    fn named(name: &str) -> Option<Mode> {
        match name {
            "think" => Some(Mode::Think),
            "ponder" => Some(Mode::Ponder),
            "analyze" | "analyse" => Some(Mode::Analyze),
            _ => None,
        }
    }
}

/// Reads `pos=` and `moves=`. Passes may be omitted.
fn position(line: &ParsedLine<'_>) -> Result<Game, String> {
    let text = line.value("pos").ok_or("pos: pos is missing")?;
    let mut characters = text.chars();
    let side = match characters.next() {
        Some('B' | 'b') => 'X',
        Some('W' | 'w') => 'O',
        _ => return Err("pos: pos must begin with B or W".to_owned()),
    };
    let start =
        squares::read(&format!("{}{side}", characters.as_str())).map_err(|error| format!("pos: {error}"))?;
    let mut game = Game::new(start);
    for (index, word) in line.value("moves").unwrap_or_default().split_whitespace().enumerate() {
        let number = index + 1;
        let mv = moves::read(word).map_err(|error| format!("pos: move {number}: {error}"))?;
        game.play_passing(mv).map_err(|reason| format!("pos: move {number} is illegal: {reason}"))?;
    }
    Ok(game)
}
