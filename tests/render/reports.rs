//! Reports made by hand: no process, no tokenizer.

use mcp_footprint::advice::{Finding, Rule};
use mcp_footprint::base::{self, Loosening};
use mcp_footprint::capture::{Identity, Transport};
use mcp_footprint::codes::{ErrorCode, Failure, Note, NoteCode};
use mcp_footprint::definition::Definition;
use mcp_footprint::diff::{FactDifference, ServerDifference, ToolDifference, ToolMovement};
use mcp_footprint::gate::{self, Band, Change, Metric, Movement, Totals};
use mcp_footprint::json::Text;
use mcp_footprint::kind::Kind;
use mcp_footprint::price::{Field, Price};
use mcp_footprint::report::{
    Advised, Against, BudgetedJudgement, Gate, Measurement, Priced, Report, ServerReport, SortKey,
};
use mcp_footprint::rows::Deferred;

/// A tool of so many tokens, with a description of so many.
pub(crate) fn tool(name: &str, tokens: u64, description_tokens: u64) -> Priced {
    let raw = serde_json::json!({ "name": name }).to_string();
    Priced {
        definition: Definition::new(Text::parse(&raw).expect("serde_json writes JSON"), 1),
        price: Price {
            tokens,
            description_tokens,
            bytes: tokens * 4 + 1,
            sha256: "ab".repeat(32),
            fields: vec![field("description", description_tokens), field("{}", tokens - description_tokens)],
        },
    }
}

/// The tokens of one top-level key.
pub(crate) fn field(key: &str, tokens: u64) -> Field {
    Field { key: key.into(), tokens }
}

/// A measurement of these tools.
pub(crate) fn measured(tools: Vec<Priced>) -> Measurement {
    let sum = |of: fn(&Price) -> u64| tools.iter().map(|tool| of(&tool.price)).sum();
    Measurement {
        server: Some(Identity { name: "notes-server".into(), version: "1.2.0".into() }),
        protocol: Some("2025-11-25".into()),
        transport: Transport::Stdio,
        platform: Some("linux-x86_64".into()),
        capabilities: Vec::new(),
        origin: None,
        members: None,
        totals: Totals {
            floor: sum(|price| price.tokens),
            descriptions: sum(|price| price.description_tokens),
            instructions: Some(0),
            tools: tools.len() as u64,
            largest: tools.iter().map(|tool| tool.price.tokens).max().unwrap_or(0),
        },
        bytes: sum(|price| price.bytes),
        tools,
        deferred: None,
        gate: None,
        advice: None,
        notes: Vec::new(),
    }
}

/// The notes server: five tools, 610 tokens, 118 of them described.
pub(crate) fn notes() -> Measurement {
    measured(vec![
        tool("add_note", 88, 14),
        tool("search_notes", 240, 61),
        tool("delete_note", 74, 11),
        tool("list_notes", 60, 9),
        tool("update_note", 148, 23),
    ])
}

/// The notes server, two of its tools deferred: 349 tokens of 610.
pub(crate) fn cold() -> Measurement {
    let mut measurement = notes();
    let line = |tokens, description| Some(tool("", tokens, description).price);
    let deferred = Deferred {
        globs: vec!["search_*".into(), "update_*".into()],
        lines: vec![None, line(70, 61), None, None, line(30, 23)],
        frame: line(27, 0),
        everything: measurement.totals.floor,
        lookup_tool: 105,
    };
    measurement.totals.floor = deferred.floor(&measurement.tools);
    measurement.deferred = Some(deferred);
    measurement.bytes = measurement.rows().map(|row| row.bytes).sum();
    measurement.totals.largest = 88;
    measurement
}

