//! Deadlines as they are written: `500ms`, `60s`, `2m`.

use std::time::Duration;

/// The deadline of a server that names none.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// The deadline of `prepare`.
pub const PREPARE_TIMEOUT: Duration = Duration::from_secs(600);

/// Beyond a day a deadline is a slip of the hand.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads a deadline: a whole number and one of `ms`, `s`, `m`, `h`. The error says what to write.
pub fn parse_timeout(text: &str) -> Result<Duration, &'static str> {
    const FORM: &str = "write a number and its unit, such as \"500ms\", \"60s\" or \"2m\"";
    let unit_start = text.find(|character: char| !character.is_ascii_digit()).ok_or(FORM)?;
    let (digits, unit) = text.split_at(unit_start);
    let milliseconds_each: u64 = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err(FORM),
    };
    if digits.is_empty() {
        return Err(FORM);
    }
    let milliseconds = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(milliseconds_each));
    match milliseconds.map(Duration::from_millis) {
        Some(Duration::ZERO) => Err("a deadline of nothing leaves no time for an answer; write at least \"1ms\""),
        Some(timeout) if timeout <= LONGEST => Ok(timeout),
        _ => Err("a deadline is at most a day, \"24h\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_with_a_unit_is_a_deadline() {
        assert_eq!(parse_timeout("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_timeout("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_timeout("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_timeout("24h"), Ok(LONGEST));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "60", "s", "60 s", "-1s", "1.5s", "0s", "25h", "99999999999999999999s", "60S", "1m30s"] {
            assert!(parse_timeout(text).is_err(), "{text}");
        }
    }
}
