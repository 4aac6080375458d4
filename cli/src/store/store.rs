//! The file of a store.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outflank::board::Board;
use outflank::book::{Shelf, Shelved};
use redb::{
    Builder, ConcurrencyMode, Database, ReadOnlyTable, ReadTransaction, ReadableDatabase, ReadableTable,
    ReadableTableMetadata, TableDefinition,
};

use super::entry::{Entry, Key};
use super::fault::{Fault, guarded};
use super::settle::{Edit, digest};

pub(super) const POSITIONS: TableDefinition<&[u8; Key::SIZE], &[u8; Entry::SIZE]> =
    TableDefinition::new("positions");
/// The games it was made of, by what tells them apart.
pub(super) const GAMES: TableDefinition<&[u8; 16], ()> = TableDefinition::new("games");
/// The files that were added, by the digest of their content.
pub(super) const SOURCES: TableDefinition<&[u8; 16], ()> = TableDefinition::new("sources");
/// Numbers about the whole.
pub(super) const STATE: TableDefinition<&str, u64> = TableDefinition::new("state");

/// The version of the values. Those of version 1 skip moves without a value: they are backed up again.
pub(super) const VERSION: (&str, u64) = ("version", 2);
/// Counts the changes that did not back values up.
const CHANGES: &str = "unsettled";
/// The value of `CHANGES` up to which values are backed up.
const SETTLED: &str = "settled";

/// How a file of this kind begins.
const MAGIC: &[u8] = b"redb";

/// A book in a file. Several programs may have it open, and see what each other changes.
pub struct Store {
    path: PathBuf,
    /// `None` once it is closed.
    database: Option<Database>,
}

/// A state of the store, which stays as it is.
pub struct Snapshot {
    path: PathBuf,
    positions: ReadOnlyTable<&'static [u8; Key::SIZE], &'static [u8; Entry::SIZE]>,
    _transaction: ReadTransaction,
}

