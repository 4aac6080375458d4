//! The budgets of the page.

use anyhow::{Context, Result, bail};

use super::sides::Sides;

/// Measures in a fresh browser and prints every budget with pass or fail.
///
/// # Errors
/// When a budget is broken. What this browser does not tell breaks none.
pub(crate) fn run(sides: &Sides) -> Result<()> {
    let rows = sides.script("tests/bench/page.js", &[])?;
    let rows = rows.as_array().context("page.js prints no list")?;
    let mut broken = 0;
    for row in rows {
        let what = row["what"].as_str().context("a row has no `what`")?;
        let unit = row["unit"].as_str().unwrap_or_default();
        let budget = row["budget"].as_f64().with_context(|| format!("no budget for {what}"))?;
        let (value, verdict) = match row["value"].as_f64() {
            None => ("?".to_owned(), "not told"),
            Some(value) if value <= budget => (format!("{value:.2}"), "pass"),
            Some(value) => {
                broken += 1;
                (format!("{value:.2}"), "FAIL")
            }
        };
        println!("{what:50} {value:>9} {unit:3} of {budget:>7}  {verdict}");
    }
    if broken > 0 {
        bail!("{broken} of {} budgets broken", rows.len());
    }
    Ok(())
}
