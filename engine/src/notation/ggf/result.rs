//! Results: `+12.000`, `-12:r`, `?`.

use super::super::number;
use crate::game::{Ending, GameResult};
use crate::score::Score;

/// Reads a result: the outer nothing for what is none, the inner for one that is not known yet.
pub(in crate::notation) fn read(text: &str) -> Option<Option<GameResult>> {
    // Adjourned and aborted games have a word, and no score.
    let word = |text: &str| text.chars().all(|c| c.is_ascii_alphabetic() || c == ' ');
    if matches!(text, "" | "?") || (text.len() > 1 && word(text)) {
        return Some(None);
    }
    let (score, ending) = text.split_once(':').unwrap_or((text, ""));
    let score = Score::from_discs(number::read(score)?)?;
    let ending = match ending.trim() {
        "" => Ending::Played,
        "r" => Ending::Resigned,
        "t" => Ending::TimedOut,
        "l" => Ending::Left,
        "s" => Ending::Agreed,
        _ => return None,
    };
    Some(Some(GameResult { score, ending }))
}

pub(in crate::notation) fn write(result: Option<&GameResult>) -> String {
    let Some(result) = result else { return "?".to_owned() };
    let ending = match result.ending {
        Ending::Resigned => ":r",
        Ending::TimedOut => ":t",
        Ending::Left => ":l",
        // NBoard knows no agreed score.
        Ending::Played | Ending::Agreed => "",
    };
    format!("{:+.3}{ending}", result.score.discs())
}

/// With an agreed score told as such.
pub(in crate::notation) fn write_whole(result: &GameResult) -> String {
    let agreed = if result.ending == Ending::Agreed { ":s" } else { "" };
    format!("{}{agreed}", write(Some(result)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_as_they_are_written() {
        let result =
            |centidiscs, ending| Some(Some(GameResult { score: Score::from_centidiscs(centidiscs), ending }));
        assert_eq!(read("+0.000"), result(0, Ending::Played));
        assert_eq!(read("-12:r"), result(-1200, Ending::Resigned));
        assert_eq!(read("64:t"), result(6400, Ending::TimedOut));
        assert_eq!(read("-2.5:l"), result(-250, Ending::Left));
        assert_eq!(read("4:s"), result(400, Ending::Agreed));
        assert_eq!(read("?"), Some(None));
        assert_eq!(read("nasai left"), Some(None));
        for text in ["x", "12:x", "NaN:r", ":r", "1:2:3"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn written_and_read_back() {
        for text in ["?", "+0.000", "-12.000:r", "+2.500:t", "+64.000:l"] {
            assert_eq!(write(read(text).unwrap().as_ref()), text);
        }
    }
}
