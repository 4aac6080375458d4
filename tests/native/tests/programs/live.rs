//! The transcripts, played to the program.

use std::collections::BTreeSet;
use std::path::Path;

use outflank_tests::corpus;
use outflank_tests::engine::play;
use outflank_tests::spawned::{Spawned, program, run};
use outflank_tests::transcript::Transcript;

#[test]
fn every_transcript_with_the_program() {
    let program = program().unwrap();
    for (name, text) in corpus::LIVE {
        println!("{name}");
        let transcript = Transcript::parse(name, text).unwrap_or_else(|error| panic!("live/{error}"));
        let mut engine =
            Spawned::new(program, ["--hash", "16", "--eval", "small", "--book", "none"]).unwrap();
        play(&transcript, &mut engine).unwrap_or_else(|error| panic!("live/{error}"));
    }
}

#[test]
fn doctor_finds_the_program_healthy() {
    let ended = run(&["doctor", "--quick", "--json"], b"");
    let parts = [r#""wrong":[],"#, r#""passed":true"#, r#""kernels":["portable""#];
    assert!(ended.code == Some(0) && parts.iter().all(|part| ended.out.contains(part)), "{ended:?}");
}

#[test]
fn every_file_is_in_the_corpus() {
    let folder = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("transcripts").join(name);
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        names.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect::<BTreeSet<_>>()
    };
    let named = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(folder("live"), named(corpus::LIVE.iter().map(|entry| entry.0).collect()));
    assert_eq!(folder("scripted"), named(corpus::SCRIPTED.iter().map(|entry| entry.1).collect()));
}
