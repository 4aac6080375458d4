//! Program of `cargo xtask soak`: a long run of games with disturbances.
//!
//! ```text
//! soak ENGINE MINUTES SEED [PROTOCOL]...
//! ```

use std::process::ExitCode;
use std::time::Duration;

use outflank::session::Protocol;
use outflank_tests::soak::{Options, run};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match play(&arguments) {
        Ok(table) => {
            println!("\n{table}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn play(arguments: &[String]) -> Result<String, Box<dyn std::error::Error>> {
    let [engine, minutes, seed, names @ ..] = arguments else {
        return Err("usage: soak ENGINE MINUTES SEED [PROTOCOL]...".into());
    };
    let named = names.iter().map(|name| name.parse()).collect::<Result<Vec<Protocol>, _>>()?;
    let options = Options {
        engine: engine.into(),
        time: Duration::from_secs(60 * minutes.parse::<u64>()?),
        seed: seed.parse()?,
        late: Duration::from_secs(1),
        growth: 8 << 20,
    };
    let protocols = if named.is_empty() { &Protocol::ALL[..] } else { &named };
    Ok(run(protocols, &options, |line| println!("{line}"))?)
}
