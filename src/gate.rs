//! (what was measured, what was budgeted) -> verdict. Pure: no process, no file, no text for people.
//!
//! One rule serves every band: above the budget is growth, below budget minus slack is a win that nobody banked,
//! and a measurement of no tool at all is stale whatever the numbers say.

mod changes;

use crate::codes::vocabulary;

pub use changes::{Change, Cost, Movement, changes, signed_difference};

vocabulary! {
    /// What a band limits.
    Metric {
        /// The sum of the tokens of all definitions.
        Floor = "floor",
        /// The sum of the tokens of the descriptions alone.
        Descriptions = "descriptions",
        /// The tokens of the server's instructions string.
        Instructions = "instructions",
        /// How many tools are listed.
        Tools = "tools",
        /// The tokens of the heaviest definition.
        Largest = "largest",
    }
}

vocabulary! {
    /// Why the gate refuses. Scripts may match these words.
    Reason {
        /// The floor grew beyond its budget.
        FloorBudgetExceeded = "FLOOR_BUDGET_EXCEEDED",
        /// A smaller floor was never banked.
        FloorBudgetStale = "FLOOR_BUDGET_STALE",
        /// The descriptions grew beyond their budget.
        DescBudgetExceeded = "DESC_BUDGET_EXCEEDED",
        /// Smaller descriptions were never banked.
        DescBudgetStale = "DESC_BUDGET_STALE",
        /// The instructions grew beyond their budget.
        InstructionsBudgetExceeded = "INSTRUCTIONS_BUDGET_EXCEEDED",
        /// Smaller instructions were never banked.
        InstructionsBudgetStale = "INSTRUCTIONS_BUDGET_STALE",
        /// More tools than budgeted.
        ToolsBudgetExceeded = "TOOLS_BUDGET_EXCEEDED",
        /// Fewer tools, never banked.
        ToolsBudgetStale = "TOOLS_BUDGET_STALE",
        /// The heaviest definition grew beyond its budget.
        LargestBudgetExceeded = "LARGEST_BUDGET_EXCEEDED",
        /// A smaller heaviest definition was never banked.
        LargestBudgetStale = "LARGEST_BUDGET_STALE",
        /// A budget is higher than at the base, and no new reason says why.
        BudgetRaisedUnjustified = "BUDGET_RAISED_UNJUSTIFIED",
        /// The gate holds less than at the base.
        GateLoosened = "GATE_LOOSENED",
    }
}

impl Metric {
    /// What the band counts: `tokens` or `tools`.
    pub fn unit(self) -> &'static str {
        if self == Metric::Tools { "tools" } else { "tokens" }
    }

    /// What the band counts beside this amount: `token` where it is one.
    pub fn unit_of(self, amount: u64) -> &'static str {
        if amount == 1 { self.unit().trim_end_matches('s') } else { self.unit() }
    }

    fn reason(self, side: Side) -> Reason {
        match (self, side) {
            (Metric::Floor, Side::Above) => Reason::FloorBudgetExceeded,
            (Metric::Floor, Side::Below) => Reason::FloorBudgetStale,
            (Metric::Descriptions, Side::Above) => Reason::DescBudgetExceeded,
            (Metric::Descriptions, Side::Below) => Reason::DescBudgetStale,
            (Metric::Instructions, Side::Above) => Reason::InstructionsBudgetExceeded,
            (Metric::Instructions, Side::Below) => Reason::InstructionsBudgetStale,
            (Metric::Tools, Side::Above) => Reason::ToolsBudgetExceeded,
            (Metric::Tools, Side::Below) => Reason::ToolsBudgetStale,
            (Metric::Largest, Side::Above) => Reason::LargestBudgetExceeded,
            (Metric::Largest, Side::Below) => Reason::LargestBudgetStale,
        }
    }
}

impl Reason {
    /// Whether the measurement lies above the budget, so that the way on is to shrink or to raise.
    pub fn is_growth(self) -> bool {
        matches!(
            self,
            Reason::FloorBudgetExceeded
                | Reason::DescBudgetExceeded
                | Reason::InstructionsBudgetExceeded
                | Reason::ToolsBudgetExceeded
                | Reason::LargestBudgetExceeded
        )
    }
}

#[derive(Clone, Copy)]
enum Side {
    Above,
    Below,
}

/// The ceiling of one metric, and how far below it the measurement may sit. Both in the metric's unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// What it limits.
    pub metric: Metric,
    /// The most that may be measured.
    pub budget: u64,
    /// How far below the budget the measurement may sit.
    pub slack: u64,
}

