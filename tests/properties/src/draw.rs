//! Positions, games and names drawn from bytes. If there are too few bytes, every draw returns the first choice.

use std::time::Duration;

use arbitrary::{Arbitrary, Unstructured};
use outflank::board::{Bitboard, Color, Move, Position, Symmetry};
use outflank::game::{Ending, Game, GameClock, GameResult, NodeId, RecordedMove};
use outflank::score::{Discs, Score};

/// Names of tags that have a meaning in a notation, and names that no notation can hold.
const TAKEN: &str = "RE|Re|TI|TB|TW|CO|SCORES|RB|B|BO|GM|BR|WR|EV|BL|AB|PL|C|V|TM|TIGGF|TYGGF|RESULTGGF|Event|Round|Variant|\
                     TimeControl|FEN|Result|Site|WhiteElo|BlackRating|SetUp|a b||1";

pub(crate) struct Draw<'a>(Unstructured<'a>);

impl<'a> Draw<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Draw<'a> {
        Draw(Unstructured::new(bytes))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn any<T: Arbitrary<'a> + Default>(&mut self) -> T {
        self.0.arbitrary().unwrap_or_default()
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0.int_in_range(0..=end.saturating_sub(1)).unwrap_or_default()
    }

    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A part of a text whose parts are separated by `|`.
    pub(crate) fn part<'t>(&mut self, text: &'t str) -> &'t str {
        self.pick(&text.split('|').collect::<Vec<_>>())
    }

    fn sign(&mut self, signs: &str) -> char {
        self.pick(&signs.chars().collect::<Vec<_>>())
    }

    pub(crate) fn legal(&mut self, position: &Position) -> Option<Move> {
        let moves: Vec<Move> = position.legal_moves().collect();
        (!moves.is_empty()).then(|| self.pick(&moves))
    }

    /// Legal moves from a position, at most `most`.
    pub(crate) fn line(&mut self, root: &Position, most: usize) -> Vec<Move> {
        let (mut here, mut line) = (*root, Vec::new());
        while line.len() < most
            && let Some(mv) = self.legal(&here)
            && let Ok(next) = here.play(mv)
        {
            line.push(mv);
            here = next;
        }
        line
    }

    /// A position of a game, or any discs, but at least one: in SGF a board without discs is the usual start.
    pub(crate) fn position(&mut self) -> Position {
        match self.below(4) {
            0 => Position::START,
            1 => {
                let side = if self.any() { Color::Black } else { Color::White };
                let (taken, black) = (self.any::<u64>() | self.any::<u64>(), self.any::<u64>());
                let taken = taken.max(1);
                Position::from_discs(Bitboard(taken & black), Bitboard(taken & !black), side)
                    .unwrap_or_default()
            }
            _ => {
                let plies = self.below(64);
                let mut here = Position::START;
                for mv in self.line(&Position::START, plies) {
                    here = here.play(mv).unwrap_or(here);
                }
                here
            }
        }
    }

    /// A text that every notation can hold.
    pub(crate) fn word(&mut self) -> String {
        self.part(r#"Ann (a)|Jérôme|石田 芳夫|a"b\c|x-1.5|B+2|1. f5|O'Neill; Bob|3|0-0"#).to_owned()
    }

    /// A short text of any characters.
    pub(crate) fn wild(&mut self) -> String {
        const SIGNS: &str = "[]();{}\"\\%$&:=/\n\r\t\0 é\u{feff}\u{2028}\u{85}";
        let length = self.below(12);
        let sign = |draw: &mut Self| match draw.below(3) {
            0 => draw.sign(SIGNS),
            1 => draw.any(),
            _ => char::from(b' ' + draw.below(95) as u8),
        };
        (0..length).map(|_| sign(self)).collect()
    }

    pub(crate) fn score(&mut self) -> Score {
        Score::from_centidiscs(self.below(12_801) as i32 - 6_400)
    }

    /// A game with any tags. Unless `all_hold` is set, texts are arbitrary, and tags may have names with a meaning in a
    /// notation. Otherwise every notation can hold all texts.
    pub(crate) fn game(&mut self, all_hold: bool) -> Game {
        let name = if all_hold { Draw::word } else { Draw::wild };
        let start = match self.below(4) {
            0 => self.position(),
            1 => {
                let symmetry = Symmetry::all().nth(self.below(8)).unwrap_or(Symmetry::IDENTITY);
                Position::new(symmetry.board(Position::START.board()), Position::START.side())
            }
            _ => Position::START,
        };
        let mut game = Game::new(start);
        let plies = self.below(75);
        for mv in self.line(&start, plies) {
            let (eval, time) = (self.maybe(Draw::score), self.maybe(Draw::moment));
            if game.play(RecordedMove { mv, eval, time }).is_err() {
                break;
            }
        }
        game.tags.place = self.maybe(name);
        game.tags.date = self.maybe(name);
        game.tags.kind = self.maybe(name);
        game.tags.black.name = self.maybe(name);
        game.tags.white.name = self.maybe(name);
        game.tags.black.rating = self.maybe(|draw| draw.below(300_000) as f64 / 100.0);
        game.tags.white.rating = self.maybe(|draw| draw.below(300_000) as f64 / 100.0);
        game.tags.clock = self.maybe(Draw::clock);
        game.tags.black.clock = self.maybe(Draw::clock);
        game.tags.white.clock = self.maybe(Draw::clock);
        const ENDINGS: [Ending; 5] =
            [Ending::Played, Ending::Resigned, Ending::TimedOut, Ending::Left, Ending::Agreed];
        game.tags.result = self.maybe(|draw| GameResult { score: draw.score(), ending: draw.pick(&ENDINGS) });
        for known in ["KB", "KW", "AP", "WT", "ON", "VERSION_2"] {
            if self.once_in(4) {
                let value = name(self);
                game.tags.keep(known, &value);
            }
        }
        if !all_hold {
            while self.once_in(2) {
                let known = self.part(TAKEN);
                let value = name(self);
                game.tags.keep(known, &value);
            }
        }
        for discs in 0..=game.discs_placed() {
            if self.once_in(24) {
                game.tags.comments.push((discs, name(self)));
            }
        }
        if self.once_in(2) {
            game = self.with_variations(&game, name);
        }
        if game.plies() == 0 && self.once_in(2) {
            let squares = start.moves().into_iter();
            let discs = |draw: &mut Self| Discs::new(draw.below(129) as i32 - 64);
            game.tags.scores = squares.map(|square| (Move::Place(square), discs(self))).collect();
        }
        game
    }

    /// The game with up to 20 moves at any of its nodes.
    fn with_variations(&mut self, game: &Game, name: impl Fn(&mut Draw<'a>) -> String) -> Game {
        let mut tree = game.tree();
        let mut at = NodeId::ROOT;
        for _ in 0..self.below(20) {
            at = if self.once_in(4) { tree.node(self.below(tree.len())).unwrap_or(at) } else { at };
            let Some(mv) = self.legal(&tree.position(at)) else { continue };
            let (eval, time) = (self.maybe(Draw::score), self.maybe(Draw::moment));
            let nodes = tree.len();
            at = tree.play(at, RecordedMove { mv, eval, time }).unwrap_or(at);
            if tree.len() > nodes && self.once_in(3) {
                tree.comments_mut(at).push(name(self));
            }
        }
        tree.game(game.tags.clone())
    }

    /// A text of which up to five characters are removed, inserted or replaced.
    pub(crate) fn spoiled(&mut self, text: &str) -> String {
        const SIGNS: &str = "[]();{}\"\\x5\né";
        let mut characters: Vec<char> = text.chars().collect();
        for _ in 0..=self.below(5) {
            let at = self.below(characters.len());
            match self.below(3) {
                0 => drop(characters.remove(at)),
                1 => characters.insert(at, self.sign(SIGNS)),
                _ => characters[at] = self.sign(SIGNS),
            }
        }
        characters.into_iter().collect()
    }

    fn maybe<T>(&mut self, what: impl FnOnce(&mut Draw<'a>) -> T) -> Option<T> {
        if self.any() { Some(what(self)) } else { None }
    }

    fn moment(&mut self) -> Duration {
        Duration::from_millis(self.below(1_000_000) as u64)
    }

    fn clock(&mut self) -> GameClock {
        let mut time = |most| Duration::from_secs(self.below(most) as u64);
        GameClock { main: time(100_000), increment: time(3), grace: time(200) }
    }
}
