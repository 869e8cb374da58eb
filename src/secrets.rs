//! What must never be written: values that came out of the environment or a header, by the name they came under.
//!
//! Masking is for messages, tails and verbose lines. Definitions are never altered: [`Secrets::found_in`] tells
//! which secret one of them contains, so that a note can say so.

/// A value shorter than this is too common to be told from ordinary text.
const SHORTEST: usize = 6;

/// The secrets of one server, with the name each is known by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Secrets {
    /// Longest value first, so that a secret inside another never leaves its rest behind.
    values: Vec<(String, String)>,
}

impl Secrets {
    /// Adds a value under the name that may be shown in its place, and each of its lines, since what is written is told
    /// line by line. Values under 6 characters are passed over.
    pub fn add(&mut self, name: &str, value: &str) {
        if value.contains('\n') {
            value.lines().map(str::trim).for_each(|line| self.add(name, line));
        }
        if value.chars().count() >= SHORTEST && !self.values.iter().any(|(_, known)| known == value) {
            self.values.push((name.to_owned(), value.to_owned()));
            self.values.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
        }
    }

    /// Adds a literal environment value when its variable's name says that it is a secret.
    pub fn add_if_named_so(&mut self, variable: &str, value: &str) {
        const WORDS: [&str; 6] = ["TOKEN", "KEY", "SECRET", "PASSWORD", "CREDENTIAL", "AUTH"];
        let variable_upper = variable.to_uppercase();
        if WORDS.iter().any(|word| variable_upper.contains(word)) {
            self.add(variable, value);
        }
    }

    /// The names that the secrets are known by, each once.
    pub fn names(&self) -> std::collections::BTreeSet<&str> {
        self.values.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Takes over all secrets of another server.
    pub fn extend(&mut self, other: &Secrets) {
        for (name, value) in &other.values {
            self.add(name, value);
        }
    }

    /// `text` with every secret replaced by `[NAME]`.
    pub fn mask(&self, text: &str) -> String {
        self.replaced(text, |name| format!("[{name}]"))
    }

    /// `text` with every secret replaced by what stands for its name.
    pub fn replaced(&self, text: &str, stand_in: impl Fn(&str) -> String) -> String {
        self.values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(value, &stand_in(name)))
    }

    /// The beginning of what a server said, short enough for a sentence: at most `most` characters, and `…` where more
    /// follows. Secrets are masked before it is cut, so that no part of one is left at the end.
    pub fn shortened(&self, text: &str, most: usize) -> String {
        let masked = self.mask(text);
        match masked.char_indices().nth(most) {
            Some((end, _)) => format!("{}…", &masked[..end]),
            None => masked,
        }
    }

    /// The names of the secrets whose values stand in `text`.
    pub fn found_in<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        self.values.iter().filter(|(_, value)| text.contains(value.as_str())).map(|(name, _)| name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(values: &[(&str, &str)]) -> Secrets {
        let mut secrets = Secrets::default();
        values.iter().for_each(|(name, value)| secrets.add(name, value));
        secrets
    }

    #[test]
    fn a_secret_is_replaced_by_its_name_wherever_it_stands() {
        let secrets = secrets(&[("TOKEN", "hunter22")]);
        assert_eq!(secrets.mask("a hunter22, xhunter22x"), "a [TOKEN], x[TOKEN]x");
    }

    #[test]
    fn each_line_of_a_secret_is_one() {
        let secrets = secrets(&[("KEY", "-----BEGIN-----\n  c2VjcmV0\r\n-----END-----\n")]);
        assert_eq!(secrets.mask("a c2VjcmV0"), "a [KEY]");
        assert_eq!(secrets.mask("-----BEGIN-----\n  c2VjcmV0\r\n-----END-----\n"), "[KEY]");
    }

    #[test]
    fn a_secret_inside_a_longer_one_leaves_nothing_of_it_behind() {
        let secrets = secrets(&[("SHORT", "secret"), ("LONG", "secret-and-more")]);
        assert_eq!(secrets.mask("secret-and-more secret"), "[LONG] [SHORT]");
    }

    #[test]
    fn no_character_of_a_secret_is_left_where_a_text_is_cut() {
        let secrets = secrets(&[("T", "hünter22")]);
        let text = format!("{}hünter22, and more", ".".repeat(20));
        for most in 0..40 {
            let shortened = secrets.shortened(&text, most);
            assert!(!shortened.contains(['h', 'ü']), "{most}: {shortened}");
            assert!(shortened.chars().count() <= most + 1, "{most}: {shortened}");
        }
        assert_eq!(secrets.shortened(&text, 20), "....................…");
        assert_eq!(secrets.shortened(&text, 23), "....................[T]…");
        assert_eq!(secrets.shortened("hünter22", 3), "[T]");
    }

    #[test]
    fn values_under_six_characters_are_ordinary_text() {
        assert_eq!(secrets(&[("PORT", "12345")]).mask("port 12345"), "port 12345");
    }

    #[test]
    fn only_a_variable_whose_name_says_so_makes_a_literal_value_secret() {
        let mut secrets = Secrets::default();
        secrets.add_if_named_so("NOTES_DIR", "fixtures/notes");
        secrets.add_if_named_so("api_key", "abcdefgh");
        assert_eq!(secrets.mask("fixtures/notes abcdefgh"), "fixtures/notes [api_key]");
    }

    #[test]
    fn a_definition_that_contains_a_secret_is_told_by_name() {
        let secrets = secrets(&[("TOKEN", "hunter22"), ("OTHER", "something")]);
        assert_eq!(secrets.found_in("says hunter22").collect::<Vec<_>>(), ["TOKEN"]);
    }
}
