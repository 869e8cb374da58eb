//! What differs by operating system outside of process control, which has its own file.

use std::fs::Permissions;

/// The permissions that a new file asks for before the user's mask is applied; `None` where the system decides.
#[cfg(unix)]
pub(crate) fn new_file_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

/// The permissions that a new file asks for before the user's mask is applied; `None` where the system decides.
#[cfg(not(unix))]
pub(crate) fn new_file_permissions() -> Option<Permissions> {
    None
}

/// Whether text for people may go beyond ASCII, by the locale that the environment names.
#[cfg(unix)]
pub(crate) fn locale_is_utf8(lookup: &dyn Fn(&str) -> Option<String>) -> bool {
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| lookup(name).filter(|value| !value.is_empty()));
    let locale = locale.unwrap_or_default().to_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// Whether text for people may go beyond ASCII: this system's terminals take Unicode whatever the locale.
#[cfg(not(unix))]
pub(crate) fn locale_is_utf8(_lookup: &dyn Fn(&str) -> Option<String>) -> bool {
    true
}

/// Where desktop applications keep their settings: `~/.config`, `%APPDATA%`, or `~/Library/Application Support`.
pub(crate) fn application_settings() -> Option<std::path::PathBuf> {
    use etcetera::BaseStrategy;
    let folders = etcetera::base_strategy::choose_native_strategy().ok()?;
    // What etcetera calls the configuration on macOS are the property lists of ~/Library/Preferences.
    Some(if cfg!(target_os = "macos") { folders.data_dir() } else { folders.config_dir() })
}
