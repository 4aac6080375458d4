//! The page for any host of static files, in any folder of the host.

use anyhow::{Result, bail};

use super::archive::Tree;
use super::licenses::Build;
use super::{Package, VERSION, add_licenses};
use crate::{dist, site, wasm, workspace};

/// Packs the built page.
pub(super) fn pack() -> Result<Package> {
    let mut tree = Tree::default();
    for (path, bytes) in dist::files(&workspace::dist())? {
        // Hosts compress files themselves, or do not know brotli copies.
        if !path.ends_with(".br") {
            tree.add(&path, bytes);
        }
    }
    let paths = ["index.html", "sw.js", "version.json", "worker.js", "engine/outflank-threads_bg.wasm"];
    if let Some(missing) = paths.into_iter().find(|path| !tree.contains(path)) {
        bail!("the built page has no {missing}");
    }
    tree.add("_headers", headers());
    let build = |features| Build { package: "outflank-web", target: wasm::TARGET, features: Some(features) };
    let builds = [build("engine"), build("rules"), build("database")];
    add_licenses(&mut tree, &builds)?;
    tree.refuse_private_paths()?;
    Ok(Package { name: format!("outflank-page-{VERSION}.zip"), bytes: tree.zip("")? })
}

/// Returns the headers that our server sends, in the format of Netlify and Cloudflare Pages.
fn headers() -> String {
    let lines = site::HEADERS.map(|(name, value)| format!("  {name}: {value}\n"));
    format!("/*\n{}", lines.concat())
}
