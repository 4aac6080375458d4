//! Files of games to records.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::atomic_file::{complete, is_incomplete};
use crate::native::{InputLine, MAX_LINE_BYTES, in_file, is_still, next_line, open_regular, read_whole};
use crate::print;
use outflank::game::Game;
use outflank::notation::{self, NumberedGame, ReadError, ggf, obf, pgn, sgf, wthor};

use super::format::{Format, HEAD};
use super::names::{self, Named};
use super::packed::{in_folder, unpacked, without_packing};

/// A file whose records are not read yet.
pub(crate) struct Input {
    pub(crate) name: String,
    format: Format,
    content: Content,
}

enum Content {
    Text(String),
    Wthor(Vec<u8>, Named),
    /// The file of a folder cannot be read.
    Unreadable(String),
}

pub(crate) struct Record {
    /// Its number in the file, from 1.
    pub(crate) number: usize,
    /// Its first line, from 1, if the format has lines.
    pub(crate) line: Option<usize>,
    /// The game, or the error with the field.
    pub(crate) game: Result<Game, String>,
}

impl Input {
    /// Reads files and the files of folders. A file of a folder that cannot be read has one record with the error.
    ///
    /// # Errors
    /// The first path that cannot be read.
    pub(crate) fn open_all(paths: &[PathBuf], format: Option<Format>) -> io::Result<Vec<Input>> {
        let mut inputs = Vec::new();
        for path in paths {
            if !path.is_dir() {
                inputs.push(Input::open(path, format)?);
                continue;
            }
            inputs.extend(in_folder(path)?.iter().map(|file| {
                Input::open(file, format).unwrap_or_else(|error| {
                    let (name, error) = (file.display().to_string(), error.to_string());
                    let error = error.strip_prefix(&format!("{name}: ")).unwrap_or(&error).to_owned();
                    Input { name, format: Format::Transcript, content: Content::Unreadable(error) }
                })
            }));
        }
        Ok(inputs)
    }

    /// Reads a file, also a compressed one, `-` for standard input. Without a format, uses that of its ending or of its content.
    pub(crate) fn open(path: &Path, format: Option<Format>) -> io::Result<Input> {
        let standard = path.as_os_str() == "-";
        let name = if standard { "standard input".to_owned() } else { path.display().to_string() };
        let bytes = if standard {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            bytes
        } else {
            read_whole(path)?
        };
        let unpacked = unpacked(&bytes).map_err(in_file(Path::new(&name)))?;
        let is_packed = unpacked.is_some();
        let bytes = without_mark(unpacked.unwrap_or(bytes));
        let plain = without_packing(path);
        let known = format.or_else(|| Format::of_path(&plain).filter(|format| *format != Format::Transcript));
        let format = known.unwrap_or_else(|| Format::of_content(&bytes));
        if format != Format::Wthor && bytes[..bytes.len().min(HEAD)].contains(&0) {
            let error = io::Error::other("neither a text nor a file of the WTHOR database");
            return Err(in_file(Path::new(&name))(error));
        }
        let content = if format == Format::Wthor {
            let is_file = !standard && path.is_file();
            let whole = match is_file {
                true if !is_packed => database(path),
                true => Ok((bytes, names::read_names(&plain))),
                false => Ok((bytes, Named::default())),
            };
            let (bytes, named) = whole.map_err(in_file(path))?;
            Content::Wthor(bytes, named)
        } else {
            Content::Text(text_of(bytes, &name))
        };
        Ok(Input { name, format, content })
    }

    /// The games of a text.
    pub(crate) fn of_text(text: &str) -> Input {
        let text = text.trim_start_matches('\u{feff}').to_owned();
        Input {
            name: String::new(),
            format: Format::of_content(text.as_bytes()),
            content: Content::Text(text),
        }
    }

    /// The length for a progress bar: lines, or games if the format has no lines. Does not read the records.
    pub(crate) fn len(&self) -> u64 {
        match &self.content {
            Content::Text(text) => text.bytes().filter(|&byte| byte == b'\n').count() as u64 + 1,
            Content::Wthor(bytes, _) => (bytes.len().saturating_sub(wthor::HEADER) / wthor::RECORD) as u64,
            Content::Unreadable(_) => 1,
        }
    }

