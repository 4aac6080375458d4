//! The JavaScript glue around the module.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

/// Writes the glue and the finished module to `folder`, as `stem.js` and `stem_bg.wasm`.
///
/// The glue is the `web` flavour, an ES module for a page or a module worker alike. It knows the
/// module's address relative to its own, so `init()` needs no argument.
///
/// `wasm-opt` does not follow: the compiler has optimised the module as a whole, and what binaryen 108 makes
/// of it is no faster, larger when compressed, and exports the wrong table.
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

/// The one statement of the glue that ends with its line alone: it would not survive without line ends.
fn end_statements(glue: &Path) -> Result<()> {
    const STATEMENT: &str = "let thread_stack_size";
    let text = fs::read_to_string(glue).with_context(|| format!("cannot read {}", glue.display()))?;
    let text = text.replace(&format!("{STATEMENT}\n"), &format!("{STATEMENT};\n"));
    fs::write(glue, text).with_context(|| format!("cannot write {}", glue.display()))
}
