//! Records to files of games.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};

use outflank::board::{Move, Position};
use outflank::game::{Ending, Game, GameClock};
use outflank::notation::obf::{self, ScoredPosition};
use outflank::notation::wthor::{self, Names};
use outflank::notation::{ggf, pgn, sgf, transcript};

use super::format::Format;
use crate::calendar;

/// The fields that the format cannot hold, with the number of records that lost each.
pub(crate) type DroppedFields = BTreeMap<&'static str, usize>;

pub(crate) struct Writer<W> {
    format: Format,
    output: W,
    database: Collected,
    dropped: DroppedFields,
}

/// The games of a database and their names. They are collected because the header has their number.
#[derive(Default)]
struct Collected {
    games: Vec<wthor::Record>,
    years: BTreeMap<u16, usize>,
    depth: u8,
    players: Numbered,
    tournaments: Numbered,
}

/// The name of an unknown player or tournament.
const NO_NAME: &str = "?";

#[derive(Default)]
struct Numbered {
    names: Vec<String>,
    numbers: HashMap<String, u16>,
}

impl<W: Write> Writer<W> {
    pub(crate) fn new(format: Format, output: W) -> Writer<W> {
        Writer { format, output, database: Collected::default(), dropped: DroppedFields::new() }
    }

    /// Writes a record. The inner error is the reason why the format cannot hold the record.
    pub(crate) fn write(&mut self, game: &Game) -> io::Result<Result<(), String>> {
        let text = match self.format {
            Format::Ggf => ggf::write_all(game) + "\n",
            Format::NBoard => ggf::write(game) + "\n",
            Format::Sgf => sgf::write(game) + "\n",
            Format::Pgn => pgn::write(game),
            Format::Transcript => match line_of(game) {
                Ok(line) => line + "\n",
                Err(reason) => return Ok(Err(reason)),
            },
            Format::Obf => {
                let scores = if game.plies() == 0 { game.tags.scores.clone() } else { Vec::new() };
                obf::write(&ScoredPosition { position: game.position(), scores }) + "\n"
            }
            Format::Wthor => {
                if let Err(reason) = self.database.add(game) {
                    return Ok(Err(reason));
                }
                String::new()
            }
        };
        for field in dropped(self.format, game) {
            *self.dropped.entry(field).or_default() += 1;
        }
        self.output.write_all(text.as_bytes())?;
        Ok(Ok(()))
    }

    /// Writes the end of the file, and the names of a database to the outputs for players and tournaments. Returns the fields
    /// that the format cannot hold.
    pub(crate) fn finish(mut self, mut names: Option<[&mut dyn Write; 2]>) -> io::Result<DroppedFields> {
        if self.format == Format::Wthor {
            let created = today();
            let Collected { games, years, depth, players, tournaments } = self.database;
            let year = years.iter().max_by_key(|(_, games)| **games).map_or(0, |(year, _)| *year);
            let others: usize =
                years.iter().filter(|(other, _)| **other != year).map(|(_, games)| games).sum();
            if others > 0 {
                self.dropped.insert("the year if it is not that of most games", others);
            }
            let database = wthor::Database { year, depth, games };
            self.output.write_all(&wthor::write(&database, created))?;
            let kinds = [(players, Names::Players), (tournaments, Names::Tournaments)];
            // For each record: whether it loses a name, and whether it loses a part of one.
            let mut lost = vec![[false; 2]; database.games.len()];
            for (index, (numbered, kind)) in kinds.into_iter().enumerate() {
                let (bytes, cut) = wthor::write_names(&numbered.names, kind, created);
                if let Some(outputs) = &mut names {
                    outputs[index].write_all(&bytes)?;
                }
                let cut: HashSet<&str> = cut.iter().map(String::as_str).collect();
                for (record, [whole, part]) in database.games.iter().zip(&mut lost) {
                    let numbers = match kind {
                        Names::Players => [record.black, record.white],
                        Names::Tournaments => [record.tournament; 2],
                    };
                    for name in numbers.iter().filter_map(|&number| numbered.names.get(usize::from(number))) {
                        *whole |= names.is_none() && name != NO_NAME;
                        *part |= names.is_some() && cut.contains(name.as_str());
                    }
                }
            }
            for (index, what) in ["names", "ends or letters of long or foreign names"].into_iter().enumerate()
            {
                let records = lost.iter().filter(|lost| lost[index]).count();
                if records > 0 {
                    self.dropped.insert(what, records);
                }
            }
        }
        self.output.flush()?;
        Ok(self.dropped)
    }
}

impl Collected {
    fn add(&mut self, game: &Game) -> Result<(), String> {
        let mut record = wthor::Record::of(game).ok_or("it does not begin at the usual start")?;
        let tags = &game.tags;
        record.black = self.players.number(tags.black.name.as_deref(), "players")?;
        record.white = self.players.number(tags.white.name.as_deref(), "players")?;
        record.tournament = self.tournaments.number(tags.place.as_deref(), "tournaments")?;
        let year = tags.date.as_deref().and_then(year_of);
        if let Some(year) = year.and_then(|year| year.parse().ok()) {
            *self.years.entry(year).or_default() += 1;
        }
        let depth = tags.other("TheoreticalEmpties").and_then(|text| text.parse().ok());
        self.depth = self.depth.max(depth.unwrap_or(0));
        self.games.push(record);
        Ok(())
    }
}

impl Numbered {
    fn number(&mut self, name: Option<&str>, what: &str) -> Result<u16, String> {
        let name = name.unwrap_or(NO_NAME);
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        let number = u16::try_from(self.names.len()).ok().filter(|number| *number < u16::MAX);
        let number = number.ok_or_else(|| format!("the database has room for 65535 {what}"))?;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        Ok(number)
    }
}

