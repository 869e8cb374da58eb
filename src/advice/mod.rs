//! What to trim: findings, each with the tokens that it saves, measured by pricing the definition with that change made.
//!
//! Advice is no gate and no verdict. A rule finds where a definition says more than a model needs; nothing here judges
//! whether the words are worth their price, so every list of advice carries [`RISK`].

mod edit;
mod limits;
mod markdown;
mod metadata;
mod prose;
mod rule;
mod schema;
#[cfg(test)]
mod tests;
mod unused;

use std::collections::{BTreeMap, BTreeSet};

use crate::definition::Definition;
use crate::json::{Kind, Text};
use crate::price::{price, tokenizer};
use crate::report::{Measurement, Priced};
use crate::tree::Tree;

use edit::Edit;

pub use rule::Rule;

/// What trimming may cost, to be said once beside the advice.
pub const RISK: &str = "Advice never gates, and a shorter definition can be found and understood less well: on one \
                        measured system, cutting the text that a search ranks by took the first hit from 54 of 56 \
                        queries to 4. Try the queries that matter after each change.";

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that found it.
    pub rule: Rule,
    /// The label of the tool; `None` for the server. Hostile text.
    pub tool: Option<String>,
    /// The first place, as a JSON pointer into the definition; empty for the whole of it. Hostile text.
    pub path: String,
    /// What to do, in one sentence. May quote the server: hostile text.
    pub advice: String,
    /// Tokens less when the definitions are priced with this change alone; 0 where nothing can be changed mechanically.
    pub saved: u64,
}

/// All advice on one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What was found, the largest saving first.
    pub findings: Vec<Finding>,
    /// Tokens of all definitions as they are: the floor with everything sent.
    pub floor: u64,
    /// The same with every change made, priced again. Savings do not simply add.
    pub floor_after: u64,
}

/// What a rule finds before it is priced: places in definitions, and how each would be changed.
struct Proposal {
    rule: Rule,
    tool: Option<String>,
    path: String,
    advice: String,
    /// By the tool's place in the list.
    edits: BTreeMap<usize, Vec<Edit>>,
}

/// A definition that rules read.
struct Subject<'a> {
    place: usize,
    priced: &'a Priced,
    label: String,
    tree: Tree<'a>,
}

impl<'a> Subject<'a> {
    fn new(place: usize, priced: &'a Priced) -> Self {
        let label = priced.definition.label().to_string();
        Subject { place, priced, label, tree: Tree::of(priced.definition.compact()) }
    }

    /// A proposal to change this definition; nothing where there is nothing to change.
    fn propose(&self, rule: Rule, at: usize, advice: String, edits: Vec<Edit>) -> Option<Proposal> {
        (!edits.is_empty())
            .then(|| Proposal { edits: BTreeMap::from([(self.place, edits)]), ..self.remark(rule, at, advice) })
    }

    /// A proposal that no mechanical change follows from.
    fn remark(&self, rule: Rule, at: usize, advice: String) -> Proposal {
        let path = self.tree.pointer(at);
        Proposal { rule, tool: Some(self.label.clone()), path, advice, edits: BTreeMap::new() }
    }

    /// The tokens of the definition with these changes made.
    fn tokens_with(&self, edits: &[Edit]) -> u64 {
        tokenizer::count(&edit::apply(&self.tree, edits))
    }
}

/// Everything that the rules find on a server; `is_silenced` names the rules that are not asked.
pub fn advise(measurement: &Measurement, is_silenced: &dyn Fn(Rule) -> bool) -> Advice {
    let subjects: Vec<Subject<'_>> =
        measurement.tools.iter().enumerate().map(|(place, priced)| Subject::new(place, priced)).collect();
    let mut proposals: Vec<Proposal> = subjects.iter().flat_map(of_one).collect();
    proposals.extend(prose::across_tools(&subjects));
    proposals.extend(limits::of_server(&subjects, measurement));
    proposals.retain(|proposal| !is_silenced(proposal.rule));
    let mut findings: Vec<(Finding, Proposal)> =
        proposals.into_iter().map(|proposal| (finding(&proposal, &subjects), proposal)).collect();
    findings.retain(|(finding, proposal)| finding.saved > 0 || proposal.edits.is_empty());
    findings.sort_by(|(one, _), (other, _)| {
        let key = |finding: &Finding| (std::cmp::Reverse(finding.saved), finding.rule, finding.tool.clone());
        key(one).cmp(&key(other))
    });
    let mut together: BTreeMap<usize, Changes> = BTreeMap::new();
    for (_, proposal) in &findings {
        for (place, edits) in &proposal.edits {
            let changes = together.entry(*place).or_default();
            match proposal.rule {
                Rule::LongDescription => changes.is_cut = true,
                // What several tools repeat is not found again in one of them, and what is said of a definition that
                // nothing refers to is said of nothing.
                Rule::RepeatedAcrossTools | Rule::UnusedDefinition => changes.first.extend(edits.iter().cloned()),
                rule => {
                    changes.edits.extend(edits.iter().cloned());
                    changes.rules.insert(rule);
                }
            }
        }
    }
    let after = subjects.iter().map(|subject| match together.get(&subject.place) {
        Some(changes) => changes.tokens_after(subject),
        None => subject.priced.price.tokens,
    });
    Advice {
        floor: measurement.everything(),
        floor_after: after.sum(),
        findings: findings.into_iter().map(|(finding, _)| finding).collect(),
    }
}

