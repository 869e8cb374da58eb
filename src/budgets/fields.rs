//! Typed access to the tables of a parsed file: each step gives a value or a fault that points at it.

use std::ops::Range;

use toml_edit::{Item, Key, TableLike};

use super::fault::{Checked, Fault};
use super::toml_text;

/// One table, and the key that it stands under.
#[derive(Clone)]
pub(super) struct Fields<'a> {
    /// The dotted path from the root; empty for the root.
    pub(super) path: Vec<&'a str>,
    span: Range<usize>,
    table: &'a dyn TableLike,
}

/// One key with its value.
pub(super) struct Entry<'a> {
    path: Vec<&'a str>,
    pub(super) key: &'a Key,
    item: &'a Item,
}

impl<'a> Fields<'a> {
    pub(super) fn root(table: &'a toml_edit::Table) -> Self {
        Fields { path: Vec::new(), span: 0..0, table }
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = Entry<'a>> + use<'a> {
        let fields = self.clone();
        self.table.iter().filter_map(move |(name, _)| fields.get(name))
    }

    pub(super) fn get(&self, name: &str) -> Option<Entry<'a>> {
        let (key, item) = self.table.get_key_value(name)?;
        let path = self.path.iter().copied().chain([key.get()]).collect();
        Some(Entry { path, key, item })
    }

    pub(super) fn require(&self, name: &str, what_to_do: &str) -> Checked<Entry<'a>> {
        self.get(name).ok_or_else(|| self.fault(format!("{} has no `{name}`; {what_to_do}", self.called())))
    }

    /// Refuses every key that is not in `known`.
    pub(super) fn only(&self, known: &[&str]) -> Checked<()> {
        let Some(unknown) = self.entries().find(|entry| !known.contains(&entry.name())) else {
            return Ok(());
        };
        let name = unknown.name();
        let closest = known
            .iter()
            .map(|known| (strsim::damerau_levenshtein(name, known), known))
            .min()
            .filter(|(distance, known)| *distance <= known.len() / 3)
            .map(|(_, known)| format!("; did you mean `{known}`?"));
        let suggestion = closest.unwrap_or_else(|| "; remove it.".to_owned());
        let message = format!(
            "unknown key `{}` in {}{suggestion} Known keys: {}",
            toml_text::key(name),
            self.called(),
            known.join(", ")
        );
        Err(unknown.fault(message))
    }

    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.span.clone(), message)
    }

    fn called(&self) -> String {
        if self.path.is_empty() { "the file".into() } else { format!("`[{}]`", toml_text::dotted(&self.path)) }
    }
}

impl<'a> Entry<'a> {
    pub(super) fn name(&self) -> &'a str {
        self.key.get()
    }

    /// A fault that points at the key.
    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.key_span(), message)
    }

    /// A fault that points at the value.
    pub(super) fn value_fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.value_span(), message)
    }

    pub(super) fn key_span(&self) -> Range<usize> {
        self.key.span().unwrap_or_default()
    }

    /// The bytes of the value; for a table that is no inline table, of its key.
    pub(super) fn value_span(&self) -> Range<usize> {
        self.item.as_value().and_then(toml_edit::Value::span).unwrap_or_else(|| self.key_span())
    }

    pub(super) fn table(&self, what: &str) -> Checked<Fields<'a>> {
        let table = self.item.as_table_like().ok_or_else(|| self.wrong_type(what))?;
        Ok(Fields { path: self.path.clone(), span: self.key_span(), table })
    }

    pub(super) fn string(&self) -> Checked<&'a str> {
        self.item.as_str().ok_or_else(|| self.wrong_type("a string"))
    }

    /// A string that says something.
    pub(super) fn filled_string(&self) -> Checked<&'a str> {
        match self.string()? {
            blank if blank.trim().is_empty() => {
                Err(self.value_fault(format!("`{}` is empty; write a value", self.dotted())))
            }
            filled => Ok(filled),
        }
    }

    pub(super) fn strings(&self) -> Checked<Vec<String>> {
        let array = self.item.as_array().ok_or_else(|| self.wrong_type("an array of strings"))?;
        array
            .iter()
            .map(|element| {
                element.as_str().map(str::to_owned).ok_or_else(|| {
                    let span = element.span().unwrap_or_else(|| self.value_span());
                    let kind = element.type_name();
                    Fault::new(span, format!("`{}` must hold strings only, not {}", self.dotted(), with_article(kind)))
                })
            })
            .collect()
    }

    /// A number that is not negative.
    pub(super) fn number(&self, unit: &str) -> Checked<u64> {
        let number = self.item.as_integer().ok_or_else(|| self.wrong_type(&format!("a whole number of {unit}")))?;
        u64::try_from(number)
            .map_err(|_| self.value_fault(format!("`{}` is negative; write 0 or more {unit}", self.dotted())))
    }

    pub(super) fn is_integer(&self) -> bool {
        self.item.is_integer()
    }

    /// Says what the value must be. Points at the key, since the value may hold a secret.
    pub(super) fn wrong_type(&self, wanted: &str) -> Fault {
        let kind = with_article(self.item.type_name());
        self.fault(format!("`{}` must be {wanted}, not {kind}", self.dotted()))
    }

    pub(super) fn dotted(&self) -> String {
        toml_text::dotted(&self.path)
    }
}

fn with_article(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'i']) { "an" } else { "a" };
    format!("{article} {kind}")
}

impl Entry<'_> {
    /// Where the first byte of the entry or of anything in it stands: the parser's own order follows the nesting of
    /// tables, not the file.
    pub(super) fn first_byte(&self) -> usize {
        first_byte(self.item).into_iter().chain(self.key.span().map(|span| span.start)).min().unwrap_or(0)
    }
}

fn first_byte(item: &Item) -> Option<usize> {
    let own = item.span().map(|span| span.start);
    let children = item.as_table_like().into_iter().flat_map(TableLike::iter);
    children.filter_map(|(_, child)| first_byte(child)).chain(own).min()
}
