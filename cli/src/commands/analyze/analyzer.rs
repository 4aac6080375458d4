//! Analysis of one game.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use outflank::analysis::{Known, ask_while};
use outflank::book::{Book, Contempt};
use outflank::game::Game;
use outflank::search::Search;
use outflank::study::{GameReport, Plan, Study};

use crate::options::within;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AnalysisLimits {
    pub(super) plan: Plan,
    /// Time for each position.
    pub(super) time: Option<Duration>,
    /// Nodes for each position.
    pub(super) nodes: Option<u64>,
    /// Number of moves that no player has chosen. `None` if it is that of each game.
    pub(super) given: Option<usize>,
    /// Name of the book whose values its positions have.
    pub(super) book: Option<String>,
}

pub(crate) struct Analysis {
    pub(super) report: GameReport,
    pub(super) nodes: u64,
}

/// Analyzes a game with an empty table, so that the order of games does not matter. After `stop` is set, each position is searched
/// to its first report only.
pub(crate) fn analyze(
    search: &mut Search,
    game: &Game,
    limits: &AnalysisLimits,
    book: Option<&Book>,
    stop: &AtomicBool,
) -> Analysis {
    search.clear();
    let mut study = Study::from(game);
    study.set_given(limits.given(game));
    study.set_network(search.network());
    if let Some(book) = book {
        let values = game.positions().flat_map(|position| book.values(&position, Contempt::default()));
        study.add_book_values(values.map(|(position, known)| (position, Known::of_book(&known))));
    }
    let mut nodes = 0;
    while let Some(task) = study.next_task(&limits.plan) {
        let may_continue = within(limits.time, stop);
        let searches = |_, last: Option<&_>| may_continue(last);
        let task_limits = task.limits().with_nodes(limits.nodes);
        let report = ask_while(search, task.position, task.goal(), task_limits, searches);
        nodes += report.nodes;
        study.take(task.id, &report);
    }
    Analysis { report: study.report(), nodes }
}

impl AnalysisLimits {
    /// Returns the number of moves of a game that are not counted.
    pub(super) fn given(&self, game: &Game) -> usize {
        self.given.unwrap_or_else(|| game.given()).min(game.discs_placed())
    }

    /// Returns the text that an output has about its limits.
    pub(super) fn words(&self) -> String {
        let Plan { depth, exact, .. } = self.plan;
        let given = self.given.map(|given| format!(", {given} given moves")).unwrap_or_default();
        let exact = exact.map(|exact| format!(", exact from {exact} empty squares")).unwrap_or_default();
        let time = self.time.map(|time| format!(", at most {} s a position", time.as_secs_f64()));
        let nodes = self.nodes.map(|nodes| format!(", at most {nodes} nodes a position"));
        let book = self.book.as_ref().map(|book| format!(", book {book}")).unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION");
        let limits = time.unwrap_or_default() + &nodes.unwrap_or_default();
        format!("outflank {version}, depth {depth}{exact}{limits}{book}{given}")
    }
}
