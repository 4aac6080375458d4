//! The engine's worker for npm: that of the page, with both modules and the weights, and its other half for Node.

use anyhow::{Context, Result};

use super::archive::Tree;
use super::licences::{self, Build};
use super::{Package, VERSION, add_from_root, filled, read, standard_library};
use crate::{dist, wasm, workspace};

/// What the engine consists of, beside its weights.
const BUILT: [&str; 4] =
    ["outflank.js", "outflank_bg.wasm", "outflank-threads.js", "outflank-threads_bg.wasm"];

/// The folder that npm unpacks to.
const FOLDER: &str = "package";

/// Packs what was built for the page.
pub(super) fn pack() -> Result<Package> {
    let tree = tree()?;
    tree.refuse_private_paths()?;
    Ok(Package { name: format!("outflank-{VERSION}.tgz"), bytes: tree.tar_gz(FOLDER)? })
}

fn tree() -> Result<Tree> {
    let mut tree = Tree::default();
    let engine = workspace::dist().join("engine");
    for name in BUILT {
        tree.add(&format!("engine/{name}"), read(&engine.join(name))?);
    }
    let weights = read(&workspace::root().join(dist::WEIGHTS))?;
    let name = dist::weights_name(&weights);
    tree.add(&format!("engine/{name}"), weights);
    tree.add("engine/build.js", dist::build_script(&name, dist::Glue::Static));
    for name in ["worker.js", "thread.js"] {
        tree.add(name, read(&workspace::root().join("www").join(name))?);
    }
    for name in ["index.d.ts", "node.js"] {
        tree.add(name, read(&workspace::root().join("web/npm").join(name))?);
    }
    for name in ["README.md", "package.json"] {
        tree.add(name, filled(&format!("web/npm/{name}"), &[("version", VERSION)])?);
    }
    for name in ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        add_from_root(&mut tree, name)?;
    }
    let build = Build { package: "outflank-web", target: wasm::TARGET, features: Some("engine") };
    tree.add("THIRD-PARTY.txt", licences::texts(&[build]).context("licences")?);
    tree.add(standard_library::NAME, standard_library::notices()?);
    Ok(tree)
}
