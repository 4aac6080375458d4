//! Date and time of day in UTC.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The last second with a year of four digits.
const LAST: Duration = Duration::from_secs(253_402_300_799);

/// Returns the time as NBoard writes it: `2014-02-21 20:52:27 GMT`.
pub(crate) fn now() -> String {
    written(SystemTime::now())
}

fn written(time: SystemTime) -> String {
    let time = time.clamp(UNIX_EPOCH, UNIX_EPOCH + LAST);
    humantime::format_rfc3339_seconds(time).to_string().replace('T', " ").replace('Z', " GMT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_clock_has_a_date() {
        let after = |seconds| written(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(after(1_393_015_947), "2014-02-21 20:52:27 GMT");
        assert_eq!(after(1 << 40), "9999-12-31 23:59:59 GMT");
        assert_eq!(written(UNIX_EPOCH - Duration::from_secs(1)), "1970-01-01 00:00:00 GMT");
    }
}
