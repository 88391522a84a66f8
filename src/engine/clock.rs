//! The time, as stamps and rows hold it.

/// Now, RFC 3339 in UTC, to the second.
pub fn now() -> String {
    written(jiff::Timestamp::now())
}

/// A time, RFC 3339 in UTC, to the second.
pub fn written(time: jiff::Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_are_written_to_the_second() {
        let time = jiff::Timestamp::new(1_764_500_000, 123_456_789);
        assert_eq!(time.map(super::written).ok().as_deref(), Some("2025-11-30T10:53:20Z"));
    }
}
