//! Games to PGN, as Cassio and XBoard write them.

use super::super::{extra, fen, ggf, number};
use super::read::{is_known, measured, says_nothing, time_control};
use super::{NO_EVENT, OWN, VARIANTS};
use crate::board::{Color, Move, Position};
use crate::game::{Ending, Game, GameClock, GameResult, RecordedMove};
use crate::score::Score;

/// Writes a game, with the blank line that ends it.
pub fn write(game: &Game) -> String {
    let tags = &game.tags;
    let variant =
        tags.other("Variant").is_some_and(|known| VARIANTS.iter().any(|v| known.eq_ignore_ascii_case(v)));
    let mut pgn = Writer { text: String::new(), column: 0 };
    let place = tags.place.as_deref();
    // The event of a game without a place would be read as its place.
    let event = tags.other("Event").filter(|event| place.is_some() && !event.is_empty());
    let (first, site) = if event.is_some() { (event, place) } else { (place, None) };
    pgn.or("Event", first.filter(|first| event.is_none() || *first != NO_EVENT), NO_EVENT);
    pgn.or("Site", site, "?");
    pgn.or("Date", tags.date.as_deref(), "????.??.??");
    pgn.or("Round", tags.other("Round"), "-");
    // XBoard's White is whoever moves first.
    let (black, white) = if variant { (&tags.white, &tags.black) } else { (&tags.black, &tags.white) };
    pgn.or("Black", black.name.as_deref(), "?");
    pgn.or("White", white.name.as_deref(), "?");
    let result = write_result(tags.result.as_ref(), variant);
    pgn.header("Result", &result);
    if tags.result != read_back(game, &result) {
        pgn.known(extra::RESULT, tags.result.map(|result| ggf::write_whole_result(&result)).as_deref());
    }
    pgn.known("BlackElo", black.rating.map(|rating| rating.to_string()).as_deref());
    pgn.known("WhiteElo", white.rating.map(|rating| rating.to_string()).as_deref());
    pgn.known("TimeControl", tags.clock.map(|clock| write_clock(&clock)).as_deref());
    let own = tags.clock.filter(|clock| clock.grace != GameClock::USUAL_GRACE);
    for (name, clock) in [("TIGGF", own), ("TBGGF", tags.black.clock), ("TWGGF", tags.white.clock)] {
        pgn.known(name, clock.map(|clock| ggf::write_clock(&clock)).as_deref());
    }
    pgn.known("TYGGF", tags.kind.as_deref());
    let mut said = [event.is_some(), tags.other("Round").is_some()];
    for (name, value) in &tags.others {
        // The first of these stands above.
        let first = ["Event", "Round"].iter().position(|known| name.eq_ignore_ascii_case(known));
        if first.is_some_and(|at| std::mem::take(&mut said[at])) {
            continue;
        }
        // A control that cannot be read stands where it stood; another game's variant cannot.
        let own = name == "TimeControl"
            && !value.contains(char::is_control)
            && time_control(value.trim()).is_none();
        let foreign = name.eq_ignore_ascii_case("Variant") && !variant;
        let foreign = foreign || (name.eq_ignore_ascii_case("Event") && event.is_none());
        let name = if own { name.clone() } else { extra::name_for(name, &OWN) };
        pgn.header(&if foreign { format!("X_{name}") } else { name }, value);
    }
    if !tags.scores.is_empty() {
        pgn.header(extra::SCORES, &extra::write_scores(&tags.scores));
    }
    if game.start() != Position::START || variant {
        pgn.header("FEN", &fen::write(&game.start(), 'd'));
        pgn.header("SetUp", "1");
    }
    pgn.text.push('\n');
    pgn.moves(game, variant);
    pgn.word(&result);
    pgn.text.push_str("\n\n");
    pgn.text
}

/// Discs of Black and White, or in XBoard's games who has won; `*` where nothing is known.
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
    // Rounded towards a draw; what is lost by it stands in a header of its own.
    let black = 32 + score / 200;
    format!("{black}-{}", 64 - black)
}

/// What a reader makes of a result; close to it, with what is sure.
fn read_back(game: &Game, text: &str) -> Option<GameResult> {
    let played = |score| Some(GameResult { score, ending: Ending::Played });
    match text {
        "*" => None,
        "1/2-1/2" => played(Score::ZERO),
        "1-0" | "0-1" => game.final_score().map(|result| result.score).and_then(played),
        _ => {
            let (black, white) = text.split_once('-')?;
            played(Score::from_centidiscs(100 * (black.parse::<i32>().ok()? - white.parse::<i32>().ok()?)))
        }
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
}

impl Writer {
    fn known(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.header(name, value);
        }
    }

    /// A header that is always there.
    fn or(&mut self, name: &str, value: Option<&str>, unknown: &str) {
        match value {
            Some(value) => self.header(name, value),
            None => self.text.push_str(&format!("[{name} \"{unknown}\"]\n")),
        }
    }

    fn header(&mut self, name: &str, value: &str) {
        self.text.push_str(&format!("[{name} \""));
        // What would be read as nothing known is said to be meant.
        let begins = if is_known(value) { value.len() - value.trim_start().len() } else { 1 };
        let ends = value.trim_end().len();
        for (at, character) in value.char_indices() {
            match character {
                '"' | '\\' => self.text.extend(['\\', character]),
                _ if at < begins || at >= ends || character.is_control() => {
                    extra::push_escape(&mut self.text, character);
                }
                _ => self.text.push(character),
            }
        }
        self.text.push_str("\"]\n");
    }

    fn moves(&mut self, game: &Game, variant: bool) {
        let remarks =
            |discs| game.tags.comments.iter().filter(move |(at, _)| *at == discs).map(|(_, text)| text);
        remarks(0).for_each(|text| self.comment(text));
        let (mut number, mut discs) = (0, 0);
        for (ply, (before, played)) in game.positions().zip(game.moves()).enumerate() {
            let black = before.side() == Color::Black;
            number += usize::from(black || ply == 0);
            if black || ply == 0 {
                self.word(&format!("{number}.{}", if black { "" } else { ".." }));
            }
            let mv = match played.mv {
                Move::Place(square) if variant => format!("D@{square}"),
                Move::Place(square) => square.to_string(),
                Move::Pass if variant => "@@@@".to_owned(),
                Move::Pass => "--".to_owned(),
            };
            self.word(&mv);
            self.measured(played, variant);
            if played.mv != Move::Pass {
                discs += 1;
                remarks(discs).for_each(|text| self.comment(text));
            }
        }
    }

    fn measured(&mut self, played: &RecordedMove, variant: bool) {
        let eval = played.eval.map(|eval| format!("{:+.2}", eval.discs()));
        let time = played.time.map(number::write_seconds);
        match (eval, time) {
            (None, None) => {}
            // The depth is not known.
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
        // White space of other kinds than single blanks would be read as such.
        let blank = |at: usize| text[at + 1..].starts_with(' ') || at == 0 || at + 1 == text.len();
        let first = says_nothing(text) || measured(text).is_some();
        self.braced(&extra::escaped(text, |at, character| {
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

    /// A word of the moves; lines end before the 80th character.
    fn word(&mut self, word: &str) {
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
