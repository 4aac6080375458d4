//! The cluster example of the command line program, on four processes of this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;

use super::counts::CheckCounts;
use crate::{native, process, workspace};

/// Searches 10,000 positions in four processes, one of which is killed, and in one process. If Python cannot create a
/// virtual environment, prints the reason and counts no checks.
pub(super) fn run() -> Result<CheckCounts> {
    let folder = workspace::tests().join("cluster");
    let python = match environment(&folder.join("requirements.txt")) {
        Ok(python) => python,
        Err(reason) => {
            println!("skipped: {reason}");
            return Ok(CheckCounts::default());
        }
    };
    let outflank = native::build_for_tests()?;
    let mut command = Command::new(python);
    command.arg(folder.join("run.py")).arg(outflank);
    // Dask logs a page of text when a worker is killed.
    command.env("DASK_DISTRIBUTED__LOGGING__DISTRIBUTED", "critical");
    CheckCounts::of_check(&mut command)
}

/// Returns the Python of a virtual environment with the packages in `requirements`. It is created again if the file changes.
fn environment(requirements: &Path) -> Result<PathBuf, String> {
    let Some(python) = process::find("python3") else {
        return Err("python3 is not installed (`apt-get install python3 python3-venv`)".to_owned());
    };
    let folder = workspace::target().join("cluster-venv");
    let inside = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = folder.join(".installed-from");
    let required =
        fs::read_to_string(requirements).map_err(|error| format!("{}: {error}", requirements.display()))?;
    if inside.is_file() && fs::read_to_string(&stamp).is_ok_and(|installed| installed == required) {
        return Ok(inside);
    }
    let mut venv = Command::new(python);
    venv.args(["-m", "venv", "--clear"]).arg(&folder).stdout(Stdio::null());
    process::run(&mut venv).map_err(|error| {
        format!("python3 cannot create a virtual environment (`apt-get install python3-venv`): {error:#}")
    })?;
    let mut pip = Command::new(&inside);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
        .arg(requirements);
    process::run(&mut pip).map_err(|error| format!("cannot install Dask: {error:#}"))?;
    fs::write(&stamp, required).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(inside)
}
