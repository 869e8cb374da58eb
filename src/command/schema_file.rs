//! The schema beside a new budgets file, which the first line of that file names for editors.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::budgets::SCHEMA_FILE;
use crate::pending_file::PendingFile;
use crate::schema::Schema;

/// What stands, or will stand, where the schema belongs.
pub(super) enum SchemaFile {
    /// Nothing yet: it is on its way to this path.
    New(PendingFile, PathBuf),
    /// The schema of this or an earlier version, which stays.
    Known,
    /// Something else, which no file may call a schema of budgets.
    Other,
}

impl SchemaFile {
    /// Looks beside a budgets file that is about to be made, and opens what is missing.
    pub(super) fn beside(budgets: &Path) -> anyhow::Result<Self> {
        let path = budgets.with_file_name(SCHEMA_FILE);
        match path.symlink_metadata() {
            Ok(_) if is_known(&path) => Ok(SchemaFile::Known),
            Ok(_) => Ok(SchemaFile::Other),
            Err(_) => {
                let pending = PendingFile::open(&path).with_context(|| {
                    format!("{} was not written, and neither was the schema that it names", budgets.display())
                })?;
                Ok(SchemaFile::New(pending, path))
            }
        }
    }

    /// How the budgets file names it.
    pub(super) fn name(&self) -> Option<&'static str> {
        match self {
            SchemaFile::New(..) | SchemaFile::Known => Some(SCHEMA_FILE),
            SchemaFile::Other => None,
        }
    }

    /// Writes what is new, and says where.
    pub(super) fn complete(self) -> anyhow::Result<Option<PathBuf>> {
        let SchemaFile::New(pending, path) = self else { return Ok(None) };
        pending.complete(|out| out.write_all(Schema::Budgets.text().as_bytes()))?;
        Ok(Some(path))
    }
}

fn is_known(path: &Path) -> bool {
    const TITLE: &str = "budgets.toml of mcp-footprint";
    path.is_file() && std::fs::read_to_string(path).is_ok_and(|text| text.contains(TITLE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_names_the_schema_only_where_there_is_or_will_be_one() {
        let folder = tempfile::tempdir().unwrap();
        let budgets = folder.path().join("budgets.toml");
        let schema = folder.path().join(SCHEMA_FILE);
        let new = SchemaFile::beside(&budgets).unwrap();
        assert_eq!(new.name(), Some(SCHEMA_FILE));
        assert_eq!(new.complete().unwrap().as_deref(), Some(schema.as_path()));
        let known = SchemaFile::beside(&budgets).unwrap();
        assert_eq!((known.name(), known.complete().unwrap()), (Some(SCHEMA_FILE), None));
        std::fs::write(&schema, "{}").unwrap();
        assert_eq!(SchemaFile::beside(&budgets).unwrap().name(), None);
        std::fs::remove_file(&schema).unwrap();
        std::fs::create_dir(&schema).unwrap();
        assert_eq!(SchemaFile::beside(&budgets).unwrap().name(), None);
    }
}
