//! The built modules, in workers of a headless browser. `tests/bench/run.js` carries out one job per line.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::Fault;
use super::side::{Build, HASH, Side, Solved};

/// A browser that carries out jobs.
pub(crate) struct Browser {
    child: Child,
    jobs: Option<ChildStdin>,
    results: BufReader<ChildStdout>,
}

impl Browser {
    /// Starts the browser and the server of the built page. `cargo xtask differential` sets the browser in the environment.
    pub(crate) fn start() -> Result<Browser, Fault> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut child = Command::new("node")
            .current_dir(root)
            .args(["tests/bench/run.js", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let jobs = child.stdin.take();
        let results = child.stdout.take().ok_or("no output to read")?;
        Ok(Browser { child, jobs, results: BufReader::new(results) })
    }

    fn job(&mut self, job: &Value) -> Result<Value, Fault> {
        let jobs = self.jobs.as_mut().ok_or("the browser has ended")?;
        writeln!(jobs, "{job}")?;
        jobs.flush()?;
        let mut line = String::new();
        self.results.read_line(&mut line)?;
        let result: Value =
            serde_json::from_str(&line).map_err(|_| format!("invalid answer of the browser: `{line}`"))?;
        match result["error"].as_str() {
            Some(error) => Err(format!("in the browser: {error}").into()),
            None => Ok(result),
        }
    }

    /// Returns both modules with each of their kernels, and the module for shared memory with more threads.
    pub(crate) fn sides(&mut self, max_threads: usize) -> Result<Vec<Side>, Fault> {
        let answer = self.job(&json!({ "work": "kernels" }))?;
        let kernels: Vec<&str> = list(&answer["kernels"])?.iter().filter_map(Value::as_str).collect();
        let best = kernels.last().copied().ok_or("the module has no kernels")?;
        let side = |build, kernel: &str, threads| Side { build, kernel: kernel.to_owned(), threads };
        let alone = [Build::Wasm, Build::Shared];
        let alone =
            alone.into_iter().flat_map(|build| kernels.iter().map(move |kernel| side(build, kernel, 1)));
        Ok(alone.chain((2..=max_threads).map(|threads| side(Build::Shared, best, threads))).collect())
    }

    pub(crate) fn leaves(&mut self, side: &Side, positions: &[String]) -> Result<Vec<String>, Fault> {
        let answers = self.job(&job("leaves", side, json!({ "positions": positions })))?;
        list(&answers["answers"])?.iter().map(|answer| Ok(text(answer)?.to_owned())).collect()
    }

    pub(crate) fn solve(
        &mut self,
        side: &Side,
        positions: &[String],
        keep_table: bool,
    ) -> Result<Vec<Solved>, Fault> {
        let options = json!({ "positions": positions, "hash": HASH, "kept": keep_table });
        let answers = self.job(&job("endgame", side, options))?;
        let solved = |answer: &Value| {
            let score = answer["score"].as_i64().ok_or("no score")?;
            let nodes = text(&answer["nodes"])?.parse()?;
            Ok(Solved { score, nodes })
        };
        list(&answers["positions"])?.iter().map(solved).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends with its input.
        self.jobs = None;
        let _ = self.child.wait();
    }
}

fn job(work: &str, side: &Side, options: Value) -> Value {
    let threads = (side.build == Build::Shared).then_some(side.threads);
    let mut job = json!({ "work": work, "threads": threads, "kernel": side.kernel });
    if let (Some(job), Value::Object(options)) = (job.as_object_mut(), options) {
        job.extend(options);
    }
    job
}

fn list(value: &Value) -> Result<&Vec<Value>, Fault> {
    Ok(value.as_array().ok_or_else(|| format!("invalid answer of the browser: `{value}`"))?)
}

fn text(value: &Value) -> Result<&str, Fault> {
    Ok(value.as_str().ok_or_else(|| format!("invalid answer of the browser: `{value}`"))?)
}
