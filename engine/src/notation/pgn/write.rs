//! Games to PGN, as Cassio and XBoard write them.

use super::super::tags::{self, Field};
use super::super::{escape, fen, number};
use super::headers::{is_known, time_control};
use super::read::{is_meaningless, measured, result_of};
use super::{FIELDS, NO_EVENT, RESERVED, is_known_variant, is_othello};
use crate::board::{Color, Move, Position};
use crate::game::{Ending, Game, GameClock, GameResult, GameTree, NodeId, RecordedMove};

/// Writes a game and the blank line after it.
pub fn write(game: &Game) -> String {
    let known = &game.tags;
    let variant = known.other("Variant").is_some_and(is_othello);
    let mut pgn = Writer { text: String::new(), column: 0, bracket: false };
    let place = known.place.as_deref().filter(|place| !place.is_empty());
    // The event of a game without a place would be read as the place.
    let event = known.other("Event").filter(|event| place.is_some() && !event.is_empty());
    let (first, site) = if event.is_some() { (event, place) } else { (place, None) };
    pgn.or("Event", first.filter(|first| event.is_none() || *first != NO_EVENT), NO_EVENT);
    pgn.or("Site", site, "?");
    pgn.or("Date", known.date.as_deref(), "????.??.??");
    pgn.or("Round", known.other("Round"), "-");
    // XBoard's White is the side that moves first.
    let sides = if variant { [Color::White, Color::Black] } else { [Color::Black, Color::White] };
    for (name, side) in ["Black", "White"].into_iter().zip(sides) {
        pgn.or(name, known.player(side).name.as_deref(), "?");
    }
    let result = write_result(known.result.as_ref(), variant);
    pgn.header("Result", &result);
    if let Some(whole) = &known.result
        && known.result != read_back(game, &result)
    {
        pgn.header(tags::RESULT, &tags::write_result(whole));
    }
    for (name, side) in ["BlackElo", "WhiteElo"].into_iter().zip(sides) {
        pgn.field(name, Field::Rating(side), game);
    }
    if let Some(clock) = &known.clock {
        pgn.header("TimeControl", &write_clock(clock));
        if clock.grace != GameClock::USUAL_GRACE {
            pgn.field("TIGGF", Field::Clock, game);
        }
    }
    pgn.field("TBGGF", Field::OwnClock(Color::Black), game);
    pgn.field("TWGGF", Field::OwnClock(Color::White), game);
    pgn.field("TYGGF", Field::Kind, game);
    let mut written = [event.is_some(), known.other("Round").is_some()];
    for (at, (name, value)) in known.others.iter().enumerate() {
        // The first of these is already written.
        let first = ["Event", "Round"].iter().position(|known| name.eq_ignore_ascii_case(known));
        if first.is_some_and(|at| std::mem::take(&mut written[at])) {
            continue;
        }
        // A time control that cannot be read is stored by that name. A variant other than Othello cannot be read back.
        let own = name == "TimeControl"
            && !value.contains(char::is_control)
            && time_control(value.trim()).is_none();
        let own = own || tags::field(&FIELDS, name).is_some_and(|field| tags::is_unread(field, known, value));
        // The reader stores one value.
        let own = own && known.others[..at].iter().all(|(other, _)| other != name);
        let foreign = name.eq_ignore_ascii_case("Variant") && !is_known_variant(value);
        let foreign = foreign || (name.eq_ignore_ascii_case("Event") && event.is_none());
        let name = if own { name.clone() } else { tags::name_for(name, &FIELDS, &RESERVED) };
        pgn.header(&if foreign { format!("X_{name}") } else { name }, value);
    }
    pgn.field(tags::SCORES, Field::Scores, game);
    if game.start() != Position::START || variant {
        pgn.header("FEN", &fen::write(&game.start(), 'd'));
        pgn.header("SetUp", "1");
    }
    pgn.text.push('\n');
    let tree = game.tree();
    tree.comments(NodeId::ROOT).iter().for_each(|text| pgn.comment(text));
    if let Some(pass) = tree.pass(NodeId::ROOT) {
        pgn.played(&pass, !tree.position(NodeId::ROOT).side(), 1, false, variant);
    }
    pgn.line(&tree, NodeId::ROOT, 1, variant);
    pgn.word(&result);
    pgn.text.push_str("\n\n");
    pgn.text
}

/// Writes the discs of Black and White, or the winner in XBoard's games. `*` if the result is unknown.
fn write_result(result: Option<&GameResult>, variant: bool) -> String {
    let Some(result) = result else { return "*".to_owned() };
    let score = result.score.centidiscs();
    if variant || !matches!(result.ending, Ending::Played) {
        return match score {
            0 => "1/2-1/2",
            1.. => "1-0",
            _ => "0-1",
        }
        .to_owned();
    }
    // Rounded towards a draw. A separate header has the exact result.
    let black = 32 + score / 200;
    format!("{black}-{}", 64 - black)
}

/// The result that a reader gets from the header and the board, without a comment that names the cause of the end.
fn read_back(game: &Game, text: &str) -> Option<GameResult> {
    match text {
        "1-0" | "0-1" => game.final_score(),
        _ => result_of(game, text),
    }
}