    /// The records in order. An invalid record does not affect the others.
    pub(crate) fn records(&self) -> Box<dyn Iterator<Item = Record> + Send + '_> {
        let numbered = |(number, line, game): NumberedGame| Record {
            number,
            line: Some(line),
            game: game.map_err(|error| error.message),
        };
        match (&self.content, self.format) {
            (Content::Wthor(bytes, named), _) => Box::new(of_wthor(bytes, named)),
            (Content::Unreadable(error), _) => {
                Box::new(std::iter::once(Record { number: 0, line: None, game: Err(error.clone()) }))
            }
            (Content::Text(text), Format::Sgf) => {
                Box::new(sgf::games(text).map(numbered).chain(nothing(text, "(;", "SGF")))
            }
            (Content::Text(text), Format::Pgn) => Box::new(pgn::games(text).map(numbered)),
            (Content::Text(text), Format::Ggf | Format::NBoard) => {
                Box::new(ggf::games(text).map(numbered).chain(nothing(text, "(;", "GGF")))
            }
            (Content::Text(text), Format::Obf) => {
                let games = (1..).zip(obf::read(text));
                Box::new(games.map(move |(number, (line, position))| {
                    numbered((number, line, position.map(Game::from)))
                }))
            }
            (Content::Text(text), Format::Transcript | Format::Wthor) => Box::new(of_lines(text)),
        }
    }
}

impl Record {
    /// The position in the file, in the unit of [`Input::len`].
    pub(crate) fn at(&self) -> u64 {
        self.line.unwrap_or(self.number) as u64
    }

    /// The error with file, record and field. `None` if the record was read.
    pub(crate) fn error(&self, file: &str) -> Option<String> {
        let error = self.game.as_ref().err()?;
        Some(match self.line {
            _ if self.number == 0 => format!("{file}: {error}"),
            Some(line) => format!("{file}: record {} (line {line}): {error}", self.number),
            None => format!("{file}: record {}: {error}", self.number),
        })
    }
}

/// Reads a database and its names in the same state. First completes a replacement that another program started before it
/// was killed. If another program replaces the files meanwhile, reads them again.
fn database(path: &Path) -> io::Result<(Vec<u8>, Named)> {
    loop {
        complete(&names::files(path))?;
        let mut bytes = Vec::new();
        let mut file = open_regular(path)?;
        file.read_to_end(&mut bytes)?;
        let named = names::read_names(path);
        if is_still(&file, path) && !is_incomplete(path) {
            return Ok((bytes, named));
        }
    }
}

/// Removes the mark that some editors put at the start of a file. A text in UTF-16, which begins with it, becomes UTF-8.
fn without_mark(mut bytes: Vec<u8>) -> Vec<u8> {
    let text = |pair: fn([u8; 2]) -> u16| {
        let units = bytes[2..].as_chunks().0.iter().map(|&two| pair(two));
        let characters = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
        characters.collect::<String>().into_bytes()
    };
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => text(u16::from_le_bytes),
        [0xfe, 0xff, ..] => text(u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, ..] => bytes.split_off(3),
        _ => bytes,
    }
}

/// The text of a file, without the mark of DOS at its end. If it is not UTF-8, it is read as Latin-1, with a note.
fn text_of(mut bytes: Vec<u8>, name: &str) -> String {
    bytes.pop_if(|byte| *byte == 0x1a);
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        let line =
            1 + error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|&&c| c == b'\n').count();
        print::note(format_args!("{name}: line {line} is not UTF-8: the text is read as Latin-1"));
        error.into_bytes().into_iter().map(char::from).collect()
    });
    match notation::with_line_ends(&text) {
        Cow::Owned(text) => text,
        Cow::Borrowed(_) => text,
    }
}

/// Reads a line as one game or position in any notation.
pub(crate) fn read_line(line: &str) -> Result<Game, String> {
    let line = line.trim_start_matches('\u{feff}').trim();
    let mut games = Vec::new();
    let read = notation::read_each(line, usize::MAX, &mut |game| games.push(game));
    match read.map(|errors| errors.reported.into_iter().next()) {
        Err(error) | Ok(Some(error)) => Err(error.message),
        Ok(None) => match <[Game; 1]>::try_from(games) {
            Ok([game]) => Ok(game),
            Err(_) => Err("several games in one line".to_owned()),
        },
    }
}

