//! Moments in UTC: neither a server nor a file knows where its reader is.

/// Seconds of a day.
const DAY: i64 = 86_400;

/// Days of 400 years, after which the calendar repeats.
const ERA: i64 = 146_097;

/// A moment, in nanoseconds since 1970 UTC, such as `2026-11-23 03:00:59 UTC`.
pub fn utc(nanos: i64) -> String {
    let seconds = nanos.div_euclid(1_000_000_000);
    let (days, second) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", second / 3600, second / 60 % 60, second % 60)
}

/// Year, month and day that begin so many days after 1970-01-01, in the Gregorian calendar.
fn date(days: i64) -> (i64, i64, i64) {
    // Years begin in March here: the leap day is the last of its year, and months before it repeat every five.
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let is_next = month >= 10;
    (era * 400 + year + i64::from(is_next), if is_next { month - 9 } else { month + 3 }, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_print_in_utc() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (-1, "1969-12-31 23:59:59 UTC"),
            (951_782_399, "2000-02-28 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_709_251_199, "2024-02-29 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(utc(seconds * 1_000_000_000), text);
        }
        assert_eq!(utc(i64::MIN), "1677-09-21 00:12:43 UTC");
        assert_eq!(utc(i64::MAX), "2262-04-11 23:47:16 UTC");
    }

    #[cfg(feature = "app")]
    fn jiffs(nanos: i64) -> String {
        jiff::Timestamp::from_nanosecond(nanos.into()).unwrap().strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
    }

    #[cfg(feature = "app")]
    #[test]
    fn every_day_prints_as_jiff_prints_it() {
        for day in -106_751..=106_751 {
            assert_eq!(utc(day * DAY * 1_000_000_000), jiffs(day * DAY * 1_000_000_000));
        }
    }

    #[cfg(feature = "app")]
    proptest::proptest! {
        #[test]
        fn moments_print_as_jiff_prints_them(nanos: i64) {
            proptest::prop_assert_eq!(utc(nanos), jiffs(nanos));
        }
    }
}
