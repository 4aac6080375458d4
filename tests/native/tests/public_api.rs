//! `engine/public-api.txt` lists the public items of the `outflank` crate. `OUTFLANK_WRITE_TABLES=1` updates it.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "release: compiles the library"]
fn public_items_are_those_of_the_list() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().parent().unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("public-api");
    let status = Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["rustdoc", "--locked", "--package", "outflank", "--lib", "--target-dir"])
        .arg(&target)
        .args(["--", "-Zunstable-options", "--output-format=json", "--cap-lints=allow"])
        // The output as JSON is not stable. `rust-toolchain.toml` names the compiler.
        .env("RUSTC_BOOTSTRAP", "1")
        .status();
    assert!(status.unwrap().success());
    let items = public_api::Builder::from_rustdoc_json(target.join("doc/outflank.json"))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .unwrap();
    let list = root.join("engine/public-api.txt");
    if std::env::var_os("OUTFLANK_WRITE_TABLES").is_some() {
        fs::write(&list, items.to_string()).unwrap();
    }
    let (listed, items) = (fs::read_to_string(&list).unwrap(), items.to_string());
    let differs = items.lines().zip(listed.lines()).find(|(item, listed)| item != listed);
    assert!(listed == items, "public items of `outflank` differ, first {differs:#?}");
}

#[test]
#[ignore = "release: compiles the library"]
fn library_builds_without_its_features() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("public-api");
    let status = Command::new(env!("CARGO"))
        .args(["check", "--locked", "--package", "outflank", "--no-default-features", "--target-dir"])
        .arg(&target)
        .env("RUSTFLAGS", "-D warnings")
        .status();
    assert!(status.unwrap().success());
}