/// The lines of standard input, each a game or a position. An invalid line does not end them. An error of the input is the
/// last item.
pub(crate) fn standard_input() -> impl Iterator<Item = Result<Game, String>> + Send {
    let mut input = io::BufReader::new(io::stdin());
    let mut over = false;
    std::iter::from_fn(move || {
        if over {
            return None;
        }
        Some(match next_line(&mut input) {
            Ok(Some(InputLine::Whole(line))) => read_line(&line),
            Ok(Some(InputLine::TooLong(_))) => Err(format!("the line is longer than {MAX_LINE_BYTES} bytes")),
            Ok(None) => return None,
            Err(error) => {
                over = true;
                Err(format!("standard input: {error}"))
            }
        })
    })
}

/// The error of a file that is not blank but has no game of its format.
fn nothing<'a>(text: &'a str, opening: &'a str, format: &'a str) -> impl Iterator<Item = Record> + 'a {
    let invalid = !text.trim().is_empty() && !text.contains(opening);
    let error = format!("no {format} game found: a game starts with `{opening}`");
    invalid.then_some(Record { number: 1, line: Some(1), game: Err(error) }).into_iter()
}

/// Games and positions in any notation, over one or several lines. A longer text that is not JSON has one per line, and so has one
/// with fewer invalid records in that way.
fn of_lines(text: &str) -> Box<dyn Iterator<Item = Record> + Send + '_> {
    const MAX_WHOLE_BYTES: usize = 1 << 20;
    let lines = || {
        let lines = text.lines().enumerate().filter(|(_, line)| !notation::is_silent(line));
        (1..).zip(lines).map(|(number, (line, text))| Record {
            number,
            line: Some(line + 1),
            game: read_line(text),
        })
    };
    if text.len() > MAX_WHOLE_BYTES && !text.trim_start().starts_with(['{', '[']) {
        return Box::new(lines());
    }
    let mut records = Vec::new();
    let read = notation::read_records(text, usize::MAX, &mut |line, game| {
        let line = line.or(game.as_ref().err().and_then(|error| error.place.line));
        let game = game.map_err(|error| error.message);
        records.push(Record { number: records.len() + 1, line, game });
    });
    let invalid = |records: &[Record]| records.iter().filter(|record| record.game.is_err()).count();
    let errors = invalid(&records);
    let good = records.len() - errors;
    if read.is_err() || errors > 0 {
        let each: Vec<Record> = lines().collect();
        let each_errors = invalid(&each);
        let each_good = each.len() - each_errors;
        if (each_good >= good && each_errors < errors) || (each_good > each_errors && good == 0) {
            return Box::new(each.into_iter());
        }
    }
    if let Err(error) = read
        && records.len() < 2
    {
        let first = text.lines().position(|line| !notation::is_silent(line));
        let line = error.place.line.or(first.map(|index| index + 1));
        // A blank text has no records.
        let record = first.map(|_| Record { number: 1, line, game: Err(error.message) });
        return Box::new(record.into_iter());
    }
    Box::new(records.into_iter())
}

/// The games of a database. An error without a number concerns the file or its names. The games before the end of a truncated
/// file are read.
fn of_wthor<'a>(bytes: &[u8], named: &'a Named) -> Box<dyn Iterator<Item = Record> + Send + 'a> {
    let whole = |error: String| Record { number: 0, line: None, game: Err(error) };
    let names = named.errors.iter().cloned().map(whole);
    let (database, truncated) = match wthor::read(bytes) {
        Ok(read) => read,
        Err(error) => return Box::new(std::iter::once(whole(error.message))),
    };
    let count = database.games.len();
    let record = |number, game: Result<Game, ReadError>| Record {
        number,
        line: None,
        game: game.map_err(|error| error.message),
    };
    let records = (0..count).map(move |index| {
        let game = database.game(&database.games[index], &named.players, &named.tournaments);
        record(index + 1, game)
    });
    Box::new(names.chain(records).chain(truncated.map(|error| record(count + 1, Err(error)))))
}
