//! The cluster example of the command line, on a cluster of processes of this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;

use super::tally::Tally;
use crate::{native, process, workspace};

/// Runs 10,000 positions through four processes, of which one is killed, and through one; where no Python with virtual
/// environments is to be had, says so and counts nothing.
pub(crate) fn run() -> Result<Tally> {
    let folder = workspace::tests().join("cluster");
    let python = match environment(&folder.join("requirements.txt")) {
        Ok(python) => python,
        Err(reason) => {
            println!("skipped: {reason}");
            return Ok(Tally::default());
        }
    };
    let outflank = native::build_for_tests()?;
    let mut command = Command::new(python);
    command.arg(folder.join("run.py")).arg(outflank);
    // A worker that is killed is told of at length.
    command.env("DASK_DISTRIBUTED__LOGGING__DISTRIBUTED", "critical");
    Tally::of_check(&mut command)
}

/// The Python of a virtual environment with what `requirements` names; made once for each such file.
fn environment(requirements: &Path) -> Result<PathBuf, String> {
    let Some(python) = process::find("python3") else {
        return Err("there is no python3 (`apt-get install python3 python3-venv`)".to_owned());
    };
    let folder = workspace::target().join("cluster-venv");
    let inside = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = folder.join(".installed-from");
    let wanted =
        fs::read_to_string(requirements).map_err(|error| format!("{}: {error}", requirements.display()))?;
    if inside.is_file() && fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(inside);
    }
    let mut venv = Command::new(python);
    venv.args(["-m", "venv", "--clear"]).arg(&folder).stdout(Stdio::null());
    process::run(&mut venv).map_err(|error| {
        format!("python3 cannot make a virtual environment (`apt-get install python3-venv`): {error:#}")
    })?;
    let mut pip = Command::new(&inside);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
        .arg(requirements);
    process::run(&mut pip).map_err(|error| format!("Dask cannot be installed: {error:#}"))?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(inside)
}
