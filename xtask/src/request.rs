//! The head of an HTTP request.

use std::collections::HashMap;

#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Path and query, as received.
    pub(crate) target: String,
    version: String,
    /// Values by the name in lower case. Those of a repeated field are joined by commas.
    fields: HashMap<String, String>,
}

impl Request {
    /// Parses the lines of a head. `None` if one of them is invalid.
    pub(crate) fn parse(lines: &[String]) -> Option<Request> {
        let (first, rest) = lines.split_first()?;
        let [method, target, version] = first.split(' ').collect::<Vec<_>>()[..] else { return None };
        if !version.starts_with("HTTP/1.") {
            return None;
        }
        let mut fields: HashMap<String, String> = HashMap::new();
        for line in rest {
            let (name, value) = line.split_once(':')?;
            let value = value.trim();
            fields
                .entry(name.to_ascii_lowercase())
                .and_modify(|values| *values = format!("{values}, {value}"))
                .or_insert_with(|| value.to_owned());
        }
        let [method, target, version] = [method, target, version].map(str::to_owned);
        Some(Request { method, target, version, fields })
    }

    /// Returns the value of a field, by its name in lower case.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    /// Returns `true` if the connection ends after the answer: the client requests it, or the request has a body, which is not
    /// read and would be parsed as the next request.
    pub(crate) fn ends_connection(&self) -> bool {
        let options = self.field("connection").unwrap_or_default();
        self.version == "HTTP/1.0"
            || options.split(',').any(|option| option.trim().eq_ignore_ascii_case("close"))
            || self.field("content-length").is_some_and(|length| length != "0")
            || self.field("transfer-encoding").is_some()
    }
}
