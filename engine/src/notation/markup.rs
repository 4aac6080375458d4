//! Pasted text without the marks of web pages, messages and servers around its moves and boards.

use super::{diagram, link, squares, transcript, words};

/// Parameters of links whose value is a transcript.
const PARAMETERS: &str = "moves|game|kifu|transcript";

/// The text without links, HTML, code fences, quotation marks and the brackets of GGS boards, and the first part of it that
/// has neither moves nor a board and was removed. Links become their moves, and the text around a GGS board stays if it has moves.
///
/// With `all`, also without emphasis, bullets, rules and headings. Only HTML and second boards of a line change the number of
/// lines.
pub(super) fn without(text: &str, all: bool) -> (String, Option<String>) {
    let mut removed = None;
    let mut remove = |part: &str| {
        if removed.is_none() && part.contains(char::is_alphabetic) {
            removed = Some(part.to_owned());
        }
    };
    let text = without_brackets(&without_html(&without_links(text, &mut remove)), &mut remove);
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut line = line.trim().trim_start_matches(['>', ' ']);
        if line.starts_with("```") || line.starts_with("~~~") {
            line = line.trim_matches(['`', '~']);
            if !words::has_square(line) {
                remove(line);
                line = "";
            }
        }
        if !all {
            plain.push_str(line);
        } else if words::has_square(line) {
            let line = line.trim_start_matches(['#', '+', '•', ' ']).replace("手目", ".");
            plain.extend(line.chars().filter_map(between_moves));
        } else if !line.starts_with('|') || diagram::is_row(line) {
            plain.push_str(line);
        } else {
            remove(line);
        }
        plain.push('\n');
    }
    (plain, removed)
}

/// The text without the brackets `[8 ` and `]` around boards. Moves around a board stay.
fn without_brackets(text: &str, remove: &mut dyn FnMut(&str)) -> String {
    let opening = |text: &str| {
        let mut found = text.match_indices("[8").map(|(at, _)| at);
        let is_board =
            |text: &str| text.is_empty() || text.starts_with(char::is_whitespace) || squares::begins(text);
        found.find(|at| is_board(&text[at + 2..]))
    };
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = opening(rest) {
        let start = rest[..at].rfind('\n').map_or(0, |end| end + 1);
        let before = &rest[start..at];
        plain.push_str(&rest[..start]);
        if words::has_square(before) {
            plain.push_str(before);
        } else {
            remove(before.trim_start_matches(['>', ' ']));
        }
        if !plain.is_empty() && !plain.ends_with('\n') {
            plain.push('\n');
        }
        let (board, after) = rest[at + 2..].split_once(']').unwrap_or((&rest[at + 2..], ""));
        plain.extend([board.trim_matches([' ', '\t']), " "]);
        rest = after;
    }
    plain + rest
}

/// The character that replaces one in a line of moves. `None` if it is removed.
fn between_moves(character: char) -> Option<char> {
    match character {
        '*' | '`' | '\\' => None,
        '、' | '手' => Some('.'),
        '[' | ']' | '第' => Some(' '),
        _ => Some(character),
    }
}

/// Replaces every link by its moves.
fn without_links(text: &str, remove: &mut dyn FnMut(&str)) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let before = rest[..at].trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let end = rest[at..].find(|c: char| c.is_whitespace() || "\"'<>()[]|*`".contains(c));
        let (link, after) = rest.split_at(end.map_or(rest.len(), |end| at + end));
        // `[name](link)`.
        let named = usize::from(before.ends_with("](") && after.starts_with(')'));
        plain.push_str(&before[..before.len() - named]);
        plain.push(' ');
        match moves_of(link) {
            Some(moves) => plain.push_str(&moves),
            None => remove(&link[before.len()..]),
        }
        rest = &after[named..];
    }
    plain + rest
}

/// The moves of a link: the value of a parameter, the fragment, or another part with three moves (`…/kifu/f5d6c3.html`).
fn moves_of(link: &str) -> Option<String> {
    let mut fields = link.split(['?', '&', '#', ';', '/']).filter_map(|part| part.split_once('='));
    let value = fields.find(|(name, _)| words::is_in(PARAMETERS, name));
    let fragment = link.split_once('#');
    let parts = link.split(['?', '&', '#', '=', '/']).map(|part| part.split('.').next().unwrap_or_default());
    let others = parts.filter(|part| words::places(part) > 2);
    let texts = value.or(fragment).map(|(_, text)| text).into_iter().chain(others);
    texts.filter_map(link::decode).find(|moves| transcript::begins(moves))
}

/// Removes tags and replaces entities.
fn without_html(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let last = text.rfind('>').unwrap_or_default();
    let mut at = 0;
    while let Some(found) = text[at..].find(['<', '&']) {
        plain.push_str(&text[at..at + found]);
        at += found;
        let rest = &text[at..];
        let replaced = if at < last { tag(rest) } else { None };
        let sign = if rest.starts_with('<') { '<' } else { '&' };
        let (character, length) = replaced.or_else(|| entity(rest)).unwrap_or((sign, 1));
        plain.push(character);
        at += length;
    }
    plain.push_str(&text[at..]);
    plain
}

/// The character that replaces a tag, and the length of the tag.
fn tag(text: &str) -> Option<(char, usize)> {
    let inside = text.strip_prefix('<')?;
    if !inside.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!')) {
        return None;
    }
    let end = text.find('>')?;
    let name = inside[..end - 1].split(|c: char| c.is_whitespace()).next()?.to_ascii_lowercase();
    let character = match name.as_str() {
        // Their contents are no text of the page.
        "script" | "style" => {
            let is_end = |&(at, _): &(usize, &str)| words::after(&text[at + 2..], &name).is_some();
            return Some((' ', text.match_indices("</").find(is_end).map_or(text.len(), |(at, _)| at)));
        }
        // A row of a table has the same form as in Markdown.
        "td" | "th" => '|',
        "br" | "br/" | "/tr" | "/p" | "/li" | "/div" | "/pre" | "/h1" | "/h2" | "/h3" => '\n',
        _ => ' ',
    };
    Some((character, end + 1))
}

/// The character of an entity, and the length of the entity.
fn entity(text: &str) -> Option<(char, usize)> {
    let end = text.bytes().take(10).position(|byte| byte == b';')?;
    let name = text.get(1..end).filter(|_| text.starts_with('&'))?;
    let character = match (name, name.strip_prefix('#')) {
        ("amp", _) => '&',
        ("lt", _) => '<',
        ("gt", _) => '>',
        ("quot", _) => '"',
        ("nbsp" | "ensp" | "emsp" | "thinsp" | "middot" | "bull", _) => ' ',
        (_, Some(code)) => {
            let code = match code.strip_prefix(['x', 'X']) {
                Some(code) => u32::from_str_radix(code, 16),
                None => code.parse(),
            };
            char::from_u32(code.ok()?)?
        }
        _ => return None,
    };
    Some((character, end + 1))
}
