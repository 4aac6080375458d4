//! The program and the C library on other systems, run on this machine: 64-bit ARM under QEMU, Windows under Wine.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::native::PACKAGES;
use crate::{dist, package, process, setup, toolchain, workspace};

/// A system, with the packages and tests that are compiled for it.
struct System {
    target: &'static str,
    program: &'static str,
    library: &'static str,
    compiler: &'static str,
    emulator: &'static str,
    packages: &'static [&'static str],
    tests: &'static [&'static str],
    /// Tests that are not run for this system, in addition to `SKIPPED`.
    skipped: &'static [&'static str],
}

/// Tests that are not run for other systems: they take minutes, or they do not depend on the system.
const SKIPPED: [&str; 6] =
    ["breakdown::", "claims::", "console::", "output_does_not_depend", "scripted::", "slow_reader::"];

/// The tests of whole programs run natively and start the emulated program.
const ARM: System = System {
    target: "aarch64-unknown-linux-gnu",
    program: "outflank",
    library: "liboutflank_c.so",
    compiler: "aarch64-linux-gnu-gcc",
    emulator: "qemu-aarch64 -L /usr/aarch64-linux-gnu",
    packages: &["outflank", "outflank-cli", "outflank-c", "outflank-properties"],
    tests: &["properties", "sessions"],
    // They start many programs, which decode their weights first. The tests of the archive and `live` use both networks.
    skipped: &["reduced_table", "default_network"],
};

/// The tests of whole programs are compiled as well: paths, locks and processes are those of Windows.
const WINDOWS: System = System {
    target: "x86_64-pc-windows-gnu",
    program: "outflank.exe",
    library: "outflank_c.dll",
    compiler: "x86_64-w64-mingw32-gcc",
    emulator: "wine",
    packages: &["outflank", "outflank-cli", "outflank-c", "outflank-properties", "outflank-tests"],
    tests: &["properties", "sessions", "programs"],
    skipped: &[],
};

/// The folder of builds for other systems. Builds in one folder wait for each other.
pub(super) fn folder() -> PathBuf {
    workspace::target().join("systems")
}

impl System {
    fn built(&self, name: &str) -> PathBuf {
        folder().join(self.target).join("debug").join(name)
    }

    /// Adds the linker, what runs the tests, and the variables of Wine.
    fn prepared(&self, mut command: Command) -> Command {
        let prefix = format!("CARGO_TARGET_{}", self.target.to_uppercase().replace('-', "_"));
        command.env(format!("{prefix}_RUNNER"), self.emulator);
        command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", ARM.compiler);
        command.env("WINEPREFIX", wine().join("prefix")).env("WINEPATH", wine()).env("WINEDEBUG", "-all");
        // Without these, Wine asks to install Mono and Gecko.
        command.env("WINEDLLOVERRIDES", "mscoree,mshtml=").stdin(Stdio::null());
        command
    }

    fn cargo(&self, words: &[&str]) -> Result<Command> {
        let mut cargo = self.prepared(process::linting(words));
        cargo.args(["--target", self.target, "--target-dir"]).arg(folder());
        cargo.args(toolchain::flags(self.target, &toolchain::without_private_paths()?));
        // Emulated without optimization, a table of states takes minutes.
        cargo.args(["--config", "profile.dev.package.outflank-properties.opt-level=2"]);
        // Debug information takes a tenth of the build.
        cargo.args(["--config", "profile.dev.debug=false"]);
        cargo.args(self.packages.iter().flat_map(|name| ["--package", name]));
        cargo.args(self.tests.iter().flat_map(|name| ["--test", name]));
        Ok(cargo)
    }

    /// Compiles the program, the C library and the tests.
    fn build(&self) -> Result<()> {
        toolchain::ensure_target(self.target)?;
        process::run(&mut self.cargo(&["build", "--bin", "outflank", "--lib"])?)
    }

    /// Runs tests, except those that are skipped.
    fn test(&self, mut cargo: Command) -> Result<()> {
        process::run(
            cargo.arg("--").args(SKIPPED.iter().chain(self.skipped).flat_map(|name| ["--skip", name])),
        )
    }

    /// Packs the program of the tests and the C library, unpacks the archives and uses them.
    fn archives(&self) -> Result<()> {
        let folder = folder().join(self.target).join("package");
        let mut words = self.emulator.split(' ');
        let (program, library) = (self.built(self.program), self.built(self.library));
        let mut manual = Command::new(words.next().unwrap_or_default());
        manual.args(words).arg(&program);
        package::pack_native(&folder, self.target, [&program, &library], self.prepared(manual))?;
        // The tests play by the rules module of the page.
        dist::build_once()?;
        let mut node = self.prepared(setup::node()?);
        node.env("OUTFLANK_PACKAGES", folder)
            .env("OUTFLANK_EMULATOR", self.emulator)
            .env("CC", self.compiler);
        node.args(["--test", "--test-reporter=spec"]);
        process::run(node.args(["tests/packages/program.test.js", "tests/packages/c.test.js"]))
    }
}

pub(super) fn arm() -> Result<()> {
    setup::arm()?;
    ARM.build()?;
    // The tests start this script as if it were the program.
    let script = workspace::target().join("arm/outflank");
    let text = format!("#!/bin/sh\nexec {} '{}' \"$@\"\n", ARM.emulator, ARM.built(ARM.program).display());
    write(&script, &text)?;
    process::run(Command::new("chmod").arg("+x").arg(&script))?;
    let mut whole = process::testing();
    whole.args(PACKAGES).args(["--test", "programs"]).env("OUTFLANK_PROGRAM", script);
    ARM.test(whole)?;
    ARM.test(ARM.cargo(&["test", "--no-fail-fast"])?)?;
    ARM.archives()
}

/// The function of Windows from which Rust takes random numbers. Wine 8, which Debian 12 has, lacks it.
const RANDOM_NUMBERS: &str = "unsigned char __stdcall SystemFunction036(void *bytes, unsigned long count);
__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *bytes, unsigned long long count) {
    return SystemFunction036(bytes, (unsigned long)count);
}
";

/// Folder of the library that Wine lacks and of Wine's own files.
fn wine() -> PathBuf {
    workspace::target().join("wine")
}

pub(super) fn windows() -> Result<()> {
    setup::windows()?;
    WINDOWS.build()?;
    let source = wine().join("random.c");
    write(&source, RANDOM_NUMBERS)?;
    let mut compiler = Command::new(WINDOWS.compiler);
    compiler.args(["-shared", "-O1", "-o"]).arg(wine().join("bcryptprimitives.dll"));
    process::run(compiler.arg(source).arg("-ladvapi32"))?;
    let mut cargo = WINDOWS.cargo(&["test", "--no-fail-fast"])?;
    cargo.env("OUTFLANK_PROGRAM", format!("Z:{}", WINDOWS.built(WINDOWS.program).display()));
    WINDOWS.test(cargo)?;
    WINDOWS.archives()
}

fn write(path: &std::path::Path, text: &str) -> Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
