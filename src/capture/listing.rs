//! `tools/list` results -> definitions: page after page, until one names no further cursor.
//!
//! A listing is complete or it is nothing: whoever reads it decides what to do about a cursor, but no partial list
//! gets out of here. The pages may come from a server or from a file.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use crate::codes::{ErrorCode, Failure};
use crate::definition::Definition;
use crate::json::{DuplicateKey, Kind, Text};

/// More tools than any server has, few enough for the memory of any machine.
const MOST_TOOLS: usize = 100_000;
/// More pages than this are a server that never comes to an end.
const MOST_PAGES: usize = 1_000;
/// More text than a hundred models read, and held in memory as a whole: bytes of all definitions, compacted.
const MOST_BYTES: usize = 256 * 1024 * 1024;
/// A result type of a longer name is not quoted.
const LONGEST_TYPE: usize = 40;

/// The pages of one list, as far as they were read.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    definitions: Vec<Definition>,
    bytes: usize,
    pages: usize,
    /// Digests, because a server may send a thousand cursors and pages of many megabytes each.
    seen: HashSet<Seen>,
}

/// What a list that comes to an end names or sends once.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Seen {
    Cursor([u8; 32]),
    Page([u8; 32]),
}

/// Where the next page begins: the JSON string as it was sent, to be sent back as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cursor(String);

impl Cursor {
    /// The JSON string.
    pub(crate) fn as_json(&self) -> &str {
        &self.0
    }
}

impl Listing {
    /// Adds the page that one `result` holds, and tells where the next one begins.
    ///
    /// # Errors
    /// `bad_list` when the result is no list of tools, `cursor_loop` when the pages repeat, `too_large` beyond
    /// 1,000 pages, 100,000 tools or 256 MiB.
    pub(crate) fn add_page(&mut self, result: Text<'_>) -> Result<Option<Cursor>, Failure> {
        let page = Page::read(result)?;
        if self.pages == MOST_PAGES {
            return Err(self.too_large(&format!("more than {MOST_PAGES} pages")));
        }
        let start = self.definitions.len();
        self.add_tools(page.tools)?;
        // Most lists are one page, which repeats nothing.
        if self.pages > 0 || page.next.is_some() {
            self.refuse_repetition(start)?;
        }
        self.pages += 1;
        let Some(cursor) = page.next else { return Ok(None) };
        // The decoded cursor is remembered: the same one may come back in another spelling.
        let digest = Sha256::digest(cursor.string().unwrap_or_default());
        if !self.seen.insert(Seen::Cursor(digest.into())) {
            return Err(self.looping("names a cursor that it has named before"));
        }
        Ok(Some(Cursor(cursor.compact())))
    }

    /// Adds the tools of an array that stands alone, without a result around it.
    ///
    /// # Errors
    /// `bad_list` when it is no array, `too_large` beyond 100,000 tools or 256 MiB.
    pub(crate) fn add_tools(&mut self, tools: Text<'_>) -> Result<(), Failure> {
        if tools.kind() != Kind::Array {
            return Err(bad_list(&format!("has `tools` that is {}", tools.kind().with_article())));
        }
        for tool in tools.elements() {
            if self.definitions.len() == MOST_TOOLS {
                return Err(self.too_large(&format!("more than {MOST_TOOLS} tools")));
            }
            let definition = Definition::new(tool, self.definitions.len() + 1);
            self.bytes += definition.compact().len();
            if self.bytes > MOST_BYTES {
                return Err(self.too_large(&format!("more than {} MiB of definitions", MOST_BYTES / (1024 * 1024))));
            }
            self.definitions.push(definition);
        }
        Ok(())
    }

    /// How many pages were read.
    pub(crate) fn pages(&self) -> usize {
        self.pages
    }

    /// Every definition of every page, in order.
    pub(crate) fn into_definitions(self) -> Vec<Definition> {
        self.definitions
    }

    /// Refuses the page that begins at `start` when an earlier page held the same definitions.
    fn refuse_repetition(&mut self, start: usize) -> Result<(), Failure> {
        let newest = &self.definitions[start..];
        // No newline stands in a compact text, so that no two pages make one text.
        let texts = newest.iter().flat_map(|definition| [definition.compact(), "\n"]);
        let digest = texts.fold(Sha256::new(), |digest, text| digest.chain_update(text));
        if newest.is_empty() || self.seen.insert(Seen::Page(digest.finalize().into())) {
            return Ok(());
        }
        Err(self.looping("sends a page that it has sent before"))
    }

    fn looping(&self, how: &str) -> Failure {
        let pages = self.pages;
        let message = format!(
            "the list of tools never ends: after {pages} {} the server {how}; this has to be mended in the server",
            if pages == 1 { "page" } else { "pages" }
        );
        Failure::new(ErrorCode::CursorLoop, message)
    }

    fn too_large(&self, what: &str) -> Failure {
        let message = format!("the list of tools has {what}, which is more than this program reads");
        Failure::new(ErrorCode::TooLarge, message)
    }
}

/// What counts of one `result`.
struct Page<'a> {
    tools: Text<'a>,
    next: Option<Text<'a>>,
}

