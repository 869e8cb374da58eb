//! Where values end in text that is known to be JSON.

/// Where the value at the start of `text` ends.
pub(super) fn value_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(b'"') => end_of_string(bytes, 0).0,
        Some(b'{' | b'[') => container_end(bytes),
        _ => {
            let ends = |byte: &u8| matches!(byte, b',' | b':' | b' ' | b'\t' | b'\n' | b'\r' | b'}' | b']');
            bytes.iter().position(ends).unwrap_or(bytes.len())
        }
    }
}

/// Where the object or array at the start of `bytes` ends.
fn container_end(bytes: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at = end_of_string(bytes, at).0;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Where the string at the start of `text` ends, its closing quote included.
pub(crate) fn string_end(text: &str) -> usize {
    end_of_string(text.as_bytes(), 0).0
}

/// Where the string that starts at byte `start` ends, its closing quote included, and whether it holds an escape.
pub(super) fn end_of_string(bytes: &[u8], start: usize) -> (usize, bool) {
    let mut at = start + 1;
    let mut escaped = false;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes[at] == b'"' {
            return (at + 1, escaped);
        }
        escaped = true;
        at += 2;
    }
    (bytes.len(), escaped)
}

/// How many bytes of white space `bytes` begin with.
pub(super) fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).unwrap_or(bytes.len())
}
