//! What the request formats of two providers carry of a definition, priced beside the gated figure and never instead
//! of it: each view has an estimator name of its own.

use crate::price::tokenizer;
use crate::report::Priced;
use crate::tree::Tree;

/// A request format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum View {
    /// Name, description and input_schema, as the Messages API takes them
    Anthropic,
    /// A function with name, description and parameters, as the Chat Completions API takes it
    Openai,
}

impl View {
    /// Names the encoder and what of a definition was counted.
    pub fn estimator(self) -> &'static str {
        match self {
            View::Anthropic => "o200k_base:anthropic-tool-json-v1",
            View::Openai => "o200k_base:openai-tool-json-v1",
        }
    }

    /// The compact text that this format carries of a definition: the values as they were sent, under its own keys.
    pub fn text(self, tool: &Priced) -> String {
        let tree = Tree::of_top(tool.definition.compact());
        let member = |name: &str, called: &str| {
            let value = tree.member(0, name).map(|at| tree.value(at).as_str());
            value.map(|value| format!("\"{called}\":{value}"))
        };
        let schema = match self {
            View::Anthropic => "input_schema",
            View::Openai => "parameters",
        };
        let members = [member("name", "name"), member("description", "description"), member("inputSchema", schema)];
        let inside = members.into_iter().flatten().collect::<Vec<_>>().join(",");
        match self {
            View::Anthropic => format!("{{{inside}}}"),
            View::Openai => format!("{{\"type\":\"function\",\"function\":{{{inside}}}}}"),
        }
    }

    /// The tokens that this format carries of a definition.
    pub fn tokens(self, tool: &Priced) -> u64 {
        tokenizer::count(&self.text(tool))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Definition;
    use crate::json::Text;
    use crate::price::price;

    #[test]
    fn a_view_carries_three_fields_and_keeps_their_bytes() {
        let raw = r#"{"title":"A","inputSchema":{"b":1e2,"a":1},"name":"a","outputSchema":{},"description":null}"#;
        let definition = Definition::new(Text::parse(raw).unwrap(), 1);
        let tool = Priced { price: price(&definition), definition };
        assert_eq!(View::Anthropic.text(&tool), r#"{"name":"a","description":null,"input_schema":{"b":1e2,"a":1}}"#);
        let function = r#"{"type":"function","function":{"name":"a","description":null,"parameters":{"b":1e2,"a":1}}}"#;
        assert_eq!(View::Openai.text(&tool), function);
    }
}
