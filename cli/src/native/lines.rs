//! Lines from bytes.

use std::io::{self, BufRead};

/// A longer line is not read: no notation needs as much, and nobody shall fill the memory.
pub const LONGEST_LINE: usize = 1 << 20;

/// What is kept of a line that is too long, to tell which one it was.
const BEGINNING: usize = 200;

/// A line of the input, without its end (`\n` or `\r\n`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputLine {
    /// All of it.
    Whole(String),
    /// The beginning of one that is longer than [`LONGEST_LINE`]; the rest was skipped.
    TooLong(String),
}

/// Reads the next line; nothing at the end of the input. What is not UTF-8 is replaced, not refused.
///
/// # Errors
/// Where the input cannot be read.
pub fn next_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut line = Vec::new();
    let mut any = false;
    let mut cut = false;
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.is_empty() {
            break;
        }
        any = true;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        let room = LONGEST_LINE - line.len();
        cut |= part.len() > room;
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if !any {
        return Ok(None);
    }
    if cut {
        return Ok(Some(InputLine::TooLong(String::from_utf8_lossy(&line[..BEGINNING]).into_owned())));
    }
    while line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(InputLine::Whole(String::from_utf8_lossy(&line).into_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut bytes).unwrap() {
            lines.push(match line {
                InputLine::Whole(line) => line,
                InputLine::TooLong(beginning) => format!("too long: {beginning}"),
            });
        }
        lines
    }

    #[test]
    fn line_ends() {
        assert_eq!(lines(b"a\nb\r\n\nlast"), ["a", "b", "", "last"]);
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\n"), [""]);
        assert_eq!(lines(b"\xff\xfe\n"), ["\u{fffd}\u{fffd}"]);
    }

    #[test]
    fn a_long_line_is_told_of_and_skipped() {
        for (more, told) in [(0, false), (1, true), (5000, true)] {
            let mut bytes = vec![b'x'; LONGEST_LINE + more];
            bytes.extend_from_slice(b"\nping 1\n");
            let lines = lines(&bytes);
            assert_eq!(lines[0].starts_with("too long: xxx"), told, "{more}");
            assert_eq!(lines[1], "ping 1");
        }
    }
}
