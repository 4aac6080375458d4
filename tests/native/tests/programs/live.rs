//! The transcripts, played to the program.

use outflank_tests::spawned::{Spawned, run};
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

#[test]
fn doctor_finds_the_program_healthy() {
    let ended = run(&["doctor", "--quick", "--json"]);
    let parts = [r#""wrong":[],"#, r#""passed":true"#, r#""kernels":["portable""#];
    assert!(ended.code == Some(0) && parts.iter().all(|part| ended.out.contains(part)), "{ended:?}");
}
