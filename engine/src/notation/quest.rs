//! Games of Othello Quest, as its server sends them and its users keep them: JSON.
//!
//! A game is an object with two players, Black first, and a list of moves:
//!
//! ```json
//! {"id": "…", "created": "2024-05-06T07:08:09.000Z", "players": [{"id": "…", "name": "Ann", "oldR": 1800.5}, {…}],
//!  "position": {"moves": [{"m": "f5", "t": 1234}, {"m": "d6", "t": 900}, {"m": "-"}]}}
//! ```
//!
//! `t` is the time of the move in milliseconds, `-` a pass. An entry without `m` is a resignation. Such objects are alone, in
//! lists (`{"games": […]}`), in messages (`5:::{"name": …, "args": [{…}]}`), or one per line. Objects of other programs, and of
//! `outflank read`, are accepted if `moves` or another field is a text or a list of squares; lists may contain such texts. A board
//! in `start` is the position before the moves, in `position` or `board` that before or after them: a text, or a list of rows, with
//! its side to move or that of a field such as `turn`. Without moves, it is a position. A number of at least two discs in `result`
//! is the score for Black: smaller ones may stand for a win.
//!
//! Egaroucid saves a game as an object with a field for each number of discs: `"5": {"board_player": …, "board_opponent": …,
//! "player": 1, "policy": 26}`. `policy` is the last move. a1 is bit and square 63.

use std::borrow::Cow;
use std::time::Duration;

use serde_json_borrow::Value;

use super::error::excerpt;
use super::result_line::{self, Stated};
use super::{ReadError, ReadErrorCode, fen, json, labels, moves, pgn, squares, transcript, words};
use crate::board::{Bitboard, Color, Move, Position, Square};
use crate::game::{Game, Player, RecordedMove, Tags};
use crate::score::Score;

/// The fields of a game that are read.
const FIELDS: [&str; 17] = [
    "players",
    "black",
    "white",
    "moves",
    "transcript",
    "kifu",
    "record",
    "created",
    "createdAt",
    "date",
    "place",
    "event",
    "variant",
    "gtype",
    "result",
    "score",
    "comments",
];

/// Fields with the position before the moves.
const STARTS: [&str; 6] =
    ["start", "start_position", "startPosition", "initial_position", "initialPosition", "fen"];

/// Fields with the position before or after the moves.
const POSITIONS: [&str; 2] = ["position", "board"];

/// Fields with the side to move of a board.
const SIDES: [&str; 9] = [
    "turn",
    "side",
    "to_move",
    "toMove",
    "side_to_move",
    "sideToMove",
    "player",
    "current_player",
    "currentPlayer",
];

/// Returns `true` if the text is JSON: an object, a list of values, or a message that contains one.
pub(super) fn begins(text: &str) -> bool {
    let json = json_of(text);
    match json.strip_prefix(['{', '[']).map(str::trim_start) {
        // `[Event "…"]` begins a game in PGN.
        Some(rest) if json.starts_with('[') => rest.starts_with(['{', '[', '"']),
        Some(rest) => rest.starts_with(['"', '}']),
        None => false,
    }
}

/// The text without the numbers and colons before a message of the server.
fn json_of(text: &str) -> &str {
    let text = text.trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = rest.trim_start_matches(':');
    if after.len() < rest.len() && rest.len() < text.len() { after } else { text }
}

/// Reads the games of a text. Objects without moves and without a board are skipped.
///
/// # Errors
///
/// If the text is not JSON, or no object has moves or a board.
pub(super) fn read(text: &str) -> Result<Vec<Result<Game, ReadError>>, ReadError> {
    let text = json::mended(json_of(text));
    let values = json::read(&text)?;
    let mut games = Vec::new();
    for value in &values {
        collect(value, &mut games);
    }
    if games.is_empty() {
        return Err(ReadError::new(
            ReadErrorCode::Json,
            "the JSON has no game: no object has `moves` or `board`",
        ));
    }
    Ok(games)
}