/// What one server measured, in every metric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Tokens of all definitions.
    pub floor: u64,
    /// Tokens of all descriptions.
    pub descriptions: u64,
    /// Tokens of the instructions; `None` where the source does not tell them.
    pub instructions: Option<u64>,
    /// How many tools.
    pub tools: u64,
    /// Tokens of the heaviest definition.
    pub largest: u64,
}

impl Totals {
    /// The measurement of one metric; instructions that are unknown count as none.
    pub fn of(&self, metric: Metric) -> u64 {
        match metric {
            Metric::Floor => self.floor,
            Metric::Descriptions => self.descriptions,
            Metric::Instructions => self.instructions.unwrap_or(0),
            Metric::Tools => self.tools,
            Metric::Largest => self.largest,
        }
    }
}

/// A band beside its measurement, and what the gate says of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The band as it was budgeted.
    pub band: Band,
    /// What was measured.
    pub measured: u64,
    /// Why it is refused; `None` inside the band.
    pub reason: Option<Reason>,
}

impl Judgement {
    /// Measured minus budget.
    pub fn difference(&self) -> i64 {
        signed_difference(self.measured, self.band.budget)
    }

    /// Takes the pass away: a part of what is measured fell silent, so what is below the budget is no win.
    pub fn measured_nothing(&mut self) {
        self.reason = self.reason.or(Some(self.band.metric.reason(Side::Below)));
    }
}

/// Judges every band of one server.
pub fn judge(totals: &Totals, bands: &[Band]) -> Vec<Judgement> {
    let nothing_measured = totals.tools == 0;
    bands
        .iter()
        .map(|&band| {
            let measured = totals.of(band.metric);
            let side = match measured {
                _ if nothing_measured => Some(Side::Below),
                above if above > band.budget => Some(Side::Above),
                below if below < band.budget.saturating_sub(band.slack) => Some(Side::Below),
                _ => None,
            };
            Judgement { band, measured, reason: side.map(|side| band.metric.reason(side)) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floor(budget: u64, slack: u64) -> Band {
        Band { metric: Metric::Floor, budget, slack }
    }

    fn measured(floor: u64) -> Totals {
        Totals { floor, tools: 1, ..Totals::default() }
    }

    fn reason(totals: &Totals, band: Band) -> Option<Reason> {
        judge(totals, &[band])[0].reason
    }

    #[test]
    fn the_edges_of_a_band_pass_and_one_beyond_them_is_refused() {
        let band = floor(100, 10);
        assert_eq!(reason(&measured(100), band), None);
        assert_eq!(reason(&measured(90), band), None);
        assert_eq!(reason(&measured(101), band), Some(Reason::FloorBudgetExceeded));
        assert_eq!(reason(&measured(89), band), Some(Reason::FloorBudgetStale));
    }

    #[test]
    fn a_slack_wider_than_the_budget_never_underflows() {
        assert_eq!(reason(&measured(0), floor(5, 10)), None);
        assert_eq!(reason(&measured(u64::MAX), floor(0, u64::MAX)), Some(Reason::FloorBudgetExceeded));
    }

    #[test]
    fn zero_tools_are_stale_in_every_band_whatever_the_budget() {
        for (budget, slack) in [(0, 0), (5, 10), (100, 0)] {
            let bands: Vec<Band> = Metric::ALL.iter().map(|&metric| Band { metric, budget, slack }).collect();
            let reasons: Vec<_> = judge(&Totals::default(), &bands).iter().map(|band| band.reason).collect();
            let stale = [
                Reason::FloorBudgetStale,
                Reason::DescBudgetStale,
                Reason::InstructionsBudgetStale,
                Reason::ToolsBudgetStale,
                Reason::LargestBudgetStale,
            ];
            assert_eq!(reasons, stale.map(Some));
        }
    }

    #[test]
    fn every_metric_is_judged_by_its_own_measurement_and_named_by_its_own_reason() {
        let totals = Totals { floor: 11, descriptions: 22, instructions: Some(33), tools: 44, largest: 55 };
        let tight: Vec<Band> =
            Metric::ALL.iter().map(|&metric| Band { metric, budget: totals.of(metric) - 1, slack: 0 }).collect();
        let reasons: Vec<&str> =
            judge(&totals, &tight).iter().map(|band| band.reason.map_or("", Reason::as_str)).collect();
        assert_eq!(
            reasons,
            [
                "FLOOR_BUDGET_EXCEEDED",
                "DESC_BUDGET_EXCEEDED",
                "INSTRUCTIONS_BUDGET_EXCEEDED",
                "TOOLS_BUDGET_EXCEEDED",
                "LARGEST_BUDGET_EXCEEDED"
            ]
        );
        assert!(judge(&totals, &tight).iter().all(|band| band.difference() == 1));
    }
}