impl Store {
    /// Whether a file is a store, as its beginning tells.
    pub fn is_store(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Opens a store, or with `create` makes an empty one where there is no file. `cache` is in mebibytes.
    pub fn open(path: &Path, create: bool, cache: usize) -> Result<Store, Fault> {
        let named = |error: &str| Fault::new(format!("{}: {error}", path.display()));
        match fs::metadata(path).map(|data| (data.is_file(), data.len() > 0)) {
            Ok((true, true)) => {}
            Ok((false, _)) => return Err(named("not a file")),
            // A new file, or an empty one.
            _ if create => {
                guarded(|| Store::create(path, cache)).map_err(|fault| named(&fault.to_string()))?
            }
            Ok((true, false)) => return Err(named("the file is empty")),
            Err(error) => return Err(named(&error.to_string())),
        }
        guarded(|| Store::open_whole(path, cache)).map_err(|fault| named(&fault.to_string()))
    }

    /// Makes an empty store. It is made beside its place and put there when it is whole: a program that is killed meanwhile
    /// leaves no half of one.
    fn create(path: &Path, cache: usize) -> Result<(), Fault> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        // Two programs that make the same book do not meet.
        name.push(format!(".new-{}", std::process::id()));
        let beside = path.with_file_name(name);
        let _ = fs::remove_file(&beside);
        let made = Store::open_whole(&beside, cache).and_then(|store| {
            drop(store);
            match fs::hard_link(&beside, path) {
                // Somebody else was quicker; an empty file is nobody's book.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    if fs::metadata(path)?.len() == 0 {
                        fs::rename(&beside, path)?
                    }
                }
                // Where files have one name only.
                Err(_) => fs::rename(&beside, path)?,
                Ok(()) => {}
            }
            Ok(())
        });
        let _ = fs::remove_file(&beside);
        made
    }

    /// Opens a file that is a store, or makes it one.
    fn open_whole(path: &Path, cache: usize) -> Result<Store, Fault> {
        let mut builder = Builder::new();
        builder.set_cache_size(cache << 20);
        if cfg!(any(target_os = "linux", target_vendor = "apple", windows)) {
            builder.set_concurrency_mode(ConcurrencyMode::MultiWriter);
        }
        let database = builder.create(path).map_err(|error| Fault::new(words(&error)))?;
        let store = Store { path: path.to_owned(), database: Some(database) };
        store.begin()?;
        Ok(store)
    }

    /// Makes the tables, or looks at their version.
    fn begin(&self) -> Result<(), Fault> {
        match self.number(VERSION.0)? {
            0 => {}
            version if version <= VERSION.1 => return Ok(()),
            version => return Err(Fault::new(format!("a book of version {version}, not {}", VERSION.1))),
        }
        let transaction = self.database()?.begin_write()?;
        transaction.open_table(STATE)?.insert(VERSION.0, VERSION.1)?;
        transaction.open_table(POSITIONS)?;
        transaction.open_table(GAMES)?;
        transaction.commit()?;
        Ok(())
    }

    fn database(&self) -> Result<&Database, Fault> {
        self.database.as_ref().ok_or_else(|| Fault::new("the book is closed"))
    }

    /// Returns a number about the whole, 0 where there is none.
    fn number(&self, name: &str) -> Result<u64, Fault> {
        match self.database()?.begin_read()?.open_table(STATE) {
            Ok(state) => Ok(state.get(name)?.map_or(0, |number| number.value())),
            Err(redb::TableError::TableDoesNotExist(_)) => Ok(0),
            Err(error) => Err(error.into()),
        }
    }

    /// Runs code that uses the database; a fault names the file.
    fn run<R>(&self, run: impl FnOnce() -> Result<R, Fault>) -> Result<R, Fault> {
        guarded(run).map_err(|fault| named(&self.path, &fault))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Changes the store: everything or, if something fails or the machine stops, nothing. Values are backed up.
    pub fn change<R>(&self, change: impl FnOnce(&mut Edit<'_>) -> Result<R, Fault>) -> Result<R, Fault> {
        self.write(change, true)
    }

    /// The same without backing values up, for many changes in turn; [`Store::settle`] has to follow.
    pub fn change_unsettled<R>(
        &self,
        change: impl FnOnce(&mut Edit<'_>) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        self.write(change, false)
    }

    fn write<R>(
        &self,
        change: impl FnOnce(&mut Edit<'_>) -> Result<R, Fault>,
        settle: bool,
    ) -> Result<R, Fault> {
        self.run(|| {
            let transaction = self.database()?.begin_write()?;
            let result = {
                let mut edit = Edit::new(&transaction)?;
                let result = change(&mut edit)?;
                if settle {
                    edit.settle()?;
                } else {
                    edit.leave();
                    let changes = edit.number(CHANGES)?;
                    edit.state.insert(CHANGES, changes.wrapping_add(1))?;
                }
                result
            };
            transaction.commit()?;
            Ok(result)
        })
    }

    /// Returns `true` if values are not backed up: a program was stopped before it came to that, or the book is outdated.
    pub fn is_unsettled(&self) -> Result<bool, Fault> {
        Ok(self.is_outdated()? || self.run(|| Ok(self.number(CHANGES)? != self.number(SETTLED)?))?)
    }

    /// Returns `true` if an earlier version backed the values up, by a rule that skipped moves without a value.
    pub fn is_outdated(&self) -> Result<bool, Fault> {
        self.run(|| Ok(self.number(VERSION.0)? < VERSION.1))
    }

    /// Backs all values up, a number of discs at a time, and reports the number of positions done. Changes that another
    /// program makes at the same time stay unsettled.
    pub fn settle(&self, mut told: impl FnMut(u64)) -> Result<(), Fault> {
        let mut done = 0;
        self.run(|| {
            let (changes, outdated) = (self.number(CHANGES)?, self.number(VERSION.0)? < VERSION.1);
            for discs in (0..=64).rev() {
                let layer = self.snapshot()?;
                let keys: Vec<Key> =
                    layer.layer(discs)?.map(|row| Ok(row?.0)).collect::<Result<_, Fault>>()?;
                if keys.is_empty() {
                    continue;
                }
                let transaction = self.database()?.begin_write()?;
                {
                    let mut edit = Edit::new(&transaction)?;
                    for key in &keys {
                        let Some(mut entry) = edit.get(key)? else { continue };
                        let old = entry;
                        // Searches for an outdated book skipped known moves without a value: such a position is
                        // searched again.
                        let searched = entry.given.is_some_and(|given| !given.exact && given.depth > 0);
                        if outdated && searched && edit.has_open_child(key)? {
                            entry.given = None;
                        }
                        entry.worth = edit.worth(key, &entry)?;
                        if entry != old {
                            edit.positions.insert(key.bytes(), &entry.to_bytes())?;
                        }
                        done += 1;
                        if done % 4096 == 0 {
                            told(done);
                        }
                    }
                }
                transaction.commit()?;
                told(done);
            }
            let transaction = self.database()?.begin_write()?;
            {
                let mut edit = Edit::new(&transaction)?;
                let settled = edit.number(SETTLED)?.max(changes);
                edit.state.insert(SETTLED, settled)?;
                edit.state.insert(VERSION.0, VERSION.1)?;
            }
            transaction.commit()?;
            Ok(())
        })
    }

    /// Looks at every position: how many there are, and of how many the value does not follow from their children.
    pub fn check(&self) -> Result<(u64, u64), Fault> {
        self.run(|| {
            // In a transaction that is given up: the same code that settles.
            let transaction = self.database()?.begin_write()?;
            let (mut positions, mut wrong) = (0, 0);
            {
                let edit = Edit::new(&transaction)?;
                for row in edit.positions.iter()? {
                    let (key, entry) = row?;
                    let (key, entry) = (Key::from_bytes(key.value()), Entry::from_bytes(entry.value()));
                    positions += 1;
                    if !key.is_sound() || edit.worth(&key, &entry)? != entry.worth {
                        wrong += 1;
                    }
                }
            }
            transaction.abort()?;
            Ok((positions, wrong))
        })
    }

    /// The state as it is now.
    pub fn snapshot(&self) -> Result<Snapshot, Fault> {
        self.run(|| {
            let transaction = self.database()?.begin_read()?;
            let positions = transaction.open_table(POSITIONS)?;
            Ok(Snapshot { path: self.path.clone(), positions, _transaction: transaction })
        })
    }

    /// Number of games it was made of.
    pub fn games(&self) -> Result<u64, Fault> {
        self.run(|| Ok(self.database()?.begin_read()?.open_table(GAMES)?.len()?))
    }

    /// Returns the games that it was made of, and the digests of the files.
    #[expect(clippy::type_complexity, reason = "two lists of one kind")]
    pub fn origins(&self) -> Result<(Vec<[u8; 16]>, Vec<[u8; 16]>), Fault> {
        let list = |table: TableDefinition<&'static [u8; 16], ()>| match self
            .database()?
            .begin_read()?
            .open_table(table)
        {
            Ok(rows) => rows.iter()?.map(|row| Ok(*row?.0.value())).collect(),
            Err(redb::TableError::TableDoesNotExist(_)) => Ok(Vec::new()),
            Err(error) => Err(Fault::from(error)),
        };
        self.run(|| Ok((list(GAMES)?, list(SOURCES)?)))
    }

    /// The book of this store.
    pub fn shelf(self: &Arc<Store>) -> Arc<dyn Shelf> {
        Arc::clone(self) as Arc<dyn Shelf>
    }
}

impl Snapshot {
    /// What is known of a position.
    pub fn get(&self, key: &Key) -> Result<Option<Entry>, Fault> {
        self.run(|| Ok(self.positions.get(key.bytes())?.map(|entry| Entry::from_bytes(entry.value()))))
    }

    /// Number of positions.
    pub fn count(&self) -> Result<u64, Fault> {
        self.run(|| Ok(self.positions.len()?))
    }

    /// All positions, those with few discs first.
    pub fn entries(&self) -> Result<impl Iterator<Item = Result<(Key, Entry), Fault>> + '_, Fault> {
        self.run(|| Ok(self.positions.iter()?)).map(|range| self.rows(range))
    }

    /// Returns a digest of the positions with their games and own values.
    pub fn digest(&self) -> Result<[u8; 16], Fault> {
        let mut fault = Ok(());
        let rows = self.entries()?.map_while(|row| row.map_err(|error| fault = Err(error)).ok());
        let digest = digest(rows.flat_map(|(key, entry)| {
            let entry = Entry { worth: None, ..entry }.to_bytes();
            key.bytes().iter().copied().chain(entry).collect::<Vec<_>>()
        }));
        fault.map(|()| digest)
    }

    /// The positions with that many discs.
    pub fn layer(&self, discs: u8) -> Result<impl Iterator<Item = Result<(Key, Entry), Fault>> + '_, Fault> {
        let bound = |discs: u8| {
            let mut bytes = [0; Key::SIZE];
            bytes[0] = discs;
            bytes
        };
        let (from, to) = (bound(discs), bound(discs + 1));
        self.run(|| Ok(self.positions.range::<&[u8; Key::SIZE]>(&from..&to)?)).map(|range| self.rows(range))
    }

    fn rows<'t>(
        &'t self,
        mut range: redb::Range<'t, &'static [u8; Key::SIZE], &'static [u8; Entry::SIZE]>,
    ) -> impl Iterator<Item = Result<(Key, Entry), Fault>> + 't {
        std::iter::from_fn(move || {
            let row = self.run(|| {
                let Some(row) = range.next() else { return Ok(None) };
                let (key, entry) = row?;
                let key = Key::from_bytes(key.value());
                if !key.is_sound() {
                    return Err(Fault::new("the file is damaged"));
                }
                Ok(Some((key, Entry::from_bytes(entry.value()))))
            });
            row.transpose()
        })
    }

    /// Runs code that uses the database; a fault names the file.
    fn run<R>(&self, run: impl FnOnce() -> Result<R, Fault>) -> Result<R, Fault> {
        guarded(run).map_err(|fault| named(&self.path, &fault))
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

fn named(path: &Path, fault: &Fault) -> Fault {
    let (name, words) = (path.display().to_string(), fault.to_string());
    Fault::new(if words.starts_with(&name) { words } else { format!("{name}: {words}") })
}

impl Shelf for Store {
    /// A store that cannot be read any more knows nothing.
    fn look(&self, board: &Board) -> Option<Shelved> {
        self.snapshot().ok()?.get(&Key::canonical(*board)).ok()??.shelved()
    }

    fn contains(&self, board: &Board) -> bool {
        self.snapshot()
            .and_then(|known| known.get(&Key::canonical(*board)))
            .is_ok_and(|entry| entry.is_some())
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