/// Everything that is advised on one definition, and the rules that advise it.
#[derive(Default)]
struct Changes {
    /// What comes before all else, which is then found anew.
    first: Vec<Edit>,
    edits: Vec<Edit>,
    rules: BTreeSet<Rule>,
    /// Whether the description is to be cut, which is no part of the edits.
    is_cut: bool,
}

impl Changes {
    /// The tokens of the definition with all of it made. Of two changes to one place the first counts, so the same rules
    /// are asked about what came of it, until they have nothing more to say. What is still too long is cut last, since
    /// everything else may bring it below the limit.
    fn tokens_after(&self, subject: &Subject<'_>) -> u64 {
        const MOST_ROUNDS: usize = 5;
        let mut text = edit::apply(&subject.tree, if self.first.is_empty() { &self.edits } else { &self.first });
        for _ in 0..MOST_ROUNDS {
            match changed(&text, subject.place, &|proposal, _| self.rules.contains(&proposal.rule)) {
                Some(next) => text = next,
                None => break,
            }
        }
        let limit = limits::description_limit(subject).filter(|_| self.is_cut);
        let cut = changed(&text, subject.place, &|proposal, again| {
            proposal.rule == Rule::LongDescription && limit.is_some() && limits::description_limit(again) == limit
        });
        tokenizer::count(cut.as_ref().unwrap_or(&text))
    }
}

/// A definition with what is proposed and wanted made; `None` where that saves nothing.
fn changed(text: &str, place: usize, is_wanted: &dyn Fn(&Proposal, &Subject<'_>) -> bool) -> Option<String> {
    let definition = Definition::new(Text::parse(text).ok()?, place + 1);
    let priced = Priced { price: price(&definition), definition };
    let subject = Subject::new(place, &priced);
    let proposals = of_one(&subject).into_iter().filter(|proposal| is_wanted(proposal, &subject));
    let edits: Vec<Edit> = proposals.flat_map(|proposal| proposal.edits.into_values().flatten()).collect();
    let next = edit::apply(&subject.tree, &edits);
    (tokenizer::count(&next) < priced.price.tokens).then_some(next)
}

/// The largest savings in one definition alone, the largest first: the way out for a tool that grew. `is_silenced` names
/// the rules that are not asked, and `weigh` counts what is sent of a definition.
pub fn largest_savings(
    priced: &Priced,
    most: usize,
    is_silenced: &dyn Fn(Rule) -> bool,
    weigh: &dyn Fn(&Definition) -> u64,
) -> Vec<Finding> {
    let subject = Subject::new(0, priced);
    let before = weigh(&priced.definition);
    let weighed = |proposal: Proposal| {
        let text = edit::apply(&subject.tree, proposal.edits.get(&0)?);
        let after = weigh(&Definition::new(Text::parse(&text).ok()?, 1));
        let Proposal { rule, tool, path, advice, .. } = proposal;
        (after < before).then(|| Finding { rule, tool, path, advice, saved: before - after })
    };
    let proposals = of_one(&subject).into_iter().filter(|proposal| !is_silenced(proposal.rule));
    let mut findings: Vec<Finding> = proposals.filter_map(weighed).collect();
    findings.sort_by_key(|finding| (std::cmp::Reverse(finding.saved), finding.rule));
    findings.truncate(most);
    findings
}

/// What the rules say that look at one definition alone.
fn of_one(subject: &Subject<'_>) -> Vec<Proposal> {
    if subject.tree.node(0).kind != Kind::Object {
        return Vec::new();
    }
    let families = [metadata::rules, schema::rules, prose::rules, limits::rules];
    let found = families.into_iter().flat_map(|rules| rules(subject));
    unused::rules(subject).into_iter().chain(found).collect()
}

fn finding(proposal: &Proposal, subjects: &[Subject<'_>]) -> Finding {
    let saved = proposal.edits.iter().map(|(place, edits)| {
        let subject = &subjects[*place];
        subject.priced.price.tokens.saturating_sub(subject.tokens_with(edits))
    });
    Finding {
        rule: proposal.rule,
        tool: proposal.tool.clone(),
        path: proposal.path.clone(),
        advice: proposal.advice.clone(),
        saved: saved.sum(),
    }
}
