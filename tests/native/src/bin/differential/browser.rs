//! The built modules, in workers of a headless browser. `tests/bench/run.js` carries out one job per line.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::Fault;
use super::side::{HASH, Side, Solved};

/// The module for one worker, and the one for shared memory.
const MODULES: [&str; 2] = ["wasm", "wasm, shared memory"];

/// A browser that carries out jobs.
pub(crate) struct Browser {
    child: Child,
    jobs: Option<ChildStdin>,
    results: BufReader<ChildStdout>,
}

impl Browser {
    /// Starts the browser and the server of the built page. `cargo xtask differential` sets the browser in the environment.
    pub(crate) fn start() -> Result<Browser, Fault> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
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
        let kernels: Vec<String> = serde_json::from_value(answer["kernels"].clone())?;
        let best = kernels.last().ok_or("the module has no kernels")?;
        let side = |build, kernel: &String, threads| Side { build, kernel: kernel.clone(), threads };
        let alone =
            MODULES.into_iter().flat_map(|build| kernels.iter().map(move |kernel| side(build, kernel, 1)));
        Ok(alone.chain((2..=max_threads).map(|threads| side(MODULES[1], best, threads))).collect())
    }

    pub(crate) fn solve(
        &mut self,
        side: &Side,
        positions: &[String],
        keep_table: bool,
    ) -> Result<Vec<Solved>, Fault> {
        let threads = (side.build == MODULES[1]).then_some(side.threads);
        let answers = self.job(&json!({
            "work": "endgame", "threads": threads, "kernel": side.kernel,
            "positions": positions, "hash": HASH, "kept": keep_table,
        }))?;
        let solved = |answer: &Value| {
            let score = answer["score"].as_i64().ok_or("no score")?;
            Ok(Solved { score, nodes: answer["nodes"].as_str().ok_or("no nodes")?.parse()? })
        };
        answers["positions"].as_array().into_iter().flatten().map(solved).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends with its input.
        self.jobs = None;
        let _ = self.child.wait();
    }
}
