//! Runs the property that the environment variable `OUTFLANK_PROPERTY` names.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use outflank_properties::{TARGETS, Target};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("OUTFLANK_PROPERTY").unwrap_or_default();
    let target = TARGETS.iter().find(|target| target.name == name);
    target.unwrap_or_else(|| panic!("OUTFLANK_PROPERTY must name a property, not {name:?}"))
});

fuzz_target!(|bytes: &[u8]| (TARGET.check)(bytes));
