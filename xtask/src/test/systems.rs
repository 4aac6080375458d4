//! The program on other systems, run on this machine: 64-bit ARM under QEMU, Windows under Wine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::counts::tests;
use super::steps::ALL_BUT_RUNNER;
use crate::{process, setup, toolchain, workspace};

/// A system, with the packages and tests that are compiled for it.
struct System {
    target: &'static str,
    packages: &'static [&'static str],
    tests: &'static [&'static str],
    /// Variables of cargo: the linker, and what runs the tests.
    variables: &'static [(&'static str, &'static str)],
}

/// The tests of whole programs run natively and start the emulated program.
const ARM: System = System {
    target: "aarch64-unknown-linux-gnu",
    packages: &["outflank", "outflank-cli", "outflank-properties"],
    tests: &["properties", "sessions"],
    variables: &[
        ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc"),
        ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", QEMU),
    ],
};
const QEMU: &str = "qemu-aarch64 -L /usr/aarch64-linux-gnu";

/// The tests of whole programs are compiled as well: paths, locks and processes are those of Windows.
const WINDOWS: System = System {
    target: "x86_64-pc-windows-gnu",
    packages: &["outflank", "outflank-cli", "outflank-properties", "outflank-tests"],
    tests: &[
        "properties",
        "sessions",
        "analyze",
        "convert",
        "faults",
        "live",
        "matches",
        "store",
        "systems",
    ],
    variables: &[
        ("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine"),
        ("WINEDEBUG", "-all"),
        // Without these, Wine asks to install Mono and Gecko.
        ("WINEDLLOVERRIDES", "mscoree,mshtml="),
    ],
};

/// Tests that take minutes under emulation, or that measure time or the emulator.
const SKIPPED: [&str; 7] = [
    "every_transcript_in_this_process",
    "file_size_limit",
    "interrupted_match",
    "killed_fifty_times",
    "missing_memory",
    "reduced_table",
    "time_grows",
];

impl System {
    fn folder(&self) -> PathBuf {
        workspace::target().join(self.target).join("debug")
    }

    fn cargo(&self, words: &[&str]) -> Command {
        let mut cargo = process::cargo();
        cargo.args(words).args(["--locked", "--target", self.target]).envs(self.variables.iter().copied());
        cargo.args(self.packages.iter().flat_map(|name| ["--package", name]));
        cargo.args(self.tests.iter().flat_map(|name| ["--test", name]));
        cargo
    }

    /// Compiles the program and the tests.
    fn build(&self) -> Result<()> {
        toolchain::ensure_target(self.target)?;
        process::run(&mut self.cargo(&["build", "--bin", "outflank"]))
    }
}

/// Compiles everything for both systems.
pub(super) fn build() -> Result<()> {
    setup::arm()?;
    ARM.build()?;
    setup::windows()?;
    WINDOWS.build()
}

pub(super) fn arm() -> Result<u64> {
    setup::arm()?;
    ARM.build()?;
    // The tests start this script as if it were the program.
    let folder = workspace::target().join("arm");
    let script = folder.join("outflank");
    let program = ARM.folder().join("outflank");
    write(&script, &format!("#!/bin/sh\nexec {QEMU} '{}' \"$@\"\n", program.display()))?;
    process::run(Command::new("chmod").arg("+x").arg(&script))?;
    let mut whole = process::cargo();
    whole.args(["test", "--locked", "--no-fail-fast"]).args(ALL_BUT_RUNNER);
    let names = WINDOWS.tests.iter().filter(|name| !ARM.tests.contains(name));
    whole.args(names.flat_map(|name| ["--test", name])).env("OUTFLANK_PROGRAM", script);
    Ok(tests(skipping(&mut whole))? + tests(skipping(&mut ARM.cargo(&["test", "--no-fail-fast"])))?)
}

/// The function of Windows from which Rust takes random numbers. Wine 8, which Debian 12 has, lacks it.
const RANDOM_NUMBERS: &str = "unsigned char __stdcall SystemFunction036(void *bytes, unsigned long count);
__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *bytes, unsigned long long count) {
    return SystemFunction036(bytes, (unsigned long)count);
}
";

pub(super) fn windows() -> Result<u64> {
    setup::windows()?;
    WINDOWS.build()?;
    let (folder, wine) = (WINDOWS.folder(), workspace::target().join("wine"));
    write(&wine.join("random.c"), RANDOM_NUMBERS)?;
    for library in [folder.join("bcryptprimitives.dll"), folder.join("deps/bcryptprimitives.dll")] {
        let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
        compiler.args(["-shared", "-O1", "-o"]).arg(library).arg(wine.join("random.c"));
        process::run(compiler.arg("-ladvapi32"))?;
    }
    let mut cargo = WINDOWS.cargo(&["test", "--no-fail-fast"]);
    cargo.env("WINEPREFIX", wine.join("prefix"));
    cargo.env("OUTFLANK_PROGRAM", format!("Z:{}", folder.join("outflank.exe").display()));
    tests(skipping(&mut cargo))
}

fn skipping(command: &mut Command) -> &mut Command {
    command.arg("--").args(SKIPPED.iter().flat_map(|name| ["--skip", name])).stdin(Stdio::null())
}

fn write(path: &Path, text: &str) -> Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
