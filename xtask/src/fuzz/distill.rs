//! The inputs in the tree, made anew from all that were found: few and short ones that reach as much as they can.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result};

use super::{build, data, kept, turn};
use crate::{process, workspace};

/// What the inputs of one target may have together, in bytes; those with names of their own come on top.
const MOST: usize = 10_000;
/// How many there may be.
const MOST_INPUTS: usize = 30;
/// The longest of them.
const LONGEST: usize = 1_200;

/// Distils the inputs of the targets. Those that have a name of their own, and not a fingerprint, stay.
///
/// # Errors
/// When a target cannot be run or a file not be written.
pub(super) fn run(targets: &[String]) -> Result<()> {
    for target in targets {
        let (tree, corpus) = (kept(target), data("corpus").join(target));
        fs::create_dir_all(&tree).with_context(|| format!("cannot make {}", tree.display()))?;
        let merged = build::program(target)?.with_extension("merged");
        workspace::remove_folder(&merged)?;
        fs::create_dir_all(&merged).with_context(|| format!("cannot make {}", merged.display()))?;
        let mut command = turn::command(target)?;
        // As `cargo fuzz cmin` does it.
        command.arg("-merge=1").arg(&merged);
        command.args([&tree, &corpus].into_iter().filter(|folder| folder.is_dir()));
        process::run(command.stdout(Stdio::null()).stderr(Stdio::null()))?;
        let named: Vec<PathBuf> = files(&tree)?.into_iter().filter(|file| !is_fingerprint(file)).collect();
        for file in files(&tree)?.into_iter().filter(|file| is_fingerprint(file)) {
            fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
        }
        let mut inputs = Vec::new();
        for file in files(&merged)? {
            let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            inputs.push((bytes, file));
        }
        inputs.retain(|(bytes, _)| {
            let known = named.iter().any(|named| fs::read(named).is_ok_and(|known| known == *bytes));
            bytes.len() <= LONGEST && !known
        });
        inputs.sort_by_key(|(bytes, _)| bytes.len());
        let chosen = choose(&inputs.iter().map(|(bytes, _)| bytes.len()).collect::<Vec<_>>());
        for (bytes, file) in chosen.iter().map(|&at| &inputs[at]) {
            let name = file.file_name().context("a file without a name")?;
            fs::write(tree.join(name), bytes)
                .with_context(|| format!("cannot write to {}", tree.display()))?;
        }
        let (count, all) = (chosen.len(), inputs.len());
        println!("{target:16} {count:4} inputs of {all}, and {} with names of their own", named.len());
    }
    Ok(())
}

/// Which inputs to keep of those with these sizes, short ones first: some of every size, as many as there may be.
fn choose(sizes: &[usize]) -> Vec<usize> {
    let evenly = |count: usize| (0..count).map(move |n| n * sizes.len() / count.max(1));
    let count = (0..=MOST_INPUTS.min(sizes.len()))
        .rev()
        .find(|&count| evenly(count).map(|at| sizes[at]).sum::<usize>() <= MOST);
    evenly(count.unwrap_or(0)).collect()
}

/// Whether libFuzzer has named it.
fn is_fingerprint(file: &Path) -> bool {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.len() == 40 && name.bytes().all(|c| c.is_ascii_hexdigit())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_of_every_size_and_not_too_many() {
        assert_eq!(choose(&[]), [0; 0]);
        assert_eq!(choose(&[3, 5]), [0, 1]);
        let short: Vec<usize> = (0..1000).map(|n| n / 10).collect();
        let chosen = choose(&short);
        assert_eq!((chosen.len(), chosen[0]), (MOST_INPUTS, 0));
        assert!(chosen.windows(2).all(|two| two[0] < two[1]) && short[chosen[MOST_INPUTS - 1]] > 90);
        let long = choose(&[LONGEST; 50]);
        assert_eq!(long.len(), MOST / LONGEST);
    }
}