fn collect(value: &Value<'_>, games: &mut Vec<Result<Game, ReadError>>) {
    let mut nodes: Vec<(u8, &Value<'_>)> = fields(value)
        .filter(|(_, node)| !node.get("board_player").is_null())
        .filter_map(|(discs, node)| Some((discs.parse().ok()?, node)))
        .collect();
    if !nodes.is_empty() {
        nodes.sort_by_key(|&(discs, _)| discs);
        games.push(read_saved(value, &nodes));
        return;
    }
    let names = ["moves", "transcript", "kifu", "record"];
    let moves = [value.get("position").get("moves")].into_iter().chain(names.map(|name| value.get(name)));
    match (moves.into_iter().find(|moves| !moves.is_null()), value) {
        (Some(moves @ (Value::Array(_) | Value::Str(_))), object) => games.push(read_game(object, moves)),
        (_, Value::Array(_) | Value::Str(_)) if is_moves(value) => games.push(read_game(&Value::Null, value)),
        (_, Value::Array(values)) => values.iter().for_each(|value| collect(value, games)),
        (_, Value::Object(_)) => {
            let is_board = STARTS.iter().chain(&POSITIONS).any(|name| position(value, name).is_some());
            if is_board {
                games.push(read_game(value, &Value::Null));
            }
            // Moves by other names.
            let (named, others): (Vec<_>, Vec<_>) =
                fields(value).map(|(_, field)| field).partition(|field| is_moves(field));
            let named: Vec<_> =
                named.into_iter().map(|field| (field, read_game(&Value::Null, field))).collect();
            let mut good = named.iter().filter(|(_, game)| game.is_ok()).map(|(field, _)| field);
            match (good.next(), good.next()) {
                _ if is_board => {}
                // The other ones may be the legal moves, or a line of an engine.
                (Some(field), None) => games.push(read_game(value, field)),
                (None, _) => games
                    .extend(named.into_iter().filter(|(field, _)| field.is_string()).map(|(_, game)| game)),
                _ => games.extend(named.into_iter().map(|(_, game)| game)),
            }
            others.into_iter().for_each(|field| collect(field, games));
        }
        _ => {}
    }
}

/// Returns `true` for a text or a list of at least two moves.
fn is_moves(value: &Value<'_>) -> bool {
    let is_move = |entry| move_of(entry).is_some_and(|mv| mv == "-" || moves::parse(&mv).is_some());
    let has_square = |entry| move_of(entry).is_some_and(|mv| words::has_square(&mv));
    match value {
        Value::Str(text) => {
            let mut words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
            words::places(text) > 1
                && words.all(|word| moves::parse(word).is_some() || words::is_places(word))
        }
        Value::Array(entries) => {
            entries.len() > 1 && entries.iter().all(is_move) && entries.iter().any(has_square)
        }
        _ => false,
    }
}

fn fields<'a>(object: &'a Value<'_>) -> impl Iterator<Item = (&'a str, &'a Value<'a>)> {
    object.as_object().into_iter().flat_map(|fields| fields.iter())
}

/// A text that is not blank.
fn text<'a>(value: &'a Value<'_>) -> Option<&'a str> {
    value.as_str().map(str::trim).filter(|text| !text.is_empty())
}

fn read_game(object: &Value<'_>, moves: &Value<'_>) -> Result<Game, ReadError> {
    for name in ["variant", "gtype"] {
        if let Some(text) = text(object.get(name)).filter(|text| pgn::is_anti(text)) {
            let message = format!("{name}: the game is {{}}, not Othello");
            return Err(ReadError::quoting(ReadErrorCode::Json, text, &message));
        }
    }
    let read = read_moves(object, moves);
    let player = |index: usize, name: &str| {
        let players = object.get("players").get(index);
        let player = if players.is_null() { object.get(name) } else { players };
        let name = [player.get("name"), player.get("id"), player].into_iter().find_map(text);
        let rating = ["oldR", "rating"].iter().find_map(|name| player.get(*name).as_f64());
        Player { name: name.map(str::to_owned), rating, clock: None }
    };
    let first = |names: &[&str]| names.iter().find_map(|name| text(object.get(*name))).map(str::to_owned);
    let quest = !object.get("position").get("moves").is_null();
    let mut tags = Tags {
        black: player(0, "black"),
        white: player(1, "white"),
        date: first(&["created", "createdAt", "date"]).or_else(|| date_of(object.get("created"))),
        place: first(&["place", "event"]).or_else(|| quest.then(|| "Othello Quest".to_owned())),
        ..Tags::default()
    };
    let entries = object.get("comments").as_array().unwrap_or_default();
    for entry in entries {
        let place = entry.get(0).as_u64().and_then(|place| usize::try_from(place).ok());
        tags.comments.extend(place.zip(text(entry.get(1))).map(|(place, text)| (place, text.to_owned())));
    }
    let results = ["result", "score"].map(|name| stated(name, object.get(name)));
    let result = results.into_iter().flatten().next();
    let score = |stated: Option<Stated>| stated.map(|stated| stated.result().score);
    let boards = || STARTS.iter().chain(&POSITIONS).filter_map(|name| position(object, name)?.ok());
    let others: Vec<String> = fields(object)
        .filter(|&(name, value)| match name {
            "result" => results[0].is_none(),
            "score" => results[1].is_none() || score(results[1]) != score(result),
            "comments" => entries.is_empty() || tags.comments.len() < entries.len(),
            "position" if value.is_object() => false,
            name if STARTS.contains(&name) || POSITIONS.contains(&name) => position(object, name).is_none(),
            name if SIDES.contains(&name) => {
                side(value).is_none_or(|side| boards().all(|board| board.side() != side))
            }
            name => !FIELDS.contains(&name) && !std::ptr::eq(value, moves),
        })
        .map(|(name, _)| format!("`{}`", excerpt(name)))
        .collect();
    if !others.is_empty() {
        tags.drop_part("other fields of JSON", || others.join(", "));
    }
    match read {
        Ok(mut game) => {
            tags.merge(std::mem::take(&mut game.tags));
            tags.comments.sort_by_key(|&(place, _)| place);
            game.tags = tags;
            if let Some(result) = result {
                result.set(&mut game);
            }
            Ok(game)
        }
        Err(mut error) => {
            error.before.iter_mut().for_each(|game| game.tags = tags.clone());
            Err(error)
        }
    }
}

