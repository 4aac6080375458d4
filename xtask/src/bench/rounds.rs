//! One workload natively and in the browser, in turn, several times.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::sides::Sides;

/// Rounds on each side; the fastest counts, for the others were disturbed.
pub(super) const ROUNDS: usize = 3;

/// Runs the native program with `arguments` and the browser with each of the `jobs`, which have names, prints every run
/// and the ratios of the fastest, and returns the count they agree on.
///
/// # Errors
/// When any two runs count differently.
pub(crate) fn compare(sides: &Sides, arguments: &[&str], jobs: &[(&str, Value)], unit: &str) -> Result<u64> {
    let mut best = vec![f64::INFINITY; 1 + jobs.len()];
    let mut agreed = None;
    for round in 1..=ROUNDS {
        let mut runs = vec![("native", sides.native(arguments)?)];
        for (name, job) in jobs {
            runs.push((name, sides.wasm(job)?));
        }
        for (fastest, (name, result)) in best.iter_mut().zip(runs) {
            let count = number(&result, "nodes")?;
            let seconds = result["seconds"].as_f64().context("no `seconds` in the result")?;
            let cold = result["cold"].as_f64().map(|cold| format!("  ({cold:.3} s the first time)"));
            println!(
                "  round {round}  {name:8} {count:>12} {unit} {seconds:>8.3} s {:>8.2} M/s{}",
                count as f64 / seconds / 1e6,
                cold.unwrap_or_default()
            );
            if *agreed.get_or_insert(count) != count {
                bail!("{name} counted {count} {unit}, another run {}", agreed.unwrap_or_default());
            }
            *fastest = fastest.min(seconds);
        }
    }
    let native = best[0];
    print!("  fastest  native {native:.3} s");
    for ((name, _), wasm) in jobs.iter().zip(&best[1..]) {
        print!(", {name} {wasm:.3} s, ratio {:.2}", wasm / native);
    }
    println!();
    agreed.context("nothing was run")
}

/// A count, which JavaScript may have to send as text.
pub(crate) fn number(result: &Value, field: &str) -> Result<u64> {
    let value = &result[field];
    value
        .as_u64()
        .or_else(|| value.as_str()?.parse().ok())
        .with_context(|| format!("no number `{field}` in {result}"))
}
