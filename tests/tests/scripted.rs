//! Sessions with a scripted search.

use outflank::session::{Conversation, SessionConfig};
use outflank_tests::corpus;
use outflank_tests::scripted::play;
use outflank_tests::transcript::Transcript;

#[test]
fn every_scripted_transcript() {
    for &(protocol, name, text) in corpus::SCRIPTED {
        let transcript = Transcript::parse(name, text).unwrap_or_else(|error| panic!("scripted/{error}"));
        let mut session = Conversation::in_protocol(protocol.parse().unwrap(), SessionConfig::default());
        play(&transcript, &mut session).unwrap_or_else(|error| panic!("scripted/{error}"));
    }
}
