//! Writes the values of a file in any of the layouts that TOML has for them.

use super::super::toml_text;

/// The values of a file, to be written in some layout.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Value(String),
    Table(Vec<(String, Tree)>),
}

/// Writes a tree in the layout that a series of picks leads to.
pub(super) struct Scribe {
    picks: Vec<u8>,
    next: usize,
    line_end: &'static str,
    text: String,
    comments: usize,
}

#[derive(PartialEq)]
enum Style {
    Section,
    Braces,
    Dotted,
}

impl Scribe {
    /// A file of these values, in the layout, with the line ends and with the comments that the picks lead to.
    pub(super) fn write(picks: Vec<u8>, root: &[(String, Tree)]) -> String {
        let mut scribe = Scribe { picks, next: 0, line_end: "\n", text: String::new(), comments: 0 };
        if scribe.pick(2) == 0 {
            scribe.line_end = "\r\n";
        }
        if scribe.pick(3) == 0 {
            scribe.text.push('\u{feff}');
        }
        scribe.section(&[], root);
        if scribe.pick(3) == 0 {
            scribe.text.truncate(scribe.text.trim_end().len());
        }
        scribe.text
    }

    fn pick(&mut self, ways: usize) -> usize {
        self.next += 1;
        usize::from(self.picks[self.next % self.picks.len()]) % ways
    }

    fn style(&mut self) -> Style {
        [Style::Section, Style::Section, Style::Braces, Style::Dotted].into_iter().nth(self.pick(4)).unwrap()
    }

    fn comment(&mut self) -> String {
        self.comments += 1;
        format!("# c{}c", self.comments)
    }

    fn maybe_comment(&mut self) -> String {
        if self.pick(3) == 0 { format!(" {}", self.comment()) } else { String::new() }
    }

    fn key(&mut self, name: &str) -> String {
        match self.pick(3) {
            0 if !name.contains('\'') && !name.chars().any(char::is_control) => format!("'{name}'"),
            1 => toml_text::string(name),
            _ => toml_text::key(name),
        }
    }

    fn line(&mut self, line: &str) {
        let (above, after) = (self.pick(6), self.maybe_comment());
        let indent = ["", "", "", "  ", "\t"][self.pick(5)];
        match above {
            0 => self.text.push_str(self.line_end),
            1 => {
                let comment = self.comment();
                self.text.push_str(&format!("{comment}{}", self.line_end));
            }
            _ => {}
        }
        self.text.push_str(&format!("{indent}{line}{after}{}", self.line_end));
    }

    fn equals(&mut self) -> &'static str {
        ["=", " = ", " = ", "  =\t"][self.pick(4)]
    }

    fn inline(&mut self, tree: &Tree) -> String {
        let Tree::Table(entries) = tree else {
            return self.value(tree);
        };
        let mut elements = Vec::new();
        for (name, tree) in entries {
            match tree {
                Tree::Table(inner) if !inner.is_empty() && self.pick(4) == 0 => {
                    for (below, leaf) in inner {
                        let (name, below) = (self.key(name), self.key(below));
                        elements.push(format!("{name}.{below}{}{}", self.equals(), self.inline(leaf)));
                    }
                }
                _ => elements.push(format!("{}{}{}", self.key(name), self.equals(), self.inline(tree))),
            }
        }
        let last = elements.len().saturating_sub(1);
        let trailing_comma = !elements.is_empty() && self.pick(3) == 0;
        let mut text = String::from("{");
        if self.pick(3) == 0 {
            for (place, element) in elements.iter().enumerate() {
                let comma = if place < last || trailing_comma { [",", " ,"][self.pick(2)] } else { "" };
                let indent = ["", "  ", "\t"][self.pick(3)];
                text.push_str(&format!("{}{}{indent}{element}{comma}", self.maybe_comment(), self.line_end));
            }
            text.push_str(&format!("{}{}}}", self.maybe_comment(), self.line_end));
        } else {
            let comma = [",", ", ", " , "][self.pick(3)];
            let space = ["", " "][self.pick(2)];
            let end = if trailing_comma { "," } else { "" };
            text.push_str(&format!("{space}{}{end}{space}}}", elements.join(comma)));
        }
        text
    }

    fn value(&mut self, tree: &Tree) -> String {
        match tree {
            Tree::Value(value) => value.clone(),
            Tree::Table(_) => self.inline(tree),
        }
    }

    /// Writes the entries as lines below `prefix`; what is to be a section of its own is left for later.
    fn lines(
        &mut self,
        path: &[String],
        prefix: &str,
        entries: &[(String, Tree)],
        later: &mut Vec<(Vec<String>, Tree)>,
    ) {
        for (name, tree) in entries {
            let key = format!("{prefix}{}", self.key(name));
            let style = if matches!(tree, Tree::Table(_)) { self.style() } else { Style::Braces };
            match tree {
                Tree::Table(inner)
                    if style == Style::Dotted && inner.iter().any(|(_, leaf)| matches!(leaf, Tree::Value(_))) =>
                {
                    let path = [path, std::slice::from_ref(name)].concat();
                    self.lines(&path, &format!("{key}."), inner, later);
                }
                Tree::Table(_) if style != Style::Braces => {
                    later.push(([path, std::slice::from_ref(name)].concat(), tree.clone()))
                }
                _ => {
                    let line = format!("{key}{}{}", self.equals(), self.inline(tree));
                    self.line(&line);
                }
            }
        }
    }

    fn section(&mut self, path: &[String], entries: &[(String, Tree)]) {
        if !path.is_empty() {
            let keys: Vec<String> = path.iter().map(|name| self.key(name)).collect();
            let space = ["", "", " "][self.pick(3)];
            self.line(&format!("[{space}{}{space}]", keys.join(".")));
        }
        let mut later = Vec::new();
        self.lines(path, "", entries, &mut later);
        for (path, tree) in later {
            if let Tree::Table(entries) = tree {
                self.section(&path, &entries);
            }
        }
    }
}