/// The same, with advice on a tool that is always sent, on one that is deferred, and on the server; hostile where asked.
pub(crate) fn advised(text: &str) -> Measurement {
    let finding = |rule, tool: Option<&str>, path: &str, advice: &str, saved| Finding {
        rule,
        tool: tool.map(str::to_owned),
        path: path.to_owned(),
        advice: advice.to_owned(),
        saved,
    };
    let findings = vec![
        finding(Rule::OutputSchema, Some("add_note"), "/outputSchema", text, 40),
        finding(Rule::GeneratedTitle, Some("search_notes"), "/inputSchema/title", text, 1),
        finding(Rule::LongEnum, Some("search_notes"), "/inputSchema/properties/a/enum", text, 9),
        finding(Rule::LongEnum, Some("search_notes"), "/inputSchema/properties/b/enum", text, 9),
        finding(Rule::ToolCount, None, "", text, 0),
    ];
    Measurement { advice: Some(Advised { findings, line: Some(3) }), ..cold() }
}

/// What a tool that grew could save.
pub(crate) fn saving(tool: &str, advice: &str) -> Finding {
    let (tool, path, advice) = (Some(tool.to_owned()), "/outputSchema".to_owned(), advice.to_owned());
    Finding { rule: Rule::OutputSchema, tool, path, advice, saved: 4321 }
}

/// A band of this metric.
pub(crate) fn band(metric: Metric, budget: u64, slack: u64) -> Band {
    Band { metric, budget, slack }
}

/// The measurement, judged by these bands.
pub(crate) fn gated(measurement: Measurement, bands: &[Band], changes: Vec<Change>) -> Measurement {
    let judgements = gate::judge(&measurement.totals, bands)
        .into_iter()
        .enumerate()
        .map(|(place, judgement)| BudgetedJudgement { judgement, reason_text: None, line: 12 + 4 * place })
        .collect();
    Measurement { gate: Some(Gate { judgements, changes, savings: Vec::new() }), ..measurement }
}

/// One movement.
pub(crate) fn change(tool: &str, movement: Movement, tokens: i64, description_tokens: i64) -> Change {
    Change { tool: tool.into(), movement, tokens, description_tokens }
}

/// A server of the report.
pub(crate) fn server(name: &str, measurement: Measurement) -> ServerReport {
    ServerReport { name: name.into(), kind: Kind::Server, outcome: Ok(measurement) }
}

/// A server that could not be measured.
pub(crate) fn broken(name: &str, code: ErrorCode, message: &str, stderr_tail: Option<&str>) -> ServerReport {
    let failure = Failure { code, message: message.into(), stderr_tail: stderr_tail.map(Into::into) };
    ServerReport { name: name.into(), kind: Kind::Server, outcome: Err(failure) }
}

/// A report that ranks.
pub(crate) fn ranking(servers: Vec<ServerReport>) -> Report {
    Report {
        servers,
        budgets: None,
        listed_in: None,
        budgets_in_repository: None,
        server_lines: Default::default(),
        base: None,
        against: None,
        repeat_args: Vec::new(),
        sort: SortKey::Tokens,
        top: None,
        context_window: 200_000,
    }
}

/// A report that gates.
pub(crate) fn checked(servers: Vec<ServerReport>) -> Report {
    let budgets = Some(std::path::PathBuf::from("budgets.toml"));
    Report { budgets: budgets.clone(), listed_in: budgets, ..ranking(servers) }
}

/// The notes server after a tool was added and another fattened: both required bands are exceeded.
pub(crate) fn grown() -> ServerReport {
    let bands = [band(Metric::Floor, 510, 50), band(Metric::Descriptions, 100, 25)];
    let changes = vec![
        change("search_notes", Movement::New, 240, 61),
        change("purge_notes", Movement::Gone, -150, -40),
        change("update_note", Movement::Grew, 12, 0),
        change("list_notes", Movement::Shrank, -2, -3),
    ];
    let mut grown = gated(notes(), &bands, changes);
    let gate = grown.gate.as_mut().expect("it was gated above");
    gate.judgements[0].reason_text = Some("delete_note, issue 41".into());
    server("notes", grown)
}

