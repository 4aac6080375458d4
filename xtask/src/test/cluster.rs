//! The cluster example of the command line program, on four processes of this machine.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::counts::check;
use crate::{native, process, setup, workspace};

/// Searches 10,000 positions in four processes, one of which is killed, and in one process. If Python cannot create a
/// virtual environment, prints the reason and returns 0.
pub(super) fn run() -> Result<u64> {
    let folder = workspace::tests().join("cluster");
    let python = match environment(&folder.join("requirements.txt")) {
        Ok(python) => python,
        Err(reason) => {
            println!("skipped: {reason:#}");
            return Ok(0);
        }
    };
    let outflank = native::build_for_tests()?;
    let mut command = Command::new(python);
    command.arg(folder.join("run.py")).arg(outflank);
    // Dask logs a page of text when a worker is killed.
    command.env("DASK_DISTRIBUTED__LOGGING__DISTRIBUTED", "critical");
    check(&mut command)
}

/// Returns the Python of a virtual environment with the packages in `requirements`. It is created again if the file changes.
fn environment(requirements: &Path) -> Result<PathBuf> {
    let python = process::find("python3")
        .context("python3 is not installed (`apt-get install python3 python3-venv`)")?;
    let folder = workspace::target().join("cluster-venv");
    let inside = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    setup::unless_installed(requirements, &folder, || {
        let mut venv = Command::new(python);
        process::run(venv.args(["-m", "venv", "--clear"]).arg(&folder).stdout(Stdio::null()))
            .context("python3 cannot create a virtual environment (`apt-get install python3-venv`)")?;
        let mut pip = Command::new(&inside);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
        process::run(pip.arg(requirements)).context("cannot install Dask")
    })?;
    Ok(inside)
}
