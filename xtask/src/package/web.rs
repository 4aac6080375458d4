//! The packages of the built page: the page for a web host, and the engine's worker for npm.

use anyhow::{Result, ensure};

use super::archive::Tree;
use super::licenses::Build;
use super::{Package, VERSION, add_from_root, add_licenses, filled, read};
use crate::{dist, site, wasm, workspace};

const MODULES: [&str; 4] =
    ["outflank.js", "outflank_bg.wasm", "outflank-threads.js", "outflank-threads_bg.wasm"];

const fn build(features: &'static str) -> Build<'static> {
    Build { package: "outflank-web", target: wasm::TARGET, features: Some(features) }
}

/// Packs the page for any host of static files, in any folder of the host.
pub(super) fn page() -> Result<Package> {
    let mut tree = Tree::default();
    let files = dist::files(&workspace::dist())?;
    ensure!(files.contains_key("engine/outflank-threads_bg.wasm"), "the page was built without threads");
    // Hosts compress files themselves, or do not know brotli copies.
    files
        .iter()
        .filter(|(path, _)| !path.ends_with(".br"))
        .for_each(|(path, bytes)| tree.add(path, &bytes[..]));
    // The headers that our server sends, in the format of Netlify and Cloudflare Pages.
    let headers = site::HEADERS.map(|(name, value)| format!("  {name}: {value}\n"));
    tree.add("_headers", format!("/*\n{}", headers.concat()));
    add_licenses(&mut tree, &["engine", "rules", "database"].map(build))?;
    Package::new(format!("outflank-page-{VERSION}.zip"), &tree, "")
}

/// Packs the worker of the page with both modules and the weights, and an adapter for Node.
pub(super) fn npm() -> Result<Package> {
    let mut tree = Tree::default();
    let (root, engine) = (workspace::root(), workspace::dist().join("engine"));
    for name in MODULES {
        tree.add(&format!("engine/{name}"), read(&engine.join(name))?);
    }
    let weights = read(&root.join(dist::WEIGHTS))?;
    let name = dist::weights_name("outflank", &weights);
    tree.add("engine/build.js", filled("web/npm/build.js", &[("weights", &name)])?);
    tree.add(&format!("engine/{name}"), weights);
    for path in ["www/worker.js", "www/thread.js", "web/npm/index.d.ts", "web/npm/node.js"] {
        tree.add(path.rsplit('/').next().unwrap_or(path), read(&root.join(path))?);
    }
    for name in ["README.md", "package.json"] {
        tree.add(name, filled(&format!("web/npm/{name}"), &[("version", VERSION)])?);
    }
    add_from_root(&mut tree, "CHANGELOG.md")?;
    add_licenses(&mut tree, &[build("engine")])?;
    // npm unpacks the folder with this name.
    Package::new(format!("outflank-{VERSION}.tgz"), &tree, "package")
}
