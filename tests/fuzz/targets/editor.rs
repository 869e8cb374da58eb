//! Changes of budgets.toml under libFuzzer; what must hold is in `checks/editor.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::editor::check(data));
