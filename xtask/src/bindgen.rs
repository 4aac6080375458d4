//! Generates the JavaScript glue of a module.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

/// Writes the glue and the final module to `folder`, as `stem.js` and `stem_bg.wasm`.
///
/// The glue is an ES module for a page or a module worker. It contains the URL of the module relative to its own, so `init()`
/// needs no argument.
///
/// `wasm-opt` is not used. The compiler has already optimized the module as a whole; the output of binaryen 108 is not faster,
/// is larger after compression, and exports the wrong table.
pub(crate) fn write(module: &Path, folder: &Path, stem: &str) -> Result<()> {
    Bindgen::new()
        .input_path(module)
        .out_name(stem)
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .omit_default_module_path(false)
        .generate(folder)?;
    end_statements(&folder.join(format!("{stem}.js")))
}

/// Adds a semicolon to the only statement without one. Without it, the minified glue is invalid.
fn end_statements(glue: &Path) -> Result<()> {
    const STATEMENT: &str = "let thread_stack_size";
    let text = fs::read_to_string(glue).with_context(|| format!("cannot read {}", glue.display()))?;
    let text = text.replace(&format!("{STATEMENT}\n"), &format!("{STATEMENT};\n"));
    fs::write(glue, text).with_context(|| format!("cannot write {}", glue.display()))
}
