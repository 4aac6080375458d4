//! Files in formats of bytes, and books.

use outflank::book::Book;
use outflank::eval::Network;
use outflank::eval::network::{LARGE, SMALL};
use outflank::notation::wthor::{self as archive, Names, Record};

use crate::{has_message, is_played};

const DAY: [u8; 4] = [20, 26, 11, 22];

/// A file of games of the WTHOR database: games are written and read back.
pub fn wthor(bytes: &[u8]) {
    let (found, error) = match archive::read(bytes) {
        Ok(found) => found,
        Err(error) => return has_message(error),
    };
    error.into_iter().for_each(has_message);
    let written = archive::write(&found, DAY);
    assert_eq!(archive::read(&written), Ok((found.clone(), None)));
    let names = ["Ann".to_owned()];
    for record in &found.games {
        assert!(record.squares().count() <= 60);
        match found.game(record, &names, &names) {
            Ok(game) => {
                let again = Record::of(&game).expect("the usual start");
                let again = again.game().unwrap();
                let usual = game.from_usual_start().map(|usual| usual.moves().to_vec());
                assert_eq!(Some(again.moves()), usual.as_deref());
            }
            Err(error) => has_message(error),
        }
    }
}

pub fn names(bytes: &[u8]) {
    for kind in [Names::Players, Names::Tournaments] {
        let (found, records) = match archive::read_whole_names(bytes, kind) {
            Ok(found) => found,
            Err(error) => return has_message(error),
        };
        assert!(found.len() <= records);
        assert!(found.len() == records || archive::read_names(bytes, kind).is_err());
        // A name that was written once stays the same.
        let written = |names: &[String]| {
            let (bytes, cut) = archive::write_names(names, kind, DAY);
            let read = archive::read_names(&bytes, kind).unwrap();
            (read, cut.len())
        };
        // The header counts at most this many.
        if found.len() <= usize::from(u16::MAX) {
            let (once, cut) = written(&found);
            assert!(once == found || cut > 0, "{found:?} became {once:?}");
            assert_eq!(written(&once), (once.clone(), 0));
        }
    }
}

/// A book as a text.
pub fn book(bytes: &[u8]) {
    match Book::read(&String::from_utf8_lossy(bytes)) {
        Ok(book) => is_played(&book),
        Err(error) => has_message(error),
    }
}

/// A weights file. The first byte selects its form: the bytes unchanged, or the bytes after a valid head of the small or the
/// large network, so that the data after the checksum are read. A network that was read is written and read back.
pub fn weights(bytes: &[u8]) {
    let (kind, mut body) = match bytes.split_first() {
        Some((first, body)) => (first % 8, body.to_vec()),
        None => (0, Vec::new()),
    };
    match kind {
        0 => check_weights::<SMALL>(&body),
        7 => check_weights::<LARGE>(&with_head(&body, &Network::<LARGE>::zero().to_bytes(1))),
        _ => {
            // The frequencies of the small network before them.
            if kind > 3 {
                body.splice(..0, FILE[HEAD..FREQUENCIES_END].iter().copied());
            }
            check_weights::<SMALL>(&with_head(&body, FILE));
        }
    }
}

fn check_weights<const WIDTH: usize>(file: &[u8]) {
    match Network::<WIDTH>::from_bytes(file) {
        Ok(network) => {
            // All weights are multiples of a step, so step 1 loses nothing.
            let again = Network::from_bytes(&network.to_bytes(1)).unwrap();
            assert!(again == network, "written and read again");
        }
        Err(error) => has_message(error),
    }
}

const HEAD: usize = 30;
/// Position after the frequencies of the small network, up to a few bytes.
const FREQUENCIES_END: usize = 925;

const FILE: &[u8] = include_bytes!("../../../engine/weights/outflank.weights");

/// The bytes after the head of a file, with the right length and checksum.
fn with_head(body: &[u8], head: &[u8]) -> Vec<u8> {
    let mut file = head[..HEAD].to_vec();
    file[10..14].copy_from_slice(&(body.len() as u32).to_le_bytes());
    let sum = body.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    file[14..22].copy_from_slice(&sum.to_le_bytes());
    file.extend_from_slice(body);
    file
}