/// Reads the moves from the start that an object gives, or to the position that it gives.
fn read_moves(object: &Value<'_>, moves: &Value<'_>) -> Result<Game, ReadError> {
    let invalid = |message: String| ReadError::new(ReadErrorCode::Json, message);
    let mut start = None;
    for name in STARTS.into_iter().chain(POSITIONS) {
        if object.get(name).is_array() && position(object, name).is_none() {
            return Err(invalid(format!("{name}: the list is not a board")));
        }
    }
    for name in STARTS {
        let Some(read) = position(object, name).transpose()? else { continue };
        if start.is_some_and(|start| start != read) {
            return Err(invalid(format!("{name}: another start than in the other fields")));
        }
        start = Some(read);
    }
    let game = play_from(start, moves);
    let known = POSITIONS.into_iter().find_map(|name| Some((name, position(object, name)?)));
    let Some((name, known)) = known else { return game };
    let known = known?;
    match game {
        Ok(game) if game.position() == known => Ok(game),
        Ok(mut game) if start.is_some() => {
            game.tags.drop_text("positions that the moves do not have", name);
            Ok(game)
        }
        Err(error) if start.is_some() => Err(error),
        game => {
            let game = play_from(Some(known), moves).or(game)?;
            let is_known = game.start() == known;
            is_known
                .then_some(game)
                .ok_or_else(|| invalid(format!("{name}: neither before nor after the moves")))
        }
    }
}

/// The position of a field, with the side to move of another field if it has none. `None` if it is not a board.
fn position(object: &Value<'_>, name: &str) -> Option<Result<Position, ReadError>> {
    let text = board(object.get(name)).filter(|text| fen::begins(text) || squares::begins(text))?;
    let read = |text: &str| if fen::begins(text) { fen::read(text) } else { squares::read(text) };
    let read = read(&text).or_else(|error| {
        let side = SIDES.into_iter().find_map(|name| side(object.get(name)));
        side.map_or(Err(error), |side| read(&format!("{text} {}", side.letter())))
    });
    Some(read.map_err(|error| ReadError { message: format!("{name}: {error}"), ..error }))
}

