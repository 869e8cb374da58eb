//! Compaction and counting in bytes a second, beside a copy of the same bytes in memory and beside tiktoken-rs.
//!
//! The text is that of the example server's list, repeated under other names; only ratios within one run mean
//! anything. Run with `cargo bench`.

use std::hint::black_box;
use std::sync::LazyLock;

use divan::Bencher;
use divan::counter::BytesCount;
use mcp_footprint::json::Text;
use mcp_footprint::price::tokenizer;

const TOOLS: usize = 500;

/// A definition of ordinary size and shape; the number keeps any two of them apart.
fn definition(number: usize) -> String {
    let kind = ["note", "label", "folder", "reminder", "attachment"][number % 5];
    format!(
        r#"{{"name": "update_{kind}_{number}", "description": "Change one {kind}.\n\nFields that are left out keep their value. Fails with 'not found' where no {kind} has the id; doesn't create one. See https://example.org/notes/{kind}#update.", "inputSchema": {{"type": "object", "$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {{"id": {{"type": "string", "description": "Id of the {kind}, as list_{kind}s shows it."}}, "limit": {{"type": "integer", "minimum": 1, "maximum": {number}, "default": 10}}, "order": {{"type": "string", "enum": ["title", "created_at", "updated_at"]}}}}, "required": ["id"], "additionalProperties": false}}, "annotations": {{"readOnlyHint": false, "idempotentHint": true}}}}"#
    )
}

static LIST: LazyLock<String> =
    LazyLock::new(|| format!("[{}]", (0..TOOLS).map(definition).collect::<Vec<_>>().join(", ")));

fn main() {
    divan::main();
}

#[divan::bench]
fn copy(bencher: Bencher) {
    bencher.counter(BytesCount::of_str(LIST.as_str())).bench(|| black_box(LIST.as_str()).to_owned());
}

#[divan::bench]
fn compact(bencher: Bencher) {
    let text = Text::parse(&LIST).expect("the list is JSON");
    bencher.counter(BytesCount::of_str(LIST.as_str())).bench(|| black_box(text).compact());
}

#[divan::bench]
fn count(bencher: Bencher) {
    bencher.counter(BytesCount::of_str(LIST.as_str())).bench(|| tokenizer::count(black_box(&LIST)));
}

#[divan::bench(sample_count = 20)]
fn count_by_tiktoken_rs(bencher: Bencher) {
    let reference = tiktoken_rs::o200k_base_singleton();
    bencher.counter(BytesCount::of_str(LIST.as_str())).bench(|| reference.encode_ordinary(black_box(&LIST)).len());
}
