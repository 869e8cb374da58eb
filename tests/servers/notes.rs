//! The notes server: what this repository's own `budgets.toml` gates.
//!
//! It is a complete server on the official SDK, small enough to grow by hand: the README's walk adds a tool here and
//! watches `check` refuse it. It speaks both eras of the protocol, because the SDK does.
//!
//! What it lists must depend on nothing but this file: no clock, no environment, no unordered map. Notes live in
//! memory, or as `.txt` files in `NOTES_DIR` where that is set.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};
use rmcp::schemars::{self, JsonSchema};
use rmcp::serde::Deserialize;
use rmcp::transport::stdio;
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};

/// The notes by title. A title is a file name as well, so `checked_title` limits what it may hold.
struct Notes {
    directory: Option<PathBuf>,
    texts: Mutex<BTreeMap<String, String>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(crate = "rmcp::serde")]
struct NewNote {
    /// Title of the note: letters, digits, spaces, '-' and '_'. A note of this title is replaced.
    title: String,
    /// Text of the note.
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(crate = "rmcp::serde")]
struct Search {
    /// Words to look for in titles and texts; upper and lower case count as the same.
    query: String,
    /// How many titles to return at most.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 100))]
    limit: usize,
}

#[derive(Deserialize, JsonSchema)]
#[serde(crate = "rmcp::serde")]
struct Title {
    /// Title of the note, as list_notes shows it.
    title: String,
}

fn default_limit() -> usize {
    10
}

#[tool_router]
impl Notes {
    fn open(directory: Option<PathBuf>) -> std::io::Result<Self> {
        let mut texts = BTreeMap::new();
        if let Some(directory) = &directory {
            std::fs::create_dir_all(directory)?;
            for entry in std::fs::read_dir(directory)? {
                let path = entry?.path();
                if path.extension().is_some_and(|extension| extension == "txt")
                    && let Some(title) = path.file_stem().and_then(|stem| stem.to_str())
                {
                    texts.insert(title.to_owned(), std::fs::read_to_string(&path)?);
                }
            }
        }
        Ok(Self { directory, texts: Mutex::new(texts) })
    }

    fn texts(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[tool(description = "Save a note. Replaces the note of the same title, if there is one.")]
    fn add_note(&self, Parameters(note): Parameters<NewNote>) -> Result<String, String> {
        let title = checked_title(&note.title)?;
        if let Some(directory) = &self.directory {
            std::fs::write(directory.join(format!("{title}.txt")), &note.text)
                .map_err(|error| format!("Could not save '{title}': {error}"))?;
        }
        self.texts().insert(title.to_owned(), note.text);
        Ok(format!("Saved '{title}'."))
    }

    #[tool(
        description = "Find notes whose title or text holds every word of the query. Returns titles, one a line, \
                       ordered by title.",
        annotations(read_only_hint = true)
    )]
    fn search_notes(&self, Parameters(search): Parameters<Search>) -> String {
        let words: Vec<String> = search.query.split_whitespace().map(str::to_lowercase).collect();
        let texts = self.texts();
        let found = texts.iter().filter(|(title, text)| {
            let both = format!("{title}\n{text}").to_lowercase();
            words.iter().all(|word| both.contains(word))
        });
        found.take(search.limit).map(|(title, _)| title.as_str()).collect::<Vec<_>>().join("\n")
    }

    #[tool(description = "List the titles of all notes, one a line.", annotations(read_only_hint = true))]
    fn list_notes(&self) -> String {
        self.texts().keys().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    #[tool(description = "Read the text of one note.", annotations(read_only_hint = true))]
    fn read_note(&self, Parameters(Title { title }): Parameters<Title>) -> Result<String, String> {
        self.texts().get(&title).cloned().ok_or_else(|| unknown(&title))
    }

    #[tool(description = "Delete one note for good.", annotations(destructive_hint = true, idempotent_hint = true))]
    fn delete_note(&self, Parameters(Title { title }): Parameters<Title>) -> Result<String, String> {
        let mut texts = self.texts();
        if !texts.contains_key(&title) {
            return Err(unknown(&title));
        }
        if let Some(directory) = &self.directory {
            std::fs::remove_file(directory.join(format!("{title}.txt")))
                .map_err(|error| format!("Could not delete '{title}': {error}"))?;
        }
        texts.remove(&title);
        Ok(format!("Deleted '{title}'."))
    }
}

/// The title itself where it can be a file name on every system, else a sentence for the model that chose it.
fn checked_title(title: &str) -> Result<&str, String> {
    let allowed = |character: char| character.is_alphanumeric() || " -_".contains(character);
    if title.trim().is_empty() || title.len() > 100 || !title.chars().all(allowed) {
        return Err("A title has 1 to 100 letters, digits, spaces, '-' or '_'.".to_owned());
    }
    Ok(title.trim())
}

fn unknown(title: &str) -> String {
    format!("There is no note '{title}'. Call list_notes for the titles.")
}

#[tool_handler]
impl ServerHandler for Notes {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("notes-server", "1.0.0"))
            .with_instructions("Notes by title. Search before adding, so that a note is extended and not doubled.")
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let notes = Notes::open(std::env::var_os("NOTES_DIR").map(PathBuf::from))?;
    notes.serve(stdio()).await?.waiting().await?;
    Ok(())
}
