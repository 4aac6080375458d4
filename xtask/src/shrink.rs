//! `wasm-opt` on the finished module, where it is installed.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow};
use walrus::{ExportItem, Module, RefType};

use crate::process;

/// The table of JavaScript values that the glue asks for by this name.
const VALUES: &str = "__wbindgen_externrefs";

/// Shrinks the module where that is possible, and says what was done.
///
/// The module is good without it, so nothing that goes wrong here is an error.
pub(crate) fn in_place(module: &Path) -> Result<String> {
    let before = size(module)?;
    let Some(program) = process::find("wasm-opt") else {
        return Ok(format!("{before} bytes, not shrunk: wasm-opt is not installed (Debian: binaryen)"));
    };
    let smaller = module.with_extension("opt");
    let shrunk = process::run(Command::new(program).arg("-O3").arg(module).arg("-o").arg(&smaller))
        .and_then(|()| mend_table_export(&smaller))
        .and_then(|()| fs::rename(&smaller, module).context("cannot replace the module"));
    match shrunk {
        Ok(()) => Ok(format!("{before} bytes, {} after wasm-opt", size(module)?)),
        Err(fault) => {
            let _ = fs::remove_file(&smaller);
            Ok(format!("{before} bytes, not shrunk: {fault:#}"))
        }
    }
}

/// Binaryen 108, which Debian 12 has, exports the first table under the name of any other. The glue would
/// then fail at start-up with "`WebAssembly.Table.set(): Argument 1 is invalid`".
fn mend_table_export(file: &Path) -> Result<()> {
    let mut module = Module::from_file(file)?;
    let Some(export) = module.exports.iter_mut().find(|export| export.name == VALUES) else {
        return Ok(());
    };
    let right = module.tables.iter().find(|table| table.element_ty == RefType::EXTERNREF);
    let right = right.ok_or_else(|| anyhow!("wasm-opt lost the table of JavaScript values"))?.id();
    if matches!(export.item, ExportItem::Table(table) if table != right) {
        export.item = ExportItem::Table(right);
        module.emit_wasm_file(file)?;
    }
    Ok(())
}

fn size(file: &Path) -> Result<u64> {
    Ok(fs::metadata(file).with_context(|| format!("cannot read {}", file.display()))?.len())
}