/// A check beside its base and beside an earlier measurement: one server moved, one inherits what it is refused for.
pub(crate) fn compared() -> Report {
    let bands = [band(Metric::Floor, 700, 100), band(Metric::Descriptions, 120, 25)];
    let inherited = ServerReport { name: "inherited".into(), ..grown() };
    let totals = |floor| Totals { floor, descriptions: 118, tools: 5, ..Totals::default() };
    let difference = |name: &str, before, tools, facts| ServerDifference {
        name: name.into(),
        kind: Kind::Server,
        before: Some(totals(before)),
        after: Some(totals(610)),
        unpinned: false,
        tools,
        facts,
        bands: None,
    };
    let tool = |movement, tokens, fields: &[&str]| ToolDifference {
        tool: HOSTILE.into(),
        movement,
        tokens,
        description_tokens: 0,
        fields: fields.iter().map(|&field| field.into()).collect(),
    };
    let moved = vec![tool(ToolMovement::New, 100, &[]), tool(ToolMovement::Reworded, 0, &[HOSTILE])];
    let facts = vec![FactDifference { fact: "version", before: Some(HOSTILE.into()), after: None }];
    let raised = |server: &str, reason: Option<&str>| base::Difference {
        server: Some(server.into()),
        loosening: Loosening::BudgetRaised,
        metric: Some(Metric::Floor),
        before: "600".into(),
        after: "700".into(),
        reason: reason.map(str::to_owned),
        line: Some(12),
    };
    let removed = base::Difference { loosening: Loosening::ServerRemoved, metric: None, ..raised(HOSTILE, None) };
    let servers = [
        ("notes", difference("notes", 510, moved, facts)),
        ("inherited", difference("inherited", 610, vec![], vec![])),
    ];
    Report {
        base: Some(base::Comparison {
            reference: HOSTILE.into(),
            commits: vec!["0123456789abcdef0123456789abcdef01234567".into()],
            bands: Default::default(),
            found: base::Found::Here,
            differences: vec![raised("notes", None), raised("inherited", Some(HOSTILE)), removed],
        }),
        against: Some(Against {
            path: HOSTILE.into(),
            servers: servers.map(|(name, difference)| (name.to_owned(), difference)).into(),
        }),
        ..checked(vec![server("notes", gated(notes(), &bands, vec![])), inherited])
    }
}

/// Text that attacks whatever shows it.
pub(crate) const HOSTILE: &str = "::warning::ev\u{1b}[2Jil\u{202e}gnp\u{2066}\n::error::\tx\r\u{200b}\u{9b}31m\u{2028}|🦀日本e\u{301}\u{feff}<b>`$(id)` ##[group]x ::add-mask::y";

/// Every text of a report is hostile, in every place where there is one.
pub(crate) fn hostile(gate_it: bool) -> Report {
    let mut measurement = measured(vec![tool(HOSTILE, 50, 5), tool("tidy", 30, 3)]);
    measurement.server = Some(Identity { name: HOSTILE.into(), version: HOSTILE.into() });
    measurement.protocol = Some(HOSTILE.into());
    measurement.notes = vec![Note::about(HOSTILE, NoteCode::StdoutNoise, HOSTILE)];
    if gate_it {
        let bands = [band(Metric::Floor, 79, 8), band(Metric::Descriptions, 8, 25), band(Metric::Largest, 49, 5)];
        measurement = gated(measurement, &bands, vec![change(HOSTILE, Movement::Grew, 7, 1)]);
        let gate = measurement.gate.as_mut().expect("it was gated above");
        for judged in &mut gate.judgements {
            judged.reason_text = Some(HOSTILE.into());
        }
        gate.savings = vec![saving(HOSTILE, HOSTILE)];
    }
    let passing = gated(notes(), &[band(Metric::Floor, 620, 50)], vec![change(HOSTILE, Movement::Gone, -7, -1)]);
    let servers = vec![
        server(HOSTILE, measurement),
        server("passing", if gate_it { passing } else { notes() }),
        broken(HOSTILE, ErrorCode::Exited, HOSTILE, Some(HOSTILE)),
    ];
    let report = ranking(servers);
    match gate_it {
        false => report,
        true => Report {
            budgets: Some(HOSTILE.into()),
            listed_in: Some(HOSTILE.into()),
            repeat_args: vec!["--budgets".into(), HOSTILE.into()],
            ..report
        },
    }
}