fn year_of(date: &str) -> Option<&str> {
    date.split(|c: char| !c.is_ascii_digit()).find(|run| run.len() == 4)
}

/// A game as a line: its moves, or its position if it has none.
fn line_of(game: &Game) -> Result<String, String> {
    if game.plies() == 0 {
        return Ok(outflank::notation::squares::write(&game.start()));
    }
    let line = transcript::write(game);
    match transcript::read(&line) {
        Ok(again) if again.start() == game.start() => Ok(line),
        _ if game.start() == Position::START => Err("it begins with a pass".to_owned()),
        _ => Err("it does not begin at the usual start".to_owned()),
    }
}

/// The fields of a game that the format cannot hold.
fn dropped(format: Format, game: &Game) -> impl Iterator<Item = &'static str> {
    let tags = &game.tags;
    let all = matches!(format, Format::Ggf | Format::Sgf | Format::Pgn);
    let few = !all && format != Format::NBoard;
    let wthor = format == Format::Wthor;
    let bare = matches!(format, Format::Obf | Format::Transcript);
    let moves = game.moves();
    let one = format == Format::Obf && moves.is_empty();
    let trailing = moves.last().is_some_and(|played| played.mv == Move::Pass);
    let players = [&tags.black, &tags.white];
    let named = players.iter().any(|player| player.name.is_some()) || tags.place.is_some();
    let clocks = tags.clock.is_some() || players.iter().any(|player| player.clock.is_some());
    let day = tags.date.as_deref().is_some_and(|date| Some(date) != year_of(date));
    let ending = tags.result.is_some_and(|result| result.ending != Ending::Played);
    let other = |name: &str| !wthor || !name.starts_with("Theoretical");
    let nboard = format == Format::NBoard;
    let kind = tags.kind.as_deref().is_some_and(|kind| !ggf::write(game).contains(&format!("TY[{kind}]")));
    let agreed = tags.result.is_some_and(|result| result.ending == Ending::Agreed);
    let odd = tags.result.is_some_and(|result| result.score.centidiscs() % 200 != 0);
    [
        (format == Format::Obf && !one, "moves"),
        (format == Format::Transcript && trailing, "a pass at the end"),
        (bare && named, "names and places"),
        (bare && tags.date.is_some(), "dates"),
        (wthor && day, "dates except the year"),
        (bare && tags.result.is_some(), "results"),
        ((wthor && ending) || (nboard && agreed), "how the game ended"),
        (wthor && odd, "results that are not whole numbers of discs for each side"),
        ((few && tags.kind.as_deref().is_some_and(|kind| kind != "8")) || (nboard && kind), "kinds of games"),
        (format == Format::Sgf && has_text(game, |text| text.contains(is_control)), "control characters"),
        (format == Format::Sgf && has_text(game, has_outer_line_end), "line ends at the ends of texts"),
        (nboard && has_text(game, is_changed_for_nboard), "brackets, line ends and outer blanks of texts"),
        ((all || nboard) && has_fractions(format, game), "fractions of seconds of clocks"),
        (few && moves.iter().any(|played| played.eval.is_some()), "evaluations"),
        (few && moves.iter().any(|played| played.time.is_some()), "times"),
        (few && clocks, "clocks"),
        (few && players.iter().any(|player| player.rating.is_some()), "ratings"),
        (few && !tags.comments.is_empty(), "comments"),
        (few && game.variations().is_some(), "variations"),
        (!all && !one && !tags.scores.is_empty(), "scores of moves"),
        (!all && tags.others.iter().any(|(name, _)| other(name)), "other tags"),
    ]
    .into_iter()
    .filter_map(|(lost, what)| lost.then_some(what))
}

/// Returns `true` if `is` does for a text of a game: a tag, a name or a comment.
fn has_text(game: &Game, is: fn(&str) -> bool) -> bool {
    let tags = &game.tags;
    let names = [&tags.black.name, &tags.white.name, &tags.date, &tags.place, &tags.kind];
    let known = names.into_iter().flatten().chain(tags.others.iter().map(|(_, value)| value));
    let own = tags.comments.iter().map(|(_, text)| text);
    let tree = game.variations();
    let mut others = tree.into_iter().flat_map(|tree| tree.ids().flat_map(|node| tree.comments(node)));
    known.chain(own).any(|text| is(text)) || others.any(|text| is(text))
}

fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
}

fn has_outer_line_end(text: &str) -> bool {
    text[..text.len() - text.trim_start().len()].contains('\n')
        || text[text.trim_end().len()..].contains('\n')
}

fn is_changed_for_nboard(text: &str) -> bool {
    text.trim().len() < text.len() || text.contains(|c: char| c.is_control() || matches!(c, '[' | ']'))
}

/// Returns `true` if a clock is written as in GGF, in whole seconds, and has a fraction of one.
fn has_fractions(format: Format, game: &Game) -> bool {
    let tags = &game.tags;
    let is_fraction = |clock: &GameClock| {
        [clock.main, clock.increment, clock.grace].iter().any(|time| time.subsec_nanos() > 0)
    };
    let is_plain = |clock: &&GameClock| clock.increment.is_zero() && clock.grace == GameClock::USUAL_GRACE;
    let all = matches!(format, Format::Ggf | Format::NBoard);
    let common = tags.clock.as_ref().filter(|clock| all || !is_plain(clock));
    [common, tags.black.clock.as_ref(), tags.white.clock.as_ref()].into_iter().flatten().any(is_fraction)
}

/// Century, year of the century, month, day.
fn today() -> [u8; 4] {
    let now = calendar::now();
    [0, 2, 5, 8].map(|at| now.get(at..at + 2).and_then(|digits| digits.parse().ok()).unwrap_or(0))
}
