//! What the machine itself costs: a program that does nothing but repeat what it is told.

use std::path::Path;
use std::time::{Duration, Instant};

use super::Figures;
use crate::engine::Engine;
use crate::spawned::Spawned;

/// How often it is asked at a time.
const TIMES: u32 = 20;
/// Then nobody waits for it any longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// `cat`, where there is one.
#[derive(Debug)]
pub(super) struct Echo {
    program: Option<Spawned>,
    figures: Figures,
}

impl Echo {
    pub(super) fn start() -> Echo {
        let program = if cfg!(unix) { Spawned::new(Path::new("cat"), [""; 0]).ok() } else { None };
        Echo { program, figures: Figures::default() }
    }

    /// Asks it some times.
    pub(super) fn listen(&mut self) {
        let Some(program) = &mut self.program else { return };
        for _ in 0..TIMES {
            let asked = Instant::now();
            program.send("x");
            let Ok((at, _)) = program.next_within(PATIENCE) else { return };
            self.figures.took(at.saturating_duration_since(asked));
        }
    }

    pub(super) fn figures(self) -> Figures {
        self.figures
    }
}
