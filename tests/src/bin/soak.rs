//! Program of `cargo xtask soak`: a long run of games with disturbances.
//!
//! ```text
//! soak --engine FILE [--minutes N] [--dialect NAME]... [--seed N] [--late MS] [--growth MIB]
//! ```

use std::process::ExitCode;
use std::time::Duration;

use outflank::session::Protocol;
use outflank_tests::soak::{Length, Options, run};

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let outcome = run(&options, |line| println!("{line}"));
    match outcome {
        Ok(outcome) => {
            println!("\n{}", outcome.table());
            println!("seed {}, {} faults", options.seed, outcome.faults.len());
            for fault in &outcome.faults {
                println!("{fault}");
            }
            if outcome.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn options(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        engine: "outflank".into(),
        protocols: Vec::new(),
        length: Length::Time(Duration::from_secs(600)),
        seed: 1,
        late: Duration::from_secs(1),
        growth: 8 << 20,
    };
    while let Some(name) = words.next() {
        let value = words.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number =
            || value.parse::<u64>().map_err(|_| format!("{name} needs a whole number, not `{value}`"));
        match name.as_str() {
            "--engine" => options.engine = value.into(),
            "--minutes" => options.length = Length::Time(Duration::from_secs(60 * number()?)),
            "--dialect" => {
                options.protocols.push(value.parse().map_err(|error| format!("--dialect: {error}"))?)
            }
            "--seed" => options.seed = number()?,
            "--late" => options.late = Duration::from_millis(number()?),
            "--growth" => options.growth = number()? << 20,
            _ => return Err(format!("unknown option {name}")),
        }
    }
    if options.protocols.is_empty() {
        options.protocols = Protocol::ALL.to_vec();
    }
    Ok(options)
}
