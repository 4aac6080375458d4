//! JSON output.

use std::io::{self, Write};

use serde_json::value::RawValue;

/// Text of a JSON value.
pub(crate) type Json = Box<RawValue>;

/// Makes an object whose fields have this order.
macro_rules! object {
    ($($name:literal: $value:expr),+ $(,)?) => {
        $crate::json::of_fields(&[$(($name, serde_json::value::to_raw_value(&$value))),+])
    };
}
pub(crate) use object;

/// Joins the fields of an object. A field whose name ends in `?` is absent if its value is `null`.
pub(crate) fn of_fields(fields: &[(&str, serde_json::Result<Json>)]) -> Json {
    let field = |(name, value): &(&str, serde_json::Result<Json>)| {
        let text = value.as_ref().map_or("null", |value| value.get());
        match name.strip_suffix('?') {
            Some(_) if text == "null" => None,
            optional => Some(format!("\"{}\":{text}", optional.unwrap_or(name))),
        }
    };
    let fields: Vec<String> = fields.iter().filter_map(field).collect();
    RawValue::from_string(format!("{{{}}}", fields.join(","))).unwrap_or_default()
}

/// Prints one value on one line.
pub(crate) fn print(value: &RawValue) -> io::Result<()> {
    writeln!(io::stdout(), "{}", value.get())
}

pub(crate) fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    (value * scale).round() / scale
}
