//! A second reader of JSON, to judge the program's own: a plain recursive parser of RFC 8259 that loses nothing of
//! what a definition may hold, neither duplicate keys nor lone surrogates nor the digits of a number.

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`, `true` or `false`.
    Word(&'static str),
    /// As it was written.
    Number(String),
    /// Code units, because a surrogate may stand alone.
    String(Vec<u16>),
    /// The elements.
    Array(Vec<Json>),
    /// The members in their order, duplicates included.
    Object(Vec<(Vec<u16>, Json)>),
}

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refused {
    /// The text is no JSON.
    Invalid,
    /// It may be JSON, but is nested deeper than a recursive parser should follow.
    TooDeep,
}

const DEEPEST: usize = 200;

impl Json {
    /// Reads a text that is one value, white space around it allowed.
    pub fn read(text: &str) -> Result<Json, Refused> {
        let mut parser = Parser { rest: text };
        let value = parser.value(0)?;
        parser.blanks();
        if parser.rest.is_empty() { Ok(value) } else { Err(Refused::Invalid) }
    }

    /// The string, a lone surrogate as U+FFFD.
    pub fn string(&self) -> Option<String> {
        match self {
            Json::String(units) => Some(String::from_utf16_lossy(units)),
            _ => None,
        }
    }

    /// The values of a key in an object, in their order.
    pub fn all(&self, key: &str) -> Vec<&Json> {
        let Json::Object(members) = self else { return Vec::new() };
        members.iter().filter(|(name, _)| String::from_utf16_lossy(name) == key).map(|(_, value)| value).collect()
    }

    /// The last value of a key.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.all(key).pop()
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn take(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), Refused> {
        if self.take(token) { Ok(()) } else { Err(Refused::Invalid) }
    }

    fn value(&mut self, depth: usize) -> Result<Json, Refused> {
        if depth > DEEPEST {
            return Err(Refused::TooDeep);
        }
        self.blanks();
        for word in ["null", "true", "false"] {
            if self.take(word) {
                return Ok(Json::Word(word));
            }
        }
        match self.rest.as_bytes().first() {
            Some(b'"') => self.string().map(Json::String),
            Some(b'[') => self.array(depth),
            Some(b'{') => self.object(depth),
            _ => self.number(),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Json, Refused> {
        self.expect("[")?;
        let mut elements = Vec::new();
        self.blanks();
        if self.take("]") {
            return Ok(Json::Array(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            self.blanks();
            if self.take("]") {
                return Ok(Json::Array(elements));
            }
            self.expect(",")?;
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, Refused> {
        self.expect("{")?;
        let mut members = Vec::new();
        self.blanks();
        if self.take("}") {
            return Ok(Json::Object(members));
        }
        loop {
            self.blanks();
            let key = self.string()?;
            self.blanks();
            self.expect(":")?;
            members.push((key, self.value(depth + 1)?));
            self.blanks();
            if self.take("}") {
                return Ok(Json::Object(members));
            }
            self.expect(",")?;
        }
    }

    fn string(&mut self) -> Result<Vec<u16>, Refused> {
        self.expect("\"")?;
        let mut units = Vec::new();
        loop {
            let mut characters = self.rest.chars();
            let character = characters.next().ok_or(Refused::Invalid)?;
            self.rest = characters.as_str();
            match character {
                '"' => return Ok(units),
                '\\' => units.push(self.escape()?),
                '\0'..='\u{1f}' => return Err(Refused::Invalid),
                plain => units.extend_from_slice(plain.encode_utf16(&mut [0; 2])),
            }
        }
    }

    fn escape(&mut self) -> Result<u16, Refused> {
        let escaped = self.rest.bytes().next().ok_or(Refused::Invalid)?;
        let unit = match escaped {
            b'"' | b'\\' | b'/' => u16::from(escaped),
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => 0x0a,
            b'r' => 0x0d,
            b't' => 0x09,
            b'u' => {
                let digits = self.rest.get(1..5).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
                let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()).ok_or(Refused::Invalid)?;
                self.rest = &self.rest[5..];
                return Ok(unit);
            }
            _ => return Err(Refused::Invalid),
        };
        self.rest = &self.rest[1..];
        Ok(unit)
    }

    fn number(&mut self) -> Result<Json, Refused> {
        let text = self.rest;
        self.take("-");
        match self.digits() {
            0 => return Err(Refused::Invalid),
            1 => {}
            more if text[text.len() - self.rest.len() - more..].starts_with('0') => return Err(Refused::Invalid),
            _ => {}
        }
        if self.take(".") && self.digits() == 0 {
            return Err(Refused::Invalid);
        }
        if self.take("e") || self.take("E") {
            let _ = self.take("+") || self.take("-");
            if self.digits() == 0 {
                return Err(Refused::Invalid);
            }
        }
        Ok(Json::Number(text[..text.len() - self.rest.len()].to_owned()))
    }

    fn digits(&mut self) -> usize {
        let count = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        self.rest = &self.rest[count..];
        count
    }
}
