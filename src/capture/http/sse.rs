//! A stream of server-sent events, by the book (WHATWG HTML, section 9.2.6): lines end in LF, CRLF or CR, `data:` lines
//! are joined by a newline, an event ends at a blank line, one without data is nothing.

use std::io::{self, Read};

/// The data of one event after the other, however the stream is cut into pieces.
pub(crate) struct Events<R> {
    stream: R,
    longest: usize,
    buffer: Vec<u8>,
    place: usize,
    filled: usize,
    after_carriage_return: bool,
    first_line: bool,
}

impl<R: Read> Events<R> {
    /// Reads `stream`; an event whose data is longer than `longest` bytes is an error.
    pub(crate) fn new(stream: R, longest: usize) -> Self {
        let buffer = vec![0; 64 * 1024];
        Events { stream, longest, buffer, place: 0, filled: 0, after_carriage_return: false, first_line: true }
    }

    /// The data of the next event; `None` at the end of the stream, where an unfinished event is nothing.
    ///
    /// # Errors
    /// The stream's own, and `FileTooLarge` beyond the limit.
    pub(crate) fn next_data(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut data: Option<Vec<u8>> = None;
        let mut has_type = false;
        while let Some(line) = self.next_line()? {
            if line.is_empty() {
                // Clients of MCP listen to messages only, which an event without a type is.
                match (data.take(), std::mem::take(&mut has_type)) {
                    (Some(data), false) if !data.is_empty() => return Ok(Some(data)),
                    _ => continue,
                }
            }
            if let Some(named) = field(&line, b"event") {
                has_type = !matches!(named, b"" | b"message");
            }
            let Some(value) = field(&line, b"data") else { continue };
            match &mut data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => data = Some(value.to_vec()),
            }
            if data.as_ref().is_some_and(|data| data.len() > self.longest) {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
        }
        Ok(None)
    }

    /// The next line without its end; `None` at the end of the stream.
    fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        loop {
            if self.place == self.filled && !self.fill()? {
                return Ok(None);
            }
            let unread = &self.buffer[self.place..self.filled];
            if std::mem::take(&mut self.after_carriage_return) && unread[0] == b'\n' {
                self.place += 1;
                continue;
            }
            let end = unread.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            line.extend_from_slice(&unread[..end.unwrap_or(unread.len())]);
            if line.len() > self.longest {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            match end {
                None => self.place = self.filled,
                Some(end) => {
                    self.after_carriage_return = unread[end] == b'\r';
                    self.place += end + 1;
                    return Ok(Some(self.without_mark(line)));
                }
            }
        }
    }

    /// A byte-order mark may begin the stream.
    fn without_mark(&mut self, line: Vec<u8>) -> Vec<u8> {
        match line.strip_prefix("\u{feff}".as_bytes()) {
            Some(rest) if std::mem::take(&mut self.first_line) => rest.to_vec(),
            _ => {
                self.first_line = false;
                line
            }
        }
    }

    fn fill(&mut self) -> io::Result<bool> {
        self.filled = self.stream.read(&mut self.buffer)?;
        self.place = 0;
        Ok(self.filled > 0)
    }
}

/// The value of a line of this field.
fn field<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    match line.strip_prefix(name)? {
        [] => Some(b""),
        [b':', b' ', value @ ..] | [b':', value @ ..] => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that comes in pieces of `size` bytes.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let size = self.1.min(self.0.len());
            buffer[..size].copy_from_slice(&self.0[..size]);
            self.0 = &self.0[size..];
            Ok(size)
        }
    }

    fn events(stream: &str) -> Vec<String> {
        let read = |size| {
            let mut events = Events::new(Pieces(stream.as_bytes(), size), 100);
            let mut all = Vec::new();
            while let Some(data) = events.next_data().unwrap() {
                all.push(String::from_utf8(data).unwrap());
            }
            all
        };
        let whole = read(stream.len().max(1));
        (1..8).for_each(|size| assert_eq!(read(size), whole, "in pieces of {size}: {stream:?}"));
        whole
    }

    #[test]
    fn an_event_ends_at_a_blank_line_whatever_ends_the_lines() {
        for end in ["\n", "\r\n", "\r"] {
            let stream = ["event: message", "id: 7", "data: {\"a\":", "data:1}", "", "data: b", "", ""].join(end);
            assert_eq!(events(&stream), ["{\"a\":\n1}", "b"], "{end:?}");
        }
    }

    #[test]
    fn comments_other_fields_and_events_without_data_are_nothing() {
        assert_eq!(events("\u{feff}: hello\n\ndata:\n\nretry: 10\n\ndatum: x\n\ndata\n\ndata: x\n\n"), ["x"]);
    }

    #[test]
    fn an_event_with_a_type_of_its_own_is_nothing() {
        assert_eq!(events("event: endpoint\ndata: /sse\n\nevent:\ndata: x\n\n"), ["x"]);
    }

    #[test]
    fn an_event_that_never_ends_is_nothing() {
        assert_eq!(events("data: a\n\ndata: b\n"), ["a"]);
    }

    #[test]
    fn an_event_beyond_the_limit_is_an_error() {
        let mut events = Events::new("data: 0123456789\n\n".as_bytes(), 5);
        assert_eq!(events.next_data().unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
