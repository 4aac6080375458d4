//! Lines from bytes.

use std::io::{self, BufRead};

/// A line longer than this is cut: no notation needs as much, and nobody shall fill the memory.
const LONGEST: usize = 1 << 20;

/// Reads the next line without its end (`\n` or `\r\n`); nothing at the end of the input. What is not UTF-8 is
/// replaced, not refused.
pub(super) fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut any = false;
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
        let room = LONGEST - line.len();
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
    while line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut bytes).unwrap() {
            lines.push(line);
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
    fn a_long_line_is_cut() {
        let mut bytes = vec![b'x'; LONGEST + 5000];
        bytes.extend_from_slice(b"\nping 1\n");
        let lines = lines(&bytes);
        assert_eq!((lines[0].len(), lines[1].as_str()), (LONGEST, "ping 1"));
    }
}
