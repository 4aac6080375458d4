//! The engine's worker for npm: the worker of the page with both modules and the weights, and an adapter for Node.

use anyhow::Result;

use super::archive::Tree;
use super::licenses::Build;
use super::{Package, VERSION, add_from_root, add_licenses, filled, read};
use crate::{dist, wasm, workspace};

const MODULES: [&str; 4] =
    ["outflank.js", "outflank_bg.wasm", "outflank-threads.js", "outflank-threads_bg.wasm"];

/// Packs the files that were built for the page.
pub(super) fn pack() -> Result<Package> {
    let mut tree = Tree::default();
    let (root, engine) = (workspace::root(), workspace::dist().join("engine"));
    for name in MODULES {
        tree.add(&format!("engine/{name}"), read(&engine.join(name))?);
    }
    let weights = read(&root.join(dist::WEIGHTS))?;
    let name = dist::weights_name("outflank", &weights);
    tree.add(&format!("engine/{name}"), weights);
    tree.add("engine/build.js", dist::build_script(&name, None, dist::Glue::Static));
    for path in ["www/worker.js", "www/thread.js", "web/npm/index.d.ts", "web/npm/node.js"] {
        tree.add(path.rsplit('/').next().unwrap_or(path), read(&root.join(path))?);
    }
    for name in ["README.md", "package.json"] {
        tree.add(name, filled(&format!("web/npm/{name}"), &[("version", VERSION)])?);
    }
    add_from_root(&mut tree, "CHANGELOG.md")?;
    let build = Build { package: "outflank-web", target: wasm::TARGET, features: Some("engine") };
    add_licenses(&mut tree, &[build])?;
    tree.refuse_private_paths()?;
    // npm unpacks the folder with this name.
    Ok(Package { name: format!("outflank-{VERSION}.tgz"), bytes: tree.tar_gz("package")? })
}
