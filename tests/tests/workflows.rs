//! The workflows of the repository: their actions are pinned, their builds are locked, and their scripts work.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;
use std::process::Command;

use outflank_tests::folder::Folder;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

#[test]
fn actions_are_pinned_and_builds_are_locked() {
    let mut errors = Vec::new();
    for entry in fs::read_dir(root().join(".github/workflows")).unwrap() {
        let path = entry.unwrap().path();
        for line in fs::read_to_string(&path).unwrap().lines() {
            let is_pinned = |action: &str| {
                let (commit, version) =
                    action.split_once('@').unwrap_or_default().1.split_once(" # v").unwrap_or_default();
                commit.len() == 40
                    && commit.bytes().all(|byte| byte.is_ascii_hexdigit())
                    && !version.is_empty()
            };
            let uses = line
                .split_once("uses: ")
                .map(|(_, action)| action)
                .filter(|action| !action.starts_with("./"));
            let is_locked =
                !line.contains("cargo ") || line.contains("--locked") || line.contains("cargo xtask");
            if !uses.is_none_or(is_pinned) || (line.contains("run: ") && !is_locked) {
                errors.push(format!("{}: {line}", path.display()));
            }
        }
    }
    let configuration = fs::read_to_string(root().join(".cargo/config.toml")).unwrap();
    assert!(configuration.contains("xtask = \"run --locked "), "{configuration}");
    assert!(errors.is_empty(), "{}", errors.join("\n"));
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
