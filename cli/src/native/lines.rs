//! Reads lines.

use std::io::{self, BufRead, Read};

/// Most bytes of a line. It bounds the memory. No notation needs longer lines.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// Bytes that are kept of a line that is too long, to identify it.
const EXCERPT_BYTES: usize = 200;

/// A line of the input without the line end (`\n` or `\r\n`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputLine {
    Whole(String),
    /// The start of a line of more than [`MAX_LINE_BYTES`] bytes. The rest is skipped.
    TooLong(String),
}

/// Reads the next line. `None` at the end of the input. Invalid UTF-8 is replaced.
///
/// # Errors
/// If the input cannot be read.
pub fn next_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut line = Vec::new();
    input.by_ref().take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut line)?;
    let has_end = line.pop_if(|byte| *byte == b'\n').is_some();
    if line.is_empty() && !has_end {
        return Ok(None);
    }
    if line.len() > MAX_LINE_BYTES {
        input.skip_until(b'\n')?;
        return Ok(Some(InputLine::TooLong(String::from_utf8_lossy(&line[..EXCERPT_BYTES]).into_owned())));
    }
    while line.pop_if(|byte| *byte == b'\r').is_some() {}
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
    fn long_line_is_skipped() {
        for (more, is_too_long) in [(0, false), (1, true), (5000, true)] {
            let mut bytes = vec![b'x'; MAX_LINE_BYTES + more];
            bytes.extend_from_slice(b"\nping 1\n");
            let lines = lines(&bytes);
            assert_eq!(lines[0].starts_with("too long: xxx"), is_too_long, "{more}");
            assert_eq!(lines[1], "ping 1");
        }
    }
}
