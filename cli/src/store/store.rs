//! File of a stored book.

use std::fmt;
use std::fs;
use std::io::{self, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outflank::book::{Book, BookStore, Entry, Key};
use redb::backends::FileBackend;
use redb::{
    Builder, ConcurrencyMode, Database, DatabaseError, ReadOnlyTable, ReadableDatabase, ReadableTable,
    ReadableTableMetadata, TableDefinition,
};

use crate::atomic_file::{AtomicFile, sweep};

use super::edit::{Edit, GAMES, POSITIONS, SOURCES, STATE, digest};
use super::error::{StoreError, guarded};

/// Version of the values. Values of version 1 skip moves without a value and are backed up again.
pub(super) const VERSION: (&str, u64) = ("version", 2);
/// Number of changes that did not back values up.
const CHANGES: &str = "unsettled";
/// Value of `CHANGES` up to which values are backed up.
const PROPAGATED: &str = "settled";

/// First bytes of the file.
const MAGIC: &[u8] = b"redb";

/// A book in a file. Several programs may have it open, and each sees the changes of the others.
pub struct Store {
    path: PathBuf,
    /// `None` after it is closed.
    database: Option<Database>,
}

/// State of the store at one moment.
pub struct Snapshot {
    path: PathBuf,
    positions: ReadOnlyTable<&'static [u8; Key::SIZE], &'static [u8; Entry::SIZE]>,
}

impl Store {
    /// Returns `true` if a file with these first bytes is a store.
    pub fn is_store(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Opens a store. With `create`, creates an empty store if there is no file. `cache` is in mebibytes.
    pub fn open(path: &Path, create: bool, cache: usize) -> Result<Store, StoreError> {
        run(path, || {
            if create {
                sweep(path);
            }
            match fs::metadata(path).map(|data| (data.is_file(), data.len() > 0)) {
                Ok((true, true)) => {}
                Ok((false, _)) => return Err(StoreError::new("not a file")),
                // The file does not exist or is empty.
                _ if create => Store::create(path, cache)?,
                Ok((true, false)) => return Err(StoreError::new("the file is empty")),
                Err(error) => return Err(error.into()),
            }
            Store::begun(builder(cache).create(path), path)
        })
    }

    /// Creates an empty store. A program that is killed during that time leaves no partial store.
    fn create(path: &Path, cache: usize) -> Result<(), StoreError> {
        // This file has no name, so that it ends with the program.
        let mut file = tempfile::tempfile()?;
        let backend = FileBackend::new(file.try_clone()?);
        let database = backend.and_then(|backend| builder(cache).create_with_backend(backend));
        drop(Store::begun(database, path)?);
        file.rewind()?;
        let mut new = AtomicFile::create(path)?;
        io::copy(&mut file, &mut new)?;
        Ok(new.commit_new()?)
    }

    fn begun(database: Result<Database, DatabaseError>, path: &Path) -> Result<Store, StoreError> {
        let database = database.map_err(|error| StoreError::new(words(&error)))?;
        let store = Store { path: path.to_owned(), database: Some(database) };
        store.begin()?;
        Ok(store)
    }

    /// Creates the tables, or checks their version.
    fn begin(&self) -> Result<(), StoreError> {
        match self.number(VERSION.0)? {
            0 => {}
            version if version <= VERSION.1 => return Ok(()),
            version => {
                return Err(StoreError::new(format!("a book of version {version}, not {}", VERSION.1)));
            }
        }
        self.transact(|edit| Ok(edit.state.insert(VERSION.0, VERSION.1).map(drop)?))
    }

    fn database(&self) -> Result<&Database, StoreError> {
        self.database.as_ref().ok_or_else(|| StoreError::new("the book is closed"))
    }

    /// Returns a number of the table of states, 0 if it is not set.
    fn number(&self, name: &str) -> Result<u64, StoreError> {
        match self.database()?.begin_read()?.open_table(STATE) {
            Ok(state) => Ok(state.get(name)?.map_or(0, |number| number.value())),
            Err(redb::TableError::TableDoesNotExist(_)) => Ok(0),
            Err(error) => Err(error.into()),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Changes the store and backs values up. If a step fails or the machine stops, nothing is changed.
    pub fn change<R>(
        &self,
        change: impl FnOnce(&mut Edit<'_>) -> Result<R, StoreError>,
    ) -> Result<R, StoreError> {
        run(&self.path, || {
            self.transact(|edit| {
                let result = change(edit)?;
                edit.positions.propagate()?;
                Ok(result)
            })
        })
    }

    /// Changes the store without backing values up, for many changes in sequence. [`Store::propagate`] must follow.
    pub fn change_deferred<R>(
        &self,
        change: impl FnOnce(&mut Edit<'_>) -> Result<R, StoreError>,
    ) -> Result<R, StoreError> {
        run(&self.path, || {
            self.transact(|edit| {
                let changes = edit.number(CHANGES)?;
                edit.state.insert(CHANGES, changes.wrapping_add(1))?;
                change(edit)
            })
        })
    }

    fn transact<R>(
        &self,
        work: impl FnOnce(&mut Edit<'_>) -> Result<R, StoreError>,
    ) -> Result<R, StoreError> {
        let transaction = self.database()?.begin_write()?;
        let result = work(&mut Edit::new(&transaction)?)?;
        transaction.commit()?;
        Ok(result)
    }

    /// Returns `true` if values are not backed up: a program was stopped before that, or the book is outdated.
    pub fn is_deferred(&self) -> Result<bool, StoreError> {
        Ok(self.is_outdated()? || run(&self.path, || Ok(self.number(CHANGES)? != self.number(PROPAGATED)?))?)
    }

    /// Returns `true` if an earlier version backed the values up, which skipped moves without a value.
    pub fn is_outdated(&self) -> Result<bool, StoreError> {
        run(&self.path, || Ok(self.number(VERSION.0)? < VERSION.1))
    }

    /// Backs all values up, in one transaction per number of discs, and reports the number of positions done. Changes that
    /// another program makes at the same time stay deferred.
    pub fn propagate(&self, mut report: impl FnMut(u64)) -> Result<(), StoreError> {
        let mut done = 0;
        run(&self.path, || {
            let (changes, outdated) = (self.number(CHANGES)?, self.number(VERSION.0)? < VERSION.1);
            for discs in (0..=64).rev() {
                let layer = self.snapshot()?;
                let keys: Vec<Key> =
                    layer.layer(discs)?.map(|row| Ok(row?.0)).collect::<Result<_, StoreError>>()?;
                if keys.is_empty() {
                    continue;
                }
                self.transact(|edit| {
                    for key in &keys {
                        // Searches for an outdated book skipped known moves without a value. Such a position is searched
                        // again.
                        if outdated && edit.positions.has_open_child(key)? {
                            edit.positions.change(key, |entry| {
                                entry.own = entry.own.filter(|own| own.exact || own.depth == 0);
                            })?;
                        }
                        edit.positions.back_up(key)?;
                        done += 1;
                        if done % 4096 == 0 {
                            report(done);
                        }
                    }
                    Ok(())
                })?;
                report(done);
            }
            self.transact(|edit| {
                let propagated = edit.number(PROPAGATED)?.max(changes);
                edit.state.insert(PROPAGATED, propagated)?;
                edit.state.insert(VERSION.0, VERSION.1)?;
                Ok(())
            })
        })
    }

    /// Returns the number of positions, and the number of those whose value does not follow from their children.
    ///
    /// # Errors
    ///
    /// The file is damaged, by the checksums of its pages.
    pub fn check(&self) -> Result<(u64, u64), StoreError> {
        run(&self.path, || {
            // The transaction is aborted. Until then, no program writes.
            let transaction = self.database()?.begin_write()?;
            self.verify()?;
            let (mut positions, mut wrong) = (0, 0);
            {
                let edit = Edit::new(&transaction)?;
                for row in edit.positions.nodes.0.iter()? {
                    let (key, entry) = row?;
                    let (key, entry) = (Key::from_bytes(key.value()), Entry::from_bytes(entry.value()));
                    positions += 1;
                    if !key.is_valid() || edit.positions.value(&key, &entry)? != entry.value {
                        wrong += 1;
                    }
                }
            }
            transaction.abort()?;
            Ok((positions, wrong))
        })
    }

    /// Checks the checksums of all pages, in a copy: a database that fails the check is changed.
    fn verify(&self) -> Result<(), StoreError> {
        let mut copy = tempfile::tempfile()?;
        io::copy(&mut fs::File::open(&self.path)?, &mut copy)?;
        let mut database = Builder::new().create_with_backend(FileBackend::new(copy)?)?;
        if database.check_integrity()? { Ok(()) } else { Err(StoreError::new("the file is damaged")) }
    }

    pub fn snapshot(&self) -> Result<Snapshot, StoreError> {
        run(&self.path, || {
            let positions = self.database()?.begin_read()?.open_table(POSITIONS)?;
            Ok(Snapshot { path: self.path.clone(), positions })
        })
    }

    /// Returns the number of games that were added.
    pub fn games(&self) -> Result<u64, StoreError> {
        run(&self.path, || Ok(self.database()?.begin_read()?.open_table(GAMES)?.len()?))
    }

    /// Returns `true` if the content with this digest was added.
    pub fn has_source(&self, digest: &[u8; 16]) -> Result<bool, StoreError> {
        run(&self.path, || Ok(self.database()?.begin_read()?.open_table(SOURCES)?.get(digest)?.is_some()))
    }

    /// Returns the digests of the games and of the files that were added.
    pub fn origins(&self) -> Result<[Vec<[u8; 16]>; 2], StoreError> {
        run(&self.path, || {
            let read = self.database()?.begin_read()?;
            let list = |table: TableDefinition<&'static [u8; 16], ()>| -> Result<Vec<_>, StoreError> {
                read.open_table(table)?.iter()?.map(|row| Ok(*row?.0.value())).collect()
            };
            Ok([list(GAMES)?, list(SOURCES)?])
        })
    }

    pub fn book(self: &Arc<Store>) -> Book {
        Book::from_store(Arc::clone(self) as Arc<dyn BookStore>)
    }
}

impl Snapshot {
    /// Returns a position, `None` if it is not in the book.
    pub fn get(&self, key: &Key) -> Result<Option<Entry>, StoreError> {
        run(&self.path, || Ok(self.positions.get(key.bytes())?.map(|entry| Entry::from_bytes(entry.value()))))
    }

    pub fn count(&self) -> Result<u64, StoreError> {
        run(&self.path, || Ok(self.positions.len()?))
    }

    /// Returns all positions, sorted by discs.
    pub fn entries(&self) -> Result<impl Iterator<Item = Result<(Key, Entry), StoreError>> + '_, StoreError> {
        run(&self.path, || Ok(self.positions.iter()?)).map(|range| self.rows(range))
    }

    /// Returns a digest of the positions with their games and own values.
    pub fn digest(&self) -> Result<[u8; 16], StoreError> {
        let mut failed = Ok(());
        let rows = self.entries()?.map_while(|row| row.map_err(|error| failed = Err(error)).ok());
        let digest = digest(rows.flat_map(|(key, entry)| {
            let entry = Entry { value: None, ..entry }.to_bytes();
            key.bytes().iter().copied().chain(entry).collect::<Vec<_>>()
        }));
        failed.map(|()| digest)
    }

    pub fn layer(
        &self,
        discs: u8,
    ) -> Result<impl Iterator<Item = Result<(Key, Entry), StoreError>> + '_, StoreError> {
        let bound = |discs: u8| {
            let mut bytes = [0; Key::SIZE];
            bytes[0] = discs;
            bytes
        };
        let (from, to) = (bound(discs), bound(discs + 1));
        run(&self.path, || Ok(self.positions.range::<&[u8; Key::SIZE]>(&from..&to)?))
            .map(|range| self.rows(range))
    }

    fn rows<'t>(
        &'t self,
        mut range: redb::Range<'t, &'static [u8; Key::SIZE], &'static [u8; Entry::SIZE]>,
    ) -> impl Iterator<Item = Result<(Key, Entry), StoreError>> + 't {
        std::iter::from_fn(move || {
            let row = run(&self.path, || {
                let Some(row) = range.next() else { return Ok(None) };
                let (key, entry) = row?;
                let key = Key::from_bytes(key.value());
                if !key.is_valid() {
                    return Err(StoreError::new("the file is damaged"));
                }
                Ok(Some((key, Entry::from_bytes(entry.value()))))
            });
            row.transpose()
        })
    }
}

impl Drop for Store {
    /// Closes the file, which writes to it.
    fn drop(&mut self) {
        let _ = guarded(|| {
            drop(self.database.take());
            Ok(())
        });
    }
}

/// Runs code that uses the database. Errors name the file.
fn run<R>(path: &Path, run: impl FnOnce() -> Result<R, StoreError>) -> Result<R, StoreError> {
    guarded(run).map_err(|error| {
        let (name, words) = (path.display().to_string(), error.to_string());
        StoreError::new(if words.starts_with(&name) { words } else { format!("{name}: {words}") })
    })
}

impl BookStore for Store {
    fn look_up(&self, key: &Key) -> Option<Entry> {
        self.snapshot().ok()?.get(key).ok()?
    }

    fn len(&self) -> usize {
        self.snapshot().and_then(|snapshot| snapshot.count()).map_or(0, |count| count as usize)
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("path", &self.path).finish_non_exhaustive()
    }
}

fn words(error: &redb::DatabaseError) -> String {
    match error {
        redb::DatabaseError::DatabaseAlreadyOpen => "another program has the book open".to_owned(),
        redb::DatabaseError::Storage(redb::StorageError::Io(error)) => match error.kind() {
            io::ErrorKind::InvalidData => "not a book in a store".to_owned(),
            _ => error.to_string(),
        },
        error => error.to_string(),
    }
}

fn builder(cache: usize) -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(cache << 20);
    if cfg!(any(target_os = "linux", target_vendor = "apple", windows)) {
        builder.set_concurrency_mode(ConcurrencyMode::MultiWriter);
    }
    builder
}
