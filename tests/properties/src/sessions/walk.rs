//! Random conversations.

use outflank::board::{Color, Square};
use outflank::notation::{fen, ggf, squares};
use outflank::random::Random;
use outflank::session::Protocol;

use super::grammar::{Grammar, grammar};
use super::{MAX_STEPS, run};
use crate::draw::Draw;

/// Numbers that may replace the last word of a line.
const NUMBERS: &str =
    "0|1|2|3|10|64|-1|0.5|1e400|nan|-inf|99999999999999999999|18446744073709551615|4294967296|0:20|";

/// Runs a random conversation.
pub fn walk(protocol: Protocol, seed: u64) {
    let mut random = Random::of_stream(seed, protocol as u64);
    let bytes: Vec<u8> = (0..600).map(|_| random.below(256) as u8).collect();
    run(grammar(protocol), &drawn(protocol, &mut Draw::new(&bytes)));
}

/// Draws a conversation.
pub(super) fn drawn(protocol: Protocol, draw: &mut Draw<'_>) -> Vec<String> {
    let mut steps = Vec::new();
    if draw.once_in(3) {
        steps.push("@book".to_owned());
    }
    while !draw.is_empty() && steps.len() < MAX_STEPS {
        steps.push(drawn_step(grammar(protocol), draw));
    }
    steps
}

/// Draws a step: most often a line of the protocol or an event of its search.
pub(super) fn drawn_step(grammar: &'static Grammar, draw: &mut Draw<'_>) -> String {
    match draw.below(24) {
        0..=11 => line(grammar, draw),
        12 | 13 => format!("@report {:08x}", draw.any::<u32>()),
        14 => draw.pick(&["@report", "@partial", "@solved", "@bound", "@draw"]).to_owned(),
        15 => "@progress".to_owned(),
        16 | 17 => "@done".to_owned(),
        18 => format!("@failed {}", draw.wild()),
        19 => format!("@stale {:08x}", draw.any::<u32>()),
        20 => format!("@wait {}", draw.below(2_000)),
        21 => format!("@back {}", draw.below(5_000_000)),
        22 => draw.pick(&["@hash 1", "@hash 64", "@threads 1", "@threads 3", "@book", "@nobook"]).to_owned(),
        _ => format!("@long {}", line(grammar, draw)),
    }
}

/// Draws a line, one in four of them with a random change.
fn line(grammar: &'static Grammar, draw: &mut Draw<'_>) -> String {
    let line = draw.pick(&grammar.lines);
    match draw.below(16) {
        0..=2 => position(grammar.protocol, draw),
        3 | 4 => {
            let end = line.rfind([' ', '=']).map_or(line.len(), |at| at + 1);
            format!("{}{}", &line[..end], draw.part(NUMBERS))
        }
        5 => {
            let mut signs: Vec<char> = line.chars().collect();
            let at = draw.below(signs.len() + 1);
            let end = (at + draw.below(3)).min(signs.len());
            signs.splice(at..end, draw.wild().chars());
            signs.into_iter().collect()
        }
        // Few conversations must end early.
        _ if line.ends_with("quit") && !draw.once_in(8) => String::new(),
        _ => line.to_owned(),
    }
}

/// Draws a line with a position.
fn position(protocol: Protocol, draw: &mut Draw<'_>) -> String {
    let position = draw.position();
    let side = position.side().letter();
    match protocol {
        Protocol::NBoard => format!("set game {}", ggf::write(&draw.game(true))),
        Protocol::Cassio => {
            let board = squares::write_with(&position, ['X', 'O', '-']);
            let (alpha, beta) = (draw.below(129) as i32 - 64, draw.below(129) as i32 - 64);
            let (depth, precision) = (draw.below(30), 1 + draw.below(100));
            format!(
                "ENGINE-PROTOCOL {}",
                match draw.below(4) {
                    0 => format!("feed-hash {board}{side} {alpha} {beta} {depth} {precision} F5D6"),
                    1 => format!("endgame-search {board}{side} {alpha} {beta} {precision}"),
                    _ => format!("midgame-search {board} {side} {alpha} {beta} {depth} {precision}"),
                }
            )
        }
        Protocol::Hub => {
            let side = if side == 'X' { 'B' } else { 'W' };
            let moves: Vec<String> = draw.line(&position, 3).iter().map(ToString::to_string).collect();
            let board = squares::write_with(&position, ['b', 'w', 'e']);
            format!("pos pos={side}{board} moves=\"{}\"", moves.join(" "))
        }
        Protocol::XBoard => format!("setboard {}", fen::write(&position, 'd')),
        Protocol::Gtp => {
            let discs = Square::all().filter_map(|square| {
                let side = if position.color_at(square)? == Color::Black { 'b' } else { 'w' };
                Some(format!(" {side} {square}"))
            });
            format!("gogui-setup{}", discs.collect::<String>())
        }
    }
}
