//! The day and the time of day.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// A second of Greenwich's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Of our era.
    pub(crate) year: u16,
    /// From 1.
    pub(crate) month: u8,
    /// From 1.
    pub(crate) day: u8,
    /// Seconds since midnight.
    second: u32,
}

impl Moment {
    /// Now, as the system tells it.
    pub(crate) fn now() -> Moment {
        Moment::after_epoch(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()))
    }

    /// So many seconds after the beginning of 1970.
    fn after_epoch(seconds: u64) -> Moment {
        // Howard Hinnant, "chrono-compatible low-level date algorithms": days since 1 March of the year 0.
        let days = (seconds / 86_400) as i64 + 719_468;
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Moment { year: year as u16, month: month as u8, day: day as u8, second: (seconds % 86_400) as u32 }
    }
}

/// As NBoard writes it: `2014-02-21 20:52:27 GMT`.
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Moment { year, month, day, second } = self;
        let (hours, minutes) = (second / 3600, second / 60 % 60);
        write!(f, "{year:04}-{month:02}-{day:02} {hours:02}:{minutes:02}:{:02} GMT", second % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_days() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00:00 GMT"),
            (951_868_799, "2000-02-29 23:59:59 GMT"),
            (1_393_015_947, "2014-02-21 20:52:27 GMT"),
            (4_107_542_400, "2100-03-01 00:00:00 GMT"),
        ] {
            assert_eq!(Moment::after_epoch(seconds).to_string(), text);
        }
    }
}
