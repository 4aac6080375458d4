//! The JavaScript glue around the module.

use std::path::Path;

use anyhow::Result;
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
        .generate(folder)
}