impl<'a> Page<'a> {
    fn read(result: Text<'a>) -> Result<Self, Failure> {
        if result.kind() != Kind::Object {
            return Err(bad_list(&format!("is {}", result.kind().with_article())));
        }
        let twice = |duplicate: DuplicateKey| bad_list(&format!("cannot be read without doubt, because {duplicate}"));
        let [kind, tools, next] = result.get_all_unique(["resultType", "tools", "nextCursor"]).map_err(twice)?;
        // Revision 2026-07-28: a result may ask the client for something first. That is no list.
        match kind.and_then(Text::string) {
            Some(kind) if kind.len() > LONGEST_TYPE => return Err(bad_list("has a result type of a long name")),
            Some(kind) if kind != "complete" => return Err(bad_list(&format!("has the result type `{kind}`"))),
            _ => {}
        }
        let next = next.filter(|cursor| cursor.kind() != Kind::Null);
        let tools = tools.ok_or_else(|| bad_list("has no `tools`"))?;
        match next {
            Some(cursor) if cursor.kind() != Kind::String => {
                Err(bad_list(&format!("has a `nextCursor` that is {}", cursor.kind().with_article())))
            }
            next => Ok(Page { tools, next }),
        }
    }
}

fn bad_list(what: &str) -> Failure {
    let message = format!("the result of `tools/list` {what}, where a list of tools was expected");
    Failure::new(ErrorCode::BadList, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(listing: &mut Listing, result: &str) -> Result<Option<Cursor>, Failure> {
        listing.add_page(Text::parse(result).unwrap())
    }

    fn refused(result: &str) -> Failure {
        add(&mut Listing::default(), result).unwrap_err()
    }

    #[test]
    fn pages_follow_one_another_until_no_cursor_is_named() {
        let mut listing = Listing::default();
        let cursor = add(&mut listing, r#"{"tools":[{"name":"a"}],"nextCursor":"x\u0041"}"#).unwrap().unwrap();
        assert_eq!(cursor.as_json(), r#""xA""#);
        assert_eq!(add(&mut listing, r#"{"tools":[{"name":"b"},{}],"nextCursor":null}"#).unwrap(), None);
        let labels: Vec<_> = listing.into_definitions().iter().map(|tool| tool.label().to_string()).collect();
        assert_eq!(labels, ["a", "b", "(unnamed #3)"]);
    }

    #[test]
    fn an_empty_cursor_is_a_cursor() {
        assert_eq!(add(&mut Listing::default(), r#"{"tools":[],"nextCursor":""}"#), Ok(Some(Cursor("\"\"".into()))));
    }

    #[test]
    fn a_cursor_seen_before_is_a_loop_in_any_spelling() {
        let mut listing = Listing::default();
        add(&mut listing, r#"{"tools":[1],"nextCursor":"A"}"#).unwrap();
        let failure = add(&mut listing, r#"{"tools":[2],"nextCursor":"\u0041"}"#).unwrap_err();
        assert_eq!(failure.code, ErrorCode::CursorLoop);
        assert!(failure.message.contains("after 2 pages"), "{failure}");
    }

    #[test]
    fn a_page_sent_twice_is_a_loop_unless_it_is_empty() {
        let mut listing = Listing::default();
        add(&mut listing, r#"{"tools":[{"a":1}],"nextCursor":"1"}"#).unwrap();
        add(&mut listing, r#"{"tools":[],"nextCursor":"2"}"#).unwrap();
        add(&mut listing, r#"{"tools":[],"nextCursor":"3"}"#).unwrap();
        let failure = add(&mut listing, r#"{"tools":[ {"a": 1} ],"nextCursor":"4"}"#).unwrap_err();
        assert_eq!(failure.code, ErrorCode::CursorLoop);
    }

    #[test]
    fn what_is_no_list_of_tools_is_refused() {
        let no_lists = [
            "{}",
            "null",
            "[]",
            r#"{"tools":null}"#,
            r#"{"tools":{}}"#,
            r#"{"tools":[],"tools":[]}"#,
            r#"{"tools":[],"nextCursor":"a","nextCursor":null}"#,
            r#"{"tools":[],"nextCursor":7}"#,
            r#"{"tools":[],"resultType":"input_required"}"#,
        ];
        for result in no_lists {
            assert_eq!(refused(result).code, ErrorCode::BadList, "{result}");
        }
        assert_eq!(add(&mut Listing::default(), r#"{"tools":[],"resultType":"complete"}"#), Ok(None));
    }

    #[test]
    fn a_hundred_thousand_tools_are_read_and_one_more_is_too_many() {
        let list = |count: usize| format!(r#"{{"tools":[{}]}}"#, vec!["1"; count].join(","));
        assert_eq!(add(&mut Listing::default(), &list(MOST_TOOLS)), Ok(None));
        assert_eq!(refused(&list(MOST_TOOLS + 1)).code, ErrorCode::TooLarge);
    }

    #[test]
    fn a_thousand_pages_are_read_and_one_more_is_too_many() {
        let mut listing = Listing::default();
        for page in 0..MOST_PAGES {
            add(&mut listing, &format!(r#"{{"tools":[{page}],"nextCursor":"{page}"}}"#)).unwrap();
        }
        assert_eq!(add(&mut listing, r#"{"tools":[]}"#).unwrap_err().code, ErrorCode::TooLarge);
    }
}
