//! The study of a game: its tree, the values of its positions, and the plan of their analysis.
//!
//! A [`Study`] decides what to search, and computes what the searches have shown. It has no engine: its user asks one, and returns the
//! reports or the lines of NBoard.
//!
//! ```
//! use outflank::analysis::ask;
//! use outflank::search::{Search, SearchConfig};
//! use outflank::study::{Plan, Study};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut study = Study::read("f5d6c3d3c4f4c5b3c2b4e3e6c6b6a4a3b5d2")?;
//! let mut search = Search::new(SearchConfig::default());
//! let plan = Plan { depth: 6, exact: None, reasons: true };
//! while let Some(task) = study.next_task(&plan) {
//!     let report = ask(&mut search, task.position, task.goal(), task.limits());
//!     study.take(task.id, &report);
//! }
//! for row in study.report().positions {
//!     if let (Some(square), Some(loss)) = (row.played, row.loss) {
//!         println!("{square} {:.2}", loss.loss / 100.0);
//!         for reason in row.explanation.iter().flat_map(|explanation| &explanation.reasons) {
//!             println!("  {}: {:?} {:?}", reason.kind.name(), reason.played, reason.better);
//!         }
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod answer;
mod inquiry;
mod plan;
mod reasons;
mod report;
#[expect(clippy::module_inception, reason = "the noun of the file is the study")]
mod study;

pub use answer::Answer;
#[cfg(feature = "internals")]
pub use inquiry::Inquiry;
pub use plan::{Plan, Task, TaskId};
pub use reasons::{Explanation, Facts, Reason, ReasonKind};
pub use report::{GameReport, NodeReport, PositionReport};
pub use study::{MoveValues, Study};
