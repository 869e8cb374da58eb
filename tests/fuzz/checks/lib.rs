//! What must be true of every input, for the fuzz targets and for the test that replays their corpus.

pub mod compactor;
pub mod editor;
pub mod json;
pub mod reader;
pub mod replay;
pub mod toml;

/// The first line of an input, which chooses, and the rest, which is worked on.
fn first_line(data: &[u8]) -> (&[u8], &[u8]) {
    match data.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&data[..end], &data[end + 1..]),
        None => (&[], data),
    }
}