fn write_clock(clock: &GameClock) -> String {
    let main = number::write_seconds(clock.main);
    if clock.increment.is_zero() {
        main
    } else {
        format!("{main}+{}", number::write_seconds(clock.increment))
    }
}

struct Writer {
    text: String,
    /// Characters of the last line of moves.
    column: usize,
    /// The next word is the first of a variation.
    bracket: bool,
}

impl Writer {
    fn field(&mut self, name: &str, field: Field, game: &Game) {
        field.write(&game.tags).into_iter().for_each(|value| self.header(name, &value));
    }

    /// Writes a header that every game has.
    fn or(&mut self, name: &str, value: Option<&str>, unknown: &str) {
        match value {
            Some(value) => self.header(name, value),
            None => self.text.push_str(&format!("[{name} \"{unknown}\"]\n")),
        }
    }

    fn header(&mut self, name: &str, value: &str) {
        self.text.push_str(&format!("[{name} \""));
        // A value that would be read as unknown is escaped.
        let begins = if is_known(value) { value.len() - value.trim_start().len() } else { 1 };
        let ends = value.trim_end().len();
        for (at, character) in value.char_indices() {
            match character {
                '"' | '\\' => self.text.extend(['\\', character]),
                _ if at < begins || at >= ends || character.is_control() => {
                    escape::push_escape(&mut self.text, character);
                }
                _ => self.text.push(character),
            }
        }
        self.text.push_str("\"]\n");
    }

    /// Writes the moves after a node, each variation after the move that it replaces. `number` is that of the next move.
    fn line(&mut self, tree: &GameTree, node: NodeId, mut number: usize, variant: bool) {
        let (mut node, mut numbered) = (node, false);
        while let [first, others @ ..] = tree.children(node) {
            let next = self.node(tree, *first, number, numbered, variant);
            for &other in others {
                self.bracket = true;
                let next = self.node(tree, other, number, false, variant);
                self.line(tree, other, next, variant);
                self.close();
            }
            (node, number, numbered) = (*first, next, others.is_empty());
        }
    }

    /// Writes a move with its comments and pass, a white move with its number unless `numbered`. Returns the next number.
    fn node(&mut self, tree: &GameTree, node: NodeId, number: usize, numbered: bool, variant: bool) -> usize {
        let before = tree.parent(node).map_or(Color::Black, |parent| tree.position(parent).side());
        if let Some(played) = tree.played(node) {
            self.played(&played, before, number, numbered, variant);
        }
        tree.comments(node).iter().for_each(|text| self.comment(text));
        let mut next = number + usize::from(before == Color::White);
        if let Some(pass) = tree.pass(node) {
            self.played(&pass, !before, next, true, variant);
            next += usize::from(before == Color::Black);
        }
        next
    }

    fn played(&mut self, played: &RecordedMove, side: Color, number: usize, numbered: bool, variant: bool) {
        if side == Color::Black || !numbered {
            self.word(&format!("{number}.{}", if side == Color::Black { "" } else { ".." }));
        }
        let mv = match played.mv {
            Move::Place(square) if variant => format!("D@{square}"),
            Move::Place(square) => square.to_string(),
            Move::Pass if variant => "@@@@".to_owned(),
            Move::Pass => "--".to_owned(),
        };
        self.word(&mv);
        let eval = played.eval.map(|eval| if variant { eval } else { side.for_black(eval) });
        self.measured(&RecordedMove { eval, ..*played }, variant);
    }

    fn measured(&mut self, played: &RecordedMove, variant: bool) {
        let eval = played.eval.map(|eval| format!("{:+.2}", eval.discs()));
        let time = played.time.map(number::write_seconds);
        match (eval, time) {
            (None, None) => {}
            // The depth is unknown.
            (Some(eval), Some(time)) if variant => self.braced(&format!("{eval}/0 {time}")),
            (Some(eval), None) if variant => self.braced(&format!("{eval}/0")),
            (eval, time) => {
                let parts =
                    [eval.map(|eval| format!("[%eval {eval}]")), time.map(|time| format!("[%emt {time}]"))];
                self.braced(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "));
            }
        }
    }

    fn comment(&mut self, text: &str) {
        // White space other than single blanks would be read as a blank.
        let blank = |at: usize| text[at + 1..].starts_with(' ') || at == 0 || at + 1 == text.len();
        let first = is_meaningless(text) || measured(text).is_some();
        self.braced(&escape::escaped(text, |at, character| {
            (first && at == 0)
                || character == '}'
                || character.is_control()
                || (character == ' ' && blank(at))
        }));
    }

    fn braced(&mut self, text: &str) {
        for word in format!("{{{text}}}").split(' ') {
            self.word(word);
        }
    }

    /// Ends a variation.
    fn close(&mut self) {
        if self.column + 1 >= 80 {
            return self.word(")");
        }
        self.text.push(')');
        self.column += 1;
    }

    /// Writes a word of the moves, the first of a variation with its bracket. Lines end before the 80th character.
    fn word(&mut self, word: &str) {
        let bracketed = std::mem::take(&mut self.bracket).then(|| format!("({word}"));
        let word = bracketed.as_deref().unwrap_or(word);
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length >= 80 {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += length;
    }
}
