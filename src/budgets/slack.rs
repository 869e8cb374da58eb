//! How far below its budget a band may measure: as it is written, and what it comes to.

use crate::gate::Metric;

/// A slack as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slack {
    /// A number in the band's unit.
    Fixed(u64),
    /// A share of the budget, 0 to 100.
    Percent(u8),
    /// Nothing is written.
    Default,
}

impl Slack {
    /// Reads `"5%"`. The error says what is wrong with the text.
    pub(super) fn parse_percent(text: &str) -> Result<Self, &'static str> {
        const FORM: &str = "write a number, or a whole percentage such as \"5%\"";
        let digits = text.strip_suffix('%').ok_or(FORM)?;
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(FORM);
        }
        match digits.parse() {
            Ok(percent) if percent <= 100 => Ok(Slack::Percent(percent)),
            _ => Err("write a percentage from \"0%\" to \"100%\""),
        }
    }

    /// The slack in the metric's unit. Percentages are rounded down.
    ///
    /// Where nothing is written: floor 250 and descriptions 200, capped at 10 % of the budget but never under 25;
    /// instructions and largest 10 %, never under 25; tools 10 %, never under 1, since 25 tools are no slack but all
    /// that most servers have.
    pub fn resolve(self, metric: Metric, budget: u64) -> u64 {
        let tenth = budget / 10;
        match self {
            Slack::Fixed(slack) => slack,
            Slack::Percent(percent) => {
                u64::try_from(u128::from(budget) * u128::from(percent) / 100).unwrap_or(u64::MAX)
            }
            Slack::Default => match metric {
                Metric::Floor => tenth.clamp(25, 250),
                Metric::Descriptions => tenth.clamp(25, 200),
                Metric::Instructions | Metric::Largest => tenth.max(25),
                Metric::Tools => tenth.max(1),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_is_of_the_budget_and_rounded_down() {
        assert_eq!(Slack::parse_percent("5%"), Ok(Slack::Percent(5)));
        assert_eq!(Slack::Percent(5).resolve(Metric::Floor, 119), 5);
        assert_eq!(Slack::Percent(100).resolve(Metric::Floor, u64::MAX), u64::MAX);
        assert_eq!(Slack::Percent(0).resolve(Metric::Floor, 1000), 0);
    }

    #[test]
    fn what_is_no_percentage_is_refused() {
        for text in ["", "%", "5", "5 %", " 5%", "-5%", "+5%", "2.5%", "101%", "999999999999%", "five%"] {
            assert!(Slack::parse_percent(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_default_is_capped_at_a_tenth_but_never_under_its_least() {
        let default = |metric, budget| Slack::Default.resolve(metric, budget);
        assert_eq!([0, 259, 1706, 4507].map(|budget| default(Metric::Floor, budget)), [25, 25, 170, 250]);
        assert_eq!([0, 1552, 9000].map(|budget| default(Metric::Descriptions, budget)), [25, 155, 200]);
        assert_eq!([0, 9000].map(|budget| default(Metric::Largest, budget)), [25, 900]);
        assert_eq!([0, 9000].map(|budget| default(Metric::Instructions, budget)), [25, 900]);
        assert_eq!([0, 9, 40].map(|budget| default(Metric::Tools, budget)), [1, 1, 4]);
    }
}
