//! What a session did, to be taken bit by bit by its model.

use std::collections::VecDeque;

use outflank::board::Position;
use outflank::search::{Goal, SearchId};
use outflank::session::Effect;

use super::Fault;
use crate::pattern::Pattern;

/// Effects in their order.
#[derive(Debug)]
pub struct Heard {
    effects: VecDeque<Effect>,
    /// What was taken, as the table tells it.
    taken: Vec<String>,
}

impl Heard {
    /// What a session did at one event.
    pub fn new(effects: Vec<Effect>) -> Heard {
        Heard { effects: effects.into(), taken: Vec::new() }
    }

    /// Whether it says next what fits.
    pub fn says_next(&self, pattern: &str) -> bool {
        matches!(self.effects.front(), Some(Effect::Send(line)) if Pattern::new(pattern).matches(line))
    }

    /// Takes a line that has to come now.
    ///
    /// # Errors
    /// When something else comes, or nothing.
    pub fn say(&mut self, pattern: &str) -> Result<String, Fault> {
        self.say_as(&format!("`{pattern}`"), pattern)
    }

    /// The same, under another name in the table.
    ///
    /// # Errors
    /// When something else comes, or nothing.
    pub fn say_as(&mut self, name: &str, pattern: &str) -> Result<String, Fault> {
        if self.says_next(pattern)
            && let Some(Effect::Send(line)) = self.effects.pop_front()
        {
            self.took(name);
            return Ok(line);
        }
        Err(format!("`{pattern}` is owed, there is {}", self.next()))
    }

    /// Takes a line that may come now.
    pub fn may_say(&mut self, pattern: &str) -> Option<String> {
        if self.says_next(pattern) { self.say(pattern).ok() } else { None }
    }

    /// Takes the start of a search of `root`.
    ///
    /// # Errors
    /// When something else comes, or the search is of something else.
    pub fn start(&mut self, root: &Position, goal: impl Fn(Goal) -> bool) -> Result<SearchId, Fault> {
        match self.effects.pop_front() {
            Some(Effect::Start(request, _)) if request.root == *root && goal(request.goal) => {
                self.took("search");
                Ok(request.id)
            }
            other => Err(format!("a search of {root:?} is owed, there is {other:?}")),
        }
    }

    /// Takes the stop of this search.
    ///
    /// # Errors
    /// When something else comes.
    pub fn stop(&mut self, id: SearchId) -> Result<(), Fault> {
        self.effect("stop", |effect| *effect == Effect::Stop(id))
    }

    /// Takes new deadlines of this search.
    ///
    /// # Errors
    /// When something else comes.
    pub fn budget(&mut self, id: SearchId) -> Result<(), Fault> {
        self.effect("clock", |effect| matches!(effect, Effect::SetDeadlines(of, _) if *of == id))
    }

    /// Takes an effect that is no line.
    ///
    /// # Errors
    /// When something else comes.
    pub fn effect(&mut self, name: &str, test: impl Fn(&Effect) -> bool) -> Result<(), Fault> {
        match self.effects.front() {
            Some(effect) if test(effect) => {
                self.effects.pop_front();
                self.took(name);
                Ok(())
            }
            _ => Err(format!("owed: {name}; there is {}", self.next())),
        }
    }

    /// What was taken, when that is all.
    ///
    /// # Errors
    /// When there is more.
    pub fn end(self) -> Result<Vec<String>, Fault> {
        match self.effects.front() {
            None => Ok(self.taken),
            Some(_) => Err(format!("not owed: {}", self.next())),
        }
    }

    /// Several lines of a kind are one in the table.
    fn took(&mut self, name: &str) {
        if self.taken.last().is_none_or(|last| last != name) {
            self.taken.push(name.to_owned());
        }
    }

    fn next(&self) -> String {
        match self.effects.front() {
            Some(Effect::Send(line)) => format!("`{line}`"),
            Some(effect) => format!("{effect:?}"),
            None => "nothing".to_owned(),
        }
    }
}
