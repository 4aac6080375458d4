//! Conversations: lines and search events in any order. A `World` plays the driver and holds the session to what is
//! promised in all dialects; what a dialect promises beyond that are its `Rules`.
//!
//! There are two ways to write a conversation down. `nboard`, `cassio`, `hub`, `xboard` and `conversation` draw it from
//! bytes, most of its lines well-formed; those ending in `_lines` are given texts, where `@` begins what is no line for
//! the session but an event of the search:
//!
//! | line | event |
//! | --- | --- |
//! | `@report ANY` | a report, drawn from the bytes of `ANY` |
//! | `@progress` | the search is alive |
//! | `@done`, `@failed` | it has ended, or broken down |
//! | `@stale ANY` | something of a search that nobody waits for any more |
//! | `@wait N` | so many milliseconds pass |
//! | `@hash`, `@threads`, `@book`, `@nobook` | news of the host |
//! | `@long LINE` | the beginning of a line that was too long |

mod cassio;
mod hub;
mod lines;
mod nboard;
mod rules;
mod world;
mod xboard;

use std::time::Duration;

use outflank::session::{Conversation, Event, Protocol, SessionConfig};

use crate::draw::Draw;
use rules::{Free, Rules};
use world::World;

/// The longest conversation, in lines and events.
const LONGEST: usize = 400;

/// NBoard's protocol.
pub fn nboard(bytes: &[u8]) {
    drawn(Protocol::NBoard, bytes);
}

/// Cassio's.
pub fn cassio(bytes: &[u8]) {
    drawn(Protocol::Cassio, bytes);
}

/// Hub.
pub fn hub(bytes: &[u8]) {
    drawn(Protocol::Hub, bytes);
}

/// XBoard's.
pub fn xboard(bytes: &[u8]) {
    drawn(Protocol::XBoard, bytes);
}

/// Lines of NBoard as a text.
pub fn nboard_lines(bytes: &[u8]) {
    written(Protocol::NBoard, bytes);
}

/// Lines of Cassio as a text.
pub fn cassio_lines(bytes: &[u8]) {
    written(Protocol::Cassio, bytes);
}

/// Lines of Hub as a text.
pub fn hub_lines(bytes: &[u8]) {
    written(Protocol::Hub, bytes);
}

/// Lines of XBoard as a text.
pub fn xboard_lines(bytes: &[u8]) {
    written(Protocol::XBoard, bytes);
}

/// A conversation in no fixed dialect, which any line may change.
pub fn conversation(bytes: &[u8]) {
    let mut draw = Draw::new(bytes);
    let mut world = World::new(Conversation::new(config(&mut draw)), Box::new(Free), draw.any());
    let mut steps = 0..LONGEST;
    while !draw.is_empty() && steps.next().is_some() && !world.is_over() {
        let dialect = draw.pick(&Protocol::ALL);
        step(&mut world, dialect, &mut draw);
    }
    world.finish();
}

fn drawn(dialect: Protocol, bytes: &[u8]) {
    let mut draw = Draw::new(bytes);
    let session = Conversation::in_protocol(dialect, config(&mut draw));
    let mut world = World::new(session, rules(dialect), draw.any());
    let mut steps = 0..LONGEST;
    while !draw.is_empty() && steps.next().is_some() && !world.is_over() {
        step(&mut world, dialect, &mut draw);
    }
    world.finish();
}

fn written(dialect: Protocol, bytes: &[u8]) {
    let text = crate::text(bytes);
    let config = SessionConfig { max_threads: 4, ..SessionConfig::default() };
    let mut world = World::new(Conversation::in_protocol(dialect, config), rules(dialect), true);
    for line in text.lines().take(LONGEST) {
        if world.is_over() {
            return;
        }
        let Some(event) = line.strip_prefix('@') else {
            world.line(line);
            continue;
        };
        let (name, rest) = event.split_once(' ').unwrap_or((event, ""));
        match name {
            "report" => world.report(&mut Draw::new(rest.as_bytes())),
            "progress" => world.progress(),
            "done" => world.done(),
            "failed" => world.failed("it broke"),
            "stale" => world.stale(&mut Draw::new(rest.as_bytes())),
            "wait" => world.wait(Duration::from_millis(rest.parse().unwrap_or(10))),
            "hash" => world.other(&Event::HashReduced(outflank::search::HashSize(1))),
            "threads" => world.other(&Event::ThreadsReduced(1)),
            "book" => world.other(&Event::Book(Ok(world::open_book()))),
            "nobook" => world.other(&Event::Book(Err("no such file".to_owned()))),
            "long" => world.other(&Event::LineTooLong(rest.to_owned())),
            _ => {}
        }
    }
    world.finish();
}

fn rules(dialect: Protocol) -> Box<dyn Rules> {
    match dialect {
        Protocol::NBoard => Box::<nboard::NBoard>::default(),
        Protocol::Cassio => Box::<cassio::Cassio>::default(),
        Protocol::Hub => Box::<hub::Hub>::default(),
        Protocol::XBoard => Box::<xboard::XBoard>::default(),
    }
}

fn config(draw: &mut Draw<'_>) -> SessionConfig {
    let book = draw.once_in(3).then(world::open_book);
    SessionConfig { max_threads: 4, book, ..SessionConfig::default() }
}

/// Something happens: mostly a line of the dialect, or what its search tells.
fn step(world: &mut World, dialect: Protocol, draw: &mut Draw<'_>) {
    match draw.below(24) {
        0..=9 => world.line(&lines::good(dialect, draw)),
        10 => world.line(&lines::spoilt(dialect, draw)),
        11 => world.line(&draw.wild()),
        12..=14 => world.report(draw),
        15 => world.progress(),
        16 | 17 => world.done(),
        18 => {
            let message = draw.wild();
            world.failed(&message);
        }
        19 => world.stale(draw),
        20 | 21 => {
            let millis = draw.below(2_000) as u64;
            world.wait(Duration::from_millis(millis));
        }
        _ => {
            let event = match draw.below(8) {
                0 => Event::HashReduced(outflank::search::HashSize(1 + draw.below(64) as u32)),
                1 => Event::ThreadsReduced(1 + draw.below(4)),
                2 => Event::LineTooLong(lines::good(dialect, draw)),
                3 => Event::LineTooLong(draw.wild()),
                4 => Event::Book(Ok(world::open_book())),
                5 => Event::Book(Err(draw.wild())),
                6 => Event::BookSaved(Err(draw.wild())),
                _ => Event::Line(String::new()),
            };
            world.other(&event);
        }
    }
}
