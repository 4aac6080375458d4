//! A book in memory, read from a text.

use std::collections::BTreeMap;
use std::convert::Infallible;

use super::book::BookStore;
use super::changes::{Changes, Nodes};
use super::entry::{Entry, Key};
use crate::notation::{ReadError, book};

#[derive(Debug, Default)]
pub(super) struct Memory(BTreeMap<Key, Entry>);

impl Memory {
    /// Reads a text and backs all values up.
    pub(super) fn read(text: &str) -> Result<Memory, ReadError> {
        let mut changes = Changes::new(Memory::default());
        for line in book::read(text)? {
            let Ok(()) = changes.add_line(&line);
        }
        let keys: Vec<Key> = changes.nodes.0.keys().rev().copied().collect();
        for key in &keys {
            let Ok(_) = changes.back_up(key);
        }
        Ok(changes.nodes)
    }
}

impl Nodes for Memory {
    type Error = Infallible;

    fn get(&self, key: &Key) -> Result<Option<Entry>, Infallible> {
        Ok(self.0.get(key).copied())
    }

    fn put(&mut self, key: &Key, entry: &Entry) -> Result<(), Infallible> {
        self.0.insert(*key, *entry);
        Ok(())
    }
}

impl BookStore for Memory {
    fn look_up(&self, key: &Key) -> Option<Entry> {
        self.0.get(key).copied()
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}
