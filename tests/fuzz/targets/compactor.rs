//! Compact forms, slices and prices under libFuzzer; what must hold is in `checks/compactor.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::compactor::check(data));
