//! The built modules, in workers of a headless browser. `tests/bench/run.js` carries out one job per line.

use std::io::{BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::de::IoRead;
use serde_json::{Deserializer, StreamDeserializer, Value, json};

use super::{HASH, MAX_THREADS, Side, Solved};

/// The module for one worker, and the one for shared memory.
const MODULES: [&str; 2] = ["wasm", "wasm, shared memory"];

/// A browser that carries out jobs.
pub(crate) struct Browser {
    child: Child,
    results: StreamDeserializer<'static, IoRead<BufReader<ChildStdout>>, Value>,
}

impl Browser {
    /// Starts the browser and the server of the built page. `cargo xtask differential` sets the browser in the environment.
    pub(crate) fn start() -> Result<Browser> {
        let mut node = Command::new("node");
        node.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
        node.args(["tests/bench/run.js", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = node.spawn()?;
        let output = BufReader::new(child.stdout.take().context("no output to read")?);
        Ok(Browser { child, results: Deserializer::from_reader(output).into_iter() })
    }

    fn job(&mut self, job: &Value) -> Result<Value> {
        writeln!(self.child.stdin.as_mut().context("no input to write to")?, "{job}")?;
        let result = self.results.next().context("the browser has ended")??;
        ensure!(result["error"].is_null(), "in the browser: {}", result["error"]);
        Ok(result)
    }

    /// Returns both modules with each of their kernels, and the module for shared memory with more threads.
    pub(crate) fn sides(&mut self) -> Result<Vec<Side>> {
        let mut answer = self.job(&json!({ "work": "kernels" }))?;
        let kernels: Vec<String> = serde_json::from_value(answer["kernels"].take())?;
        let best = kernels.last().context("the module has no kernels")?;
        let side = |build, kernel: &String, threads| Side { build, kernel: kernel.clone(), threads };
        let alone = MODULES.iter().flat_map(|build| kernels.iter().map(|kernel| side(build, kernel, 1)));
        Ok(alone.chain((2..=MAX_THREADS).map(|threads| side(MODULES[1], best, threads))).collect())
    }

    pub(crate) fn solve(&mut self, side: &Side, positions: &[String], kept: bool) -> Result<Vec<Solved>> {
        let threads = (side.build == MODULES[1]).then_some(side.threads);
        let answers = self.job(&json!({
            "work": "endgame", "threads": threads, "kernel": side.kernel,
            "positions": positions, "hash": HASH, "kept": kept,
        }))?;
        let solved = |answer: &Value| {
            let score = answer["score"].as_i64().context("no score")?;
            Ok(Solved { score, nodes: answer["nodes"].as_str().context("no nodes")?.parse()? })
        };
        answers["positions"].as_array().into_iter().flatten().map(solved).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Closes the input, with which the browser ends.
        let _ = self.child.wait();
    }
}
