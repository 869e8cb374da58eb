//! The bytes that a server sends under libFuzzer; what must hold is in `checks/reader.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::reader::check(data));