/// The text of a board: a text, or a list of rows or squares.
fn board(value: &Value<'_>) -> Option<String> {
    match value {
        Value::Null => Some("-".to_owned()),
        Value::Str(text) => match (text.trim(), labels::side_named(text.trim())) {
            ("" | "empty" | "none", _) => Some("-".to_owned()),
            (_, Some(color)) => Some(color.letter().to_string()),
            (text, None) => Some(text.to_owned()),
        },
        Value::Array(rows) => rows.iter().map(board).collect(),
        // 0 may be an empty square. The others are errors: which side they stand for depends on the program.
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The side that a field names.
fn side(value: &Value<'_>) -> Option<Color> {
    let text = text(value)?;
    let sign = text.chars().next().filter(|_| text.len() == 1);
    labels::side_named(text).or_else(|| squares::contents(sign?).flatten())
}

/// Reads the moves from a start, that of the first move by default.
fn play_from(start: Option<Position>, moves: &Value<'_>) -> Result<Game, ReadError> {
    match (moves, text(moves), start) {
        (Value::Array(entries), ..) => play(entries, start),
        (_, Some(text), Some(start)) => transcript::read_from(start, text),
        (_, Some(text), None) => transcript::read(text),
        (_, None, Some(start)) => Ok(Game::new(start)),
        (_, None, None) => Err(ReadError::no_moves()),
    }
}

/// The result that a field states: the score for Black, a text, or the discs of both sides. A number of another field than `result`
/// may be a rating or a value.
fn stated(name: &str, value: &Value<'_>) -> Option<Stated> {
    let discs = |side: &str| value.get(side).as_u64().filter(|discs| *discs <= 64).map(|discs| discs as u32);
    match value {
        Value::Number(_) if name == "result" => {
            value.as_f64().filter(|discs| discs.abs() >= 2.0).and_then(Score::from_discs).map(Stated::from)
        }
        Value::Str(text) => result_line::read(text).flatten(),
        Value::Object(_) => Stated::counts(discs("black")?, discs("white")?),
        _ => None,
    }
}

/// Reads a game of Egaroucid: its positions, of which all but the first have a move.
fn read_saved(object: &Value<'_>, nodes: &[(u8, &Value<'_>)]) -> Result<Game, ReadError> {
    let invalid = |field: &str| ReadError::new(ReadErrorCode::Json, format!("{field}: invalid or missing"));
    let position = |node: &Value<'_>| {
        let discs = |field: &str| Some(Bitboard(node.get(field).as_u64()?.reverse_bits()));
        let [own, other] = [discs("board_player")?, discs("board_opponent")?];
        match node.get("player").as_u64()? {
            0 => Position::from_discs(own, other, Color::Black),
            1 => Position::from_discs(other, own, Color::White),
            _ => None,
        }
    };
    let start =
        nodes.first().and_then(|(_, node)| position(node)).ok_or_else(|| invalid("the first position"))?;
    let mut game = Game::new(start);
    let name = |field: &str| Player { name: text(object.get(field)).map(str::to_owned), ..Player::default() };
    (game.tags.black, game.tags.white) = (name("black_player"), name("white_player"));
    game.tags.date = text(object.get("date")).map(str::to_owned);
    game.tags.comments.extend(text(object.get("memo")).map(|memo| (0, memo.to_owned())));
    game.tags.drop_text("values of positions", "value");
    for (_, node) in &nodes[1..] {
        let number = game.discs_placed() + 1;
        let square = node.get("policy").as_u64().filter(|policy| *policy < 64);
        let square = square.and_then(|policy| Square::new(63 - policy as u8));
        let error = || invalid(&format!("move {number}: policy")).at_move(number);
        let played = square.ok_or_else(error).and_then(|square| moves::play(&mut game, Move::Place(square)));
        played.map_err(|error| error.after(&game))?;
        let black = game.position().discs(Color::Black);
        if position(node).is_none_or(|node| node.discs(Color::Black) != black) {
            let error = invalid(&format!("move {number}: the position after it")).at_move(number);
            return Err(error.after(&game));
        }
    }
    Ok(game)
}

/// The fields of an entry that may have its move.
const MOVE_FIELDS: [&str; 5] = ["m", "move", "square", "position", "coord"];

/// The text of the move of an entry: `-` for a pass that is `null` or blank, `None` for an object without a move.
fn move_of<'a>(entry: &'a Value<'_>) -> Option<Cow<'a, str>> {
    let field = MOVE_FIELDS.into_iter().map(|name| entry.get(name)).find(|field| !field.is_null());
    match field.unwrap_or(entry) {
        Value::Object(_) => None,
        Value::Null => Some("-".into()),
        Value::Str(text) if text.trim().is_empty() => Some("-".into()),
        Value::Str(text) => Some(text.trim().into()),
        field => Some(field.to_string().into()),
    }
}

/// Plays a list of moves: texts, or objects with `m`.
fn play(entries: &[Value<'_>], start: Option<Position>) -> Result<Game, ReadError> {
    let (mut game, mut resigned) = (start.map(Game::new), false);
    let mut other = None;
    for entry in entries {
        // An object without a move is a resignation.
        let Some(text) = move_of(entry) else {
            resigned = true;
            continue;
        };
        let mut names = fields(entry).map(|(name, _)| name);
        other = other.or_else(|| names.find(|name| *name != "t" && !MOVE_FIELDS.contains(name)));
        let mv = if text == "-" { Some(Move::Pass) } else { moves::parse(&text) };
        let number = game.as_ref().map_or(0, Game::discs_placed) + 1;
        let unreadable = || {
            let error = ReadError::unreadable(number, &text);
            game.iter().fold(error, |error, game| error.after(game))
        };
        let mv = mv.ok_or_else(unreadable)?;
        let time = entry.get("t").as_f64();
        let time = time.and_then(|time| Duration::try_from_secs_f64(time / 1000.0).ok());
        let game = game.get_or_insert_with(|| Game::new(transcript::start_of(mv)));
        moves::play(game, RecordedMove { mv, eval: None, time })?;
    }
    if let (Some(name), Some(game)) = (other, &mut game) {
        game.tags.drop_text("other fields of moves", name);
    }
    if resigned && let Some(game) = &mut game {
        let number = game.discs_placed();
        game.tags.drop_part("entries without a move", || format!("move {number}"));
    }
    game.ok_or_else(ReadError::no_moves)
}

/// The day of a number of milliseconds since 1970, after Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
fn date_of(value: &Value<'_>) -> Option<String> {
    let milliseconds = value.as_f64().filter(|number| (0.0..1e14).contains(number))?;
    let days = (milliseconds / 86_400_000.0) as u64 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    Some(format!("{}-{month:02}-{day:02}", era * 400 + year + u64::from(month <= 2)))
}
