//! Endless lines, invalid bytes and too little memory: each is reported, and the conversation continues.

use outflank::random::Random;
use outflank::session::Protocol;
use outflank_properties::sessions;
use outflank_tests::spawned::Spawned;

#[test]
fn endless_line_and_invalid_bytes_do_not_end_a_conversation() {
    let mut random = Random::new(7);
    for protocol in Protocol::ALL {
        let [opening, question, answer] = sessions::question(protocol);
        // As programs on Windows end lines. The large network needs more than the bound, and may be loaded while memory is measured.
        let options = [protocol.name(), "--hash", "1", "--eval", "small", "--book", "none"];
        let mut engine = Spawned::new(options);
        engine.send(&format!("{opening}\r\n{question}\r"));
        engine.until(answer);
        let before = engine.peak_memory();
        // 48 MiB in one line.
        let part = "f5d6c3d3".repeat(1 << 17);
        for _ in 0..48 {
            engine.send_bytes(part.as_bytes());
        }
        engine.send("");
        // Cassio's protocol has one answer to everything, and those of GTP end with an empty line.
        let error = std::iter::from_fn(|| engine.next_line())
            .find(|line| !line.is_empty() && line != answer)
            .unwrap();
        assert!(
            error.replace(')', "").contains("the line is too long: f5d6c3d3") && error.len() < 200,
            "{error}"
        );
        for _ in 0..2000 {
            let bytes: Vec<u8> = (0..random.below(80)).map(|_| random.below(256) as u8).collect();
            engine.send_bytes(&[&bytes[..], b"\n"].concat());
        }
        engine.send(&format!("\n{question}\r"));
        let answered = std::iter::from_fn(|| engine.next_line()).take(100_000).any(|line| line == answer);
        assert!(answered, "{protocol}: no `{answer}`");
        assert_eq!(engine.errors(), [""; 0], "{protocol}: standard error");
        if let (Some(before), Some(after)) = (before, engine.peak_memory()) {
            assert!(after < before + (12 << 20), "{before} bytes, then {after}");
        }
        // The input ends in the middle of a line.
        engine.send_bytes(b"pin");
        assert_eq!(engine.leave(), Some(0), "{protocol}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn reduced_table_is_reported_in_every_protocol() {
    for protocol in Protocol::ALL {
        let [opening, question, answer] = sessions::question(protocol);
        let script = format!("ulimit -v 3000000; exec \"$0\" {protocol} --hash 1000000");
        let arguments = ["-c", &script, outflank_tests::spawned::program().to_str().unwrap()];
        let mut engine = Spawned::of("sh".as_ref(), arguments);
        engine.send(opening);
        let part = "not enough memory for the requested hash table; using ";
        while !engine.next_line().unwrap().contains(part) {}
        engine.send(question);
        engine.until(answer);
        assert_eq!(engine.leave(), Some(0));
    }
}
