//! The script of `<outflank-board>`: the board of the page with its texts and styles, for any page, in one file.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use serde_json::{Map, Value};

use crate::bundle;
use crate::workspace::{self, Files};

/// Name of the script, and of its source in `web/npm/`.
pub(crate) const NAME: &str = "outflank-board.js";

/// Its parts in `web/npm/`.
const SOURCES: [&str; 2] = [NAME, "game.js"];

/// The module with the texts and the styles.
const PARTS: &str = "element-parts.js";

const LANGUAGES: [&str; 4] = ["en", "fr", "ja", "zh"];

/// Texts of the page that the element uses, or the beginnings of their keys.
const TEXTS: [&str; 19] = [
    "black",
    "board",
    "do.back",
    "do.first",
    "do.forward",
    "do.last",
    "do.review",
    "do.values",
    "element.",
    "engine.thinking",
    "graph.at",
    "graph.score",
    "mark.",
    "nav.moves",
    "proof.",
    "say.",
    "value.for",
    "where",
    "white",
];

/// Writes the script into `target/element/`.
///
/// # Errors
/// As [`script`], or if it cannot be written.
pub(crate) fn write() -> Result<()> {
    let folder = workspace::target().join("element");
    let script = script()?;
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(folder.join(NAME), script))
        .with_context(|| format!("cannot write {}", folder.display()))
}

/// Returns the script.
///
/// # Errors
/// If a source cannot be read or joined.
pub(crate) fn script() -> Result<String> {
    let root = workspace::root();
    let mut sources = workspace::files(&root.join("www/js"))?
        .into_iter()
        .map(|(path, bytes)| (format!("www/js/{path}"), bytes))
        .collect::<Files>();
    for name in SOURCES {
        sources.insert(name.to_owned(), fs::read(root.join("web/npm").join(name))?);
    }
    let parts = format!(
        "export const STYLE = {};\nexport const TEXTS = {};\n",
        Value::String(style()?),
        serde_json::to_string(&texts()?)?
    );
    sources.insert(PARTS.to_owned(), parts.into_bytes());
    bundle::join(&sources, NAME)
}

/// Returns the texts of each language.
fn texts() -> Result<BTreeMap<&'static str, Map<String, Value>>> {
    let is_used =
        |key: &str| TEXTS.iter().any(|text| key == *text || text.ends_with('.') && key.starts_with(text));
    LANGUAGES
        .into_iter()
        .map(|language| {
            let mut texts = Map::new();
            for folder in ["", "parts/"] {
                let path = workspace::root().join(format!("www/lang/{folder}{language}.json"));
                let all: Map<String, Value> = serde_json::from_slice(&fs::read(&path)?)?;
                texts.extend(all.into_iter().filter(|(key, _)| is_used(key)));
            }
            Ok((language, texts))
        })
        .collect()
}

/// Returns the styles: the properties of the page, its board and its graph, and those of the element. An element whose page sets
/// a property for `outflank-board` has that of the page.
fn style() -> Result<String> {
    let read = |path: &str| fs::read_to_string(workspace::root().join(path)).with_context(|| path.to_owned());
    let base = read("www/style/base.css")?;
    let (properties, _) = base.split_once(":root[data-board").context("base.css has no colors of boards")?;
    let panels = read("www/style/parts.css")?;
    let graph: String = panels.lines().filter(|line| line.starts_with(".graph ")).collect();
    let all = [
        properties.replace(":root", ":host"),
        board(&read("www/style/board.css")?),
        graph,
        read("web/npm/outflank-board.css")?,
    ];
    Ok(minifier::css::minify(&all.concat()).map_err(anyhow::Error::msg)?.to_string())
}

/// Returns the rules of the board itself: from its frame on, to the first rule for small screens.
fn board(style: &str) -> String {
    let from = style.find("\n.frame").unwrap_or_default();
    let to = style[from..].find("\n/* On phones").map_or(style.len(), |to| from + to);
    style[from..to].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Most bytes of the script: a page loads it for each of its readers.
    const MAX_BYTES: usize = 45 << 10;

    #[test]
    fn script_has_texts_styles_and_few_bytes() {
        let script = script().unwrap();
        assert!(script.len() <= MAX_BYTES, "{} bytes", script.len());
        for part in
            ["'www/js/board/board.js'(", "'game.js'(", "--board:", "Open in Outflank", "在 Outflank 中打开"]
        {
            assert!(script.contains(part), "{part}");
        }
        assert!(!script.contains("本机"), "texts of the page are not in the element");
        assert!(!script.contains("import{"), "nothing is imported at the start");
    }
}
