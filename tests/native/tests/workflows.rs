//! The scripts of the workflows.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;
use std::process::Command;

use outflank_tests::folder::Folder;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().parent().unwrap()
}

/// Runs a command line in a folder. Returns `true` if it succeeds.
fn run(folder: &Folder, line: &str) -> bool {
    let path = format!("{}:{}", root().join(".github/scripts").display(), std::env::var("PATH").unwrap());
    Command::new("bash")
        .current_dir(folder.as_path())
        .args(["-ec", line])
        .env("PATH", path)
        .output()
        .unwrap()
        .status
        .success()
}

#[test]
fn tag_must_be_the_version_of_a_commit_on_main() {
    let folder = Folder::new("tag").unwrap();
    let git = "git -c user.name=x -c user.email=x -c commit.gpgsign=false";
    let commit = |text: &str| run(&folder, &format!("{git} commit -q --allow-empty -m {text}"));
    fs::write(folder.path("Cargo.toml"), "version = \"1.2.3\"\n").unwrap();
    assert!(run(&folder, "git init -q") && commit("one"));
    assert!(run(&folder, "git tag v1.2.3 && git tag v1.2.4") && commit("two"));
    assert!(run(&folder, "git update-ref refs/remotes/origin/main HEAD"));
    assert!(run(&folder, "check-tag.sh v1.2.3"));
    assert!(!run(&folder, "check-tag.sh v1.2.4"), "another version");
    assert!(commit("three") && run(&folder, "git tag --force v1.2.3"));
    assert!(!run(&folder, "check-tag.sh v1.2.3"), "a commit that is not on main");
}

#[test]
fn checksums_do_not_contain_themselves() {
    let folder = Folder::new("checksums").unwrap();
    fs::write(folder.path("a"), "a").unwrap();
    fs::write(folder.path("b"), "b").unwrap();
    assert!(run(&folder, "checksums.sh write . && checksums.sh write ."));
    let sums = fs::read_to_string(folder.path("SHA256SUMS")).unwrap();
    assert_eq!(sums.lines().map(|line| &line[64..]).collect::<Vec<_>>(), ["  a", "  b"]);
    fs::remove_file(folder.path("a")).unwrap();
    assert!(run(&folder, "checksums.sh check ."), "files that were not downloaded are not checked");
    fs::write(folder.path("b"), "c").unwrap();
    assert!(!run(&folder, "checksums.sh check ."));
}

#[test]
fn programs_with_the_library_are_told_its_profile_and_lock_no_model_checker() {
    let readme = fs::read_to_string(root().join("engine/README.md")).unwrap();
    let (_, profile) = readme.split_once("```toml\n").unwrap();
    let (profile, _) = profile.split_once("```").unwrap();
    // The profile of this workspace, under which the tests run.
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(
        profile.starts_with("[profile.dev.package.outflank]\n") && workspace.contains(profile),
        "{profile}"
    );
    let tree =
        ["tree", "--locked", "--offline", "--package", "outflank", "--target", "all", "--prefix", "none"];
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(tree).args(["--edges", "normal,build"]);
    let tree = String::from_utf8(cargo.output().unwrap().stdout).unwrap();
    assert!(tree.contains("arrayvec") && !tree.contains("loom"), "{tree}");
}
