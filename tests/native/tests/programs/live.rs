//! The transcripts, played to the program.

use outflank_tests::spawned::Spawned;
use outflank_tests::transcript::Transcript;

#[test]
fn every_transcript_with_the_program() {
    let transcripts = Transcript::all("live").unwrap();
    assert!(transcripts.len() > 18);
    for transcript in transcripts {
        println!("{}", transcript.name);
        let options = ["--hash", "16", "--eval", "small", "--book", "none"];
        transcript.play(&mut Spawned::new(options)).unwrap();
    }
}
