//! Joins the modules of the page into two scripts: one request on a slow network costs more than the module it brings.
//!
//! `js/shell/start.js` has the modules that the start imports, `js/shell/parts.js` all others, which `load` of `js/base/load.js`
//! requests. A module becomes a function that is called at its first use. It starts a line with its path, so that the line of an
//! error leads to the source:
//!
//! ```js
//! 'js/base/dom.js'($import){const{once}=$import('js/base/load.js');…return{h,text}},
//! ```
//!
//! Modules import each other without cycles, by names in braces, and export declarations of constants, functions and classes.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, anyhow, bail};

use crate::workspace::Files;

const FOLDER: &str = "js/";
/// Loads `START` and reports if that fails.
const MAIN: &str = "js/shell/main.js";
pub(crate) const START: &str = "js/shell/start.js";
pub(crate) const PARTS: &str = "js/shell/parts.js";

/// Root of the modules that the worker `database.js` imports as files.
const WORKER: &str = "js/database/game-database.js";

/// Defines modules as functions, and calls one at its first use.
const LOADER: &str = "const known={},made=new Map();\n\
    const define=(modules)=>Object.assign(known,modules);\n\
    const part=(path)=>made.get(path)??made.set(path,known[path](part)).get(path);\n";

/// A module as the entry of an object literal.
struct Module {
    text: String,
    imports: Vec<String>,
}

/// Replaces the modules in `js/` by the two scripts. The modules of `WORKER` also stay files.
pub(crate) fn bundle(page: &mut Files) -> Result<()> {
    let is_module = |path: &str| path.starts_with(FOLDER) && path != MAIN;
    let mut modules = BTreeMap::new();
    for (path, bytes) in page.iter().filter(|(path, _)| is_module(path)) {
        let source = std::str::from_utf8(bytes).with_context(|| path.clone())?;
        modules.insert(path.clone(), read(path, source).with_context(|| path.clone())?);
    }
    let first = closure(&modules, START)?;
    let files = closure(&modules, WORKER)?;
    page.retain(|path, _| !is_module(path) || files.contains(path));
    let join = |is_first: bool| {
        let some = modules.iter().filter(|(path, _)| first.contains(*path) == is_first);
        some.map(|(_, module)| &*module.text).collect::<String>()
    };
    let start = format!(
        "{LOADER}export{{define,part}};\ndefine({{\n{}}});\nexport const{{start}}=part('{START}');\n",
        join(true)
    );
    let parts =
        format!("import{{define,part}}from'./start.js';\nexport{{part}};\ndefine({{\n{}}});\n", join(false));
    page.insert(START.to_owned(), start.into_bytes());
    page.insert(PARTS.to_owned(), parts.into_bytes());
    Ok(())
}

/// Joins a module with all that it needs into one script.
pub(crate) fn join(sources: &Files, root: &str) -> Result<String> {
    let mut modules = BTreeMap::new();
    let mut next = vec![root.to_owned()];
    while let Some(path) = next.pop() {
        let bytes = sources.get(&path).with_context(|| format!("no module {path}"))?;
        let module = read(&path, std::str::from_utf8(bytes)?).with_context(|| path.clone())?;
        next.extend(module.imports.iter().filter(|path| !modules.contains_key(*path)).cloned());
        modules.insert(path, module);
    }
    let all: String = modules.into_values().map(|module| module.text).collect();
    Ok(format!("{LOADER}define({{\n{all}}});\npart('{root}');\n"))
}

/// Returns the paths of a module and of all modules that it needs.
fn closure(modules: &BTreeMap<String, Module>, root: &str) -> Result<BTreeSet<String>> {
    let mut all = BTreeSet::new();
    let mut next = vec![root.to_owned()];
    while let Some(path) = next.pop() {
        let module = modules.get(&path).with_context(|| format!("no module {path}"))?;
        if all.insert(path) {
            next.extend_from_slice(&module.imports);
        }
    }
    Ok(all)
}

/// Turns the source of a module into a function.
fn read(path: &str, source: &str) -> Result<Module> {
    let (mut body, mut names, mut imports) = (String::new(), Vec::new(), Vec::new());
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("import ") {
            let mut import = line.to_owned();
            while !import.ends_with(';') {
                import += lines.next().context("an import does not end")?;
            }
            let (list, from) = import[7..].split_once(" from ").with_context(|| import.clone())?;
            if !list.starts_with('{') {
                bail!("unknown import: {import}");
            }
            let from = resolve(path, from.trim_matches(['\'', ';']));
            body += &format!("const {} = $import('{from}');\n", list.replace(" as ", ": "));
            imports.push(from);
        } else if let Some(declaration) = line.strip_prefix("export ") {
            let after = ["const ", "function ", "async function ", "class "]
                .iter()
                .find_map(|kind| declaration.strip_prefix(kind))
                .ok_or_else(|| anyhow!("unknown export: {line}"))?;
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
            let name: String = after.chars().take_while(|c| is_part(*c)).collect();
            if name.is_empty() {
                bail!("an export without a name: {line}");
            }
            names.push(name);
            body += declaration;
            body.push('\n');
        } else {
            body += line;
            body.push('\n');
        }
    }
    let text = format!("'{path}'($import){{{}return{{{}}}}},\n", short(&body)?, names.join(","));
    Ok(Module { text, imports })
}

/// Returns a script without comments and blanks.
pub(crate) fn short(text: &str) -> Result<String> {
    let short = minifier::js::minify(text).map_err(|error| anyhow!("cannot minify: {error}"))?;
    Ok(short.to_string())
}

/// Returns the path of an imported module. `from` is relative to the importing one.
fn resolve(path: &str, from: &str) -> String {
    let mut parts: Vec<_> = path.split('/').collect();
    parts.pop();
    for part in from.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}
