//! The page: one file that shows where the tokens are, in a browser, without asking anyone for anything.
//!
//! The script and the style are fixed texts whose digests stand in the page's own content policy, so that nothing else
//! can run. What servers wrote is data in a block that is no script, and becomes text and nothing but text.

mod compared;
mod data;

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use self::data::Document;
use crate::report::Report;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(include_str!("treemap.js"), include_str!("page.js"));

/// Writes the page.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    // A browser hashes what it parsed, where every line end is one character.
    let [page, style, script] = [PAGE, STYLE, SCRIPT].map(|text| text.replace("\r\n", "\n"));
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        digest(&script),
        digest(&style)
    );
    let data = inert(&serde_json::to_string(&Document::of(report))?);
    let mut rest = page.as_str();
    for (place, content) in
        [("{{policy}}", &policy), ("{{style}}", &style), ("{{data}}", &data), ("{{script}}", &script)]
    {
        let (before, after) = rest.split_once(place).unwrap_or((rest, ""));
        out.write_all(before.as_bytes())?;
        out.write_all(content.as_bytes())?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// JSON in which nothing ends the block that it stands in: these characters occur inside strings only.
fn inert(json: &str) -> String {
    json.replace('<', r"\u003c").replace('>', r"\u003e").replace('&', r"\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_cannot_end_its_block_and_reads_back_the_same() {
        let text = "</script><!--<script>&amp;";
        let json = inert(&serde_json::to_string(text).unwrap());
        assert!(!json.contains(['<', '>', '&']), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn every_place_of_the_page_is_filled_in_its_order() {
        let places = ["{{policy}}", "{{style}}", "{{data}}", "{{script}}"].map(|place| PAGE.find(place).unwrap());
        assert!(places.is_sorted(), "{places:?}");
        assert!(!SCRIPT.contains("</script") && !STYLE.contains("</style"));
    }
}
