//! The rules of advice by name, as documents carry them and budgets.toml silences them.

use crate::codes::vocabulary;

vocabulary! {
    /// The rules, by the identifiers that documents carry and that budgets.toml silences.
    Rule {
        /// A schema has titles, which repeat the names of the parameters.
        GeneratedTitle = "generated-title",
        /// A schema carries keys that clients ignore.
        IgnoredKey = "ignored-key",
        /// A parameter may be null and is null by default, which leaving it out says as well.
        NullableDefault = "nullable-default",
        /// The tool's description repeats what a parameter's description says.
        RepeatedParameter = "repeated-parameter",
        /// Several tools repeat a paragraph.
        RepeatedAcrossTools = "repeated-across-tools",
        /// A description holds examples.
        Examples = "examples-in-description",
        /// A description holds Markdown.
        Markdown = "markdown-in-description",
        /// A list of allowed values is long.
        LongEnum = "long-enum",
        /// A schema stands several times in one definition.
        RepeatedSchema = "repeated-schema",
        /// A schema holds definitions that nothing refers to.
        UnusedDefinition = "unused-definition",
        /// The definition describes its result, which no model provider's function format carries.
        OutputSchema = "output-schema",
        /// One definition takes much of the floor.
        HeavyDefinition = "heavy-definition",
        /// There are more tools than a client takes.
        ToolCount = "tool-count",
        /// A client refuses or changes the name.
        ToolName = "tool-name",
        /// A client cuts the description.
        LongDescription = "long-description",
        /// A store of sessions leaves the schema out.
        LargeSchema = "large-schema",
    }
}
