//! The closed vocabularies of notes and errors: lower-case words that scripts may match.
//!
//! A word is spelled here and nowhere else. Reasons of the gate have their own enum in [`crate::gate`].

use crate::secrets::Secrets;

/// Declares an enum whose variants each have one documented word.
macro_rules! vocabulary {
    ($(#[$about:meta])* $name:ident { $($(#[doc = $doc:literal])+ $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[doc = $doc])+ $variant,)* }

        impl $name {
            /// Every word of the vocabulary.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The word that documents carry.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// What the word means, in a sentence.
            pub fn meaning(self) -> &'static str {
                match self { $($name::$variant => concat!($($doc),+).trim_ascii_start(),)* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        #[cfg(test)]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let word = |word: &$name| serde_json::json!({ "const": word.as_str(), "description": word.meaning() });
                schemars::json_schema!({ "oneOf": $name::ALL.iter().map(word).collect::<Vec<_>>() })
            }
        }
    };
}
pub(crate) use vocabulary;

vocabulary! {
    /// Why a server was not measured.
    ErrorCode {
        /// The command does not exist or cannot be started, or its working directory is missing.
        SpawnFailed = "spawn_failed",
        /// A config's entry needs what only its client knows, or a variable or input that is not set.
        NotLaunchable = "not_launchable",
        /// A client's config cannot be read, or is none.
        BadConfig = "bad_config",
        /// A client's config has no enabled server.
        NoServers = "no_servers",
        /// The `prepare` command failed, could not be started, or passed its own deadline.
        PrepareFailed = "prepare_failed",
        /// The server ended before its list was complete.
        Exited = "exited",
        /// The deadline passed.
        Timeout = "timeout",
        /// The server answered with a JSON-RPC error.
        RpcError = "rpc_error",
        /// No revision of the protocol is spoken by both sides.
        NoCommonProtocol = "no_common_protocol",
        /// The pages of the list never end.
        CursorLoop = "cursor_loop",
        /// An answer is no list of tools.
        BadList = "bad_list",
        /// An answer is no JSON, or no JSON-RPC.
        BadAnswer = "bad_answer",
        /// An answer is not UTF-8.
        NotUtf8 = "not_utf8",
        /// A line, a page count or a tool count is beyond the limits.
        TooLarge = "too_large",
        /// The server answered with an HTTP status that is no success.
        HttpStatus = "http_status",
        /// The server wants authorisation.
        Unauthorized = "unauthorized",
        /// The connection could not be made, or broke.
        ConnectionFailed = "connection_failed",
        /// The server redirects to another origin.
        CrossOriginRedirect = "cross_origin_redirect",
        /// The file is no capture, list of tools or JSON-RPC answer.
        BadCapture = "bad_capture",
        /// The file cannot be read.
        Unreadable = "unreadable",
        /// A server of budgets.toml is in none of the captures that were given.
        MissingCapture = "missing_capture",
        /// A capture was made with another revision of the protocol or other client capabilities than are asked for.
        CapturedOtherwise = "captured_otherwise",
        /// The instructions are budgeted, and the source does not tell them.
        InstructionsUnknown = "instructions_unknown",
    }
}

vocabulary! {
    /// What a measurement wants said beside its numbers.
    NoteCode {
        /// Lines on standard output were no JSON, or JSON that is no JSON-RPC.
        StdoutNoise = "stdout_noise",
        /// The server sent notifications that were passed over.
        Notifications = "notifications",
        /// The server sent requests, which were answered.
        ServerRequests = "server_requests",
        /// An answer came to a request that was never made.
        UnknownId = "unknown_id",
        /// An answer's id is a string that spells the number.
        StringId = "string_id",
        /// The server speaks a revision of the protocol that this client has never heard of.
        UnknownProtocol = "unknown_protocol",
        /// Two definitions have one name.
        DuplicateName = "duplicate_name",
        /// A definition has no name.
        Unnamed = "unnamed",
        /// An element of the list is no object.
        Invalid = "invalid",
        /// The list changed while it was read, or depends on its surroundings.
        Dynamic = "dynamic",
        /// The server listed no tool.
        NoTools = "no_tools",
        /// budgets.toml has no pins for this server yet, so changes cannot be attributed.
        NoPins = "no_pins",
        /// Servers of the client's config are turned off there, and no part of what was measured.
        TurnedOff = "turned_off",
        /// The client's config chooses among the tools of a server; which of them count is told.
        ToolsFiltered = "tools_filtered",
        /// Tokens below the budget are not banked yet.
        Unbanked = "unbanked",
        /// A glob of `defer` names no tool.
        DeferUnmatched = "defer_unmatched",
        /// The server, its protocol or the platform differ from the time of the last pin.
        PinnedElsewhere = "pinned_elsewhere",
        /// The capture was made of another command or address than budgets.toml has.
        CapturedElsewhere = "captured_elsewhere",
        /// A budget is higher than at the base, and a new reason says why.
        Raised = "raised",
        /// A definition contains a value that is a secret.
        SecretInDefinition = "secret_in_definition",
        /// A process left the server's group and was ended apart.
        Escaped = "escaped",
        /// A conforming HTTP client would drop this tool.
        InvalidHttpHeader = "invalid_http_header",
    }
}

/// Something to say beside a measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its word.
    pub code: NoteCode,
    /// A sentence for a person. May quote the server: hostile text.
    pub message: String,
    /// The label of the tool that it is about.
    pub tool: Option<String>,
}

impl Note {
    /// A note about the server.
    pub fn new(code: NoteCode, message: impl Into<String>) -> Self {
        Note { code, message: message.into(), tool: None }
    }

    /// A note about one tool.
    pub fn about(tool: &str, code: NoteCode, message: impl Into<String>) -> Self {
        Note { code, message: message.into(), tool: Some(tool.to_owned()) }
    }
}

/// Why a server could not be priced completely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its word.
    pub code: ErrorCode,
    /// What happened and what to do, in sentences. May quote the server: hostile text.
    pub message: String,
    /// The last of what the server wrote to standard error; `None` where there is no such stream.
    pub stderr_tail: Option<String>,
}

impl Failure {
    /// A failure without a standard error stream.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Failure { code, message: message.into(), stderr_tail: None }
    }

    /// The failure with every secret replaced by the name it is known by.
    pub fn masked(self, secrets: &Secrets) -> Self {
        Failure {
            code: self.code,
            message: secrets.mask(&self.message),
            stderr_tail: self.stderr_tail.map(|tail| secrets.mask(&tail)),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for Failure {}
