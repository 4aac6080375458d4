//! Which protocol the other end speaks.

use std::fmt;
use std::str::FromStr;

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// NBoard's, versions 1 and 2.
    NBoard,
    /// The Othello Engine Protocol of Cassio.
    Cassio,
    /// Hub, version 2.
    Hub,
    /// The protocol of WinBoard and XBoard, versions 1 and 2.
    WinBoard,
}

/// The text names no dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDialect;

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 4] = [Dialect::NBoard, Dialect::Cassio, Dialect::Hub, Dialect::WinBoard];

    /// The dialect that has `line` among its possible first lines.
    ///
    /// Some NBoard clients start with `ping 1`, some XBoard ones with `protover 2` or, to find out what they
    /// have before them, with `uci`, which the WinBoard session refuses as it should.
    pub fn of_first_line(line: &str) -> Option<Dialect> {
        let mut words = line.split_whitespace();
        let first = words.next()?;
        let second = words.next();
        match first {
            "ENGINE-PROTOCOL" => Some(Dialect::Cassio),
            "hub" | "set-param" | "init" => Some(Dialect::Hub),
            "pos" if second.is_some_and(|word| word.contains('=')) => Some(Dialect::Hub),
            "nboard" | "set" | "learn" | "move" => Some(Dialect::NBoard),
            "ping" if second.is_some() => Some(Dialect::NBoard),
            "xboard" | "protover" | "uci" | "new" | "variant" | "force" | "setboard" | "usermove"
            | "analyze" | "level" | "easy" | "hard" | "post" | "nopost" => Some(Dialect::WinBoard),
            _ => None,
        }
    }

    /// The dialect that `line` opens beyond doubt, whatever is being spoken: no other dialect has such a line.
    pub fn opened_by(line: &str) -> Option<Dialect> {
        let mut words = line.split_whitespace();
        match (words.next()?, words.next(), words.next()) {
            ("nboard", Some(version), None) if version.parse::<u32>().is_ok() => Some(Dialect::NBoard),
            ("ENGINE-PROTOCOL", Some("init" | "get-version"), None) => Some(Dialect::Cassio),
            ("hub", None, None) => Some(Dialect::Hub),
            ("xboard", None, None) => Some(Dialect::WinBoard),
            _ => None,
        }
    }

    /// The name the command line knows it by.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::NBoard => "nboard",
            Dialect::Cassio => "cassio",
            Dialect::Hub => "hub",
            Dialect::WinBoard => "xboard",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(text: &str) -> Result<Dialect, UnknownDialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == text).ok_or(UnknownDialect)
    }
}

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not one of nboard, cassio, hub, xboard")
    }
}

impl std::error::Error for UnknownDialect {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines() {
        for (line, dialect) in [
            ("nboard 2", Some(Dialect::NBoard)),
            ("ping 1", Some(Dialect::NBoard)),
            ("set game (;GM[Othello];)", Some(Dialect::NBoard)),
            ("ENGINE-PROTOCOL get-version", Some(Dialect::Cassio)),
            ("ENGINE-PROTOCOL  feed-hash", Some(Dialect::Cassio)),
            ("hub", Some(Dialect::Hub)),
            ("xboard", Some(Dialect::WinBoard)),
            ("protover 2", Some(Dialect::WinBoard)),
            ("uci", Some(Dialect::WinBoard)),
            ("", None),
            ("   ", None),
            ("ping", None),
            ("hello", None),
            ("\u{feff}nboard 2", None),
        ] {
            assert_eq!(Dialect::of_first_line(line), dialect, "{line}");
        }
    }

    #[test]
    fn what_opens_a_dialect_in_the_middle_of_another() {
        assert_eq!(Dialect::opened_by("hub"), Some(Dialect::Hub));
        assert_eq!(Dialect::opened_by("nboard 2"), Some(Dialect::NBoard));
        for line in ["nboard", "nboard x", "ping 1", "hub please", "xboard 2", "ENGINE-PROTOCOL stop"] {
            assert_eq!(Dialect::opened_by(line), None, "{line}");
        }
    }

    #[test]
    fn names() {
        for dialect in Dialect::ALL {
            assert_eq!(dialect.to_string().parse(), Ok(dialect));
        }
        assert_eq!("uci".parse::<Dialect>(), Err(UnknownDialect));
    }
}
