//! Secrets that stand in the arguments of a command: nobody should put them there, and many do.

use super::expand::header_secrets;
use super::url::url_secrets;
use crate::secrets::Secrets;

/// `--api-key VALUE`, `--api-key=VALUE`, `API_KEY=VALUE`, `--header 'Name: VALUE'`, and what is secret in a URL.
pub fn argument_secrets(args: &[String], secrets: &mut Secrets) {
    let names = std::iter::once("").chain(args.iter().map(String::as_str));
    for (before, arg) in names.zip(args) {
        if arg.contains("${") {
            default_secrets(arg, secrets);
            continue;
        }
        if arg.contains("://") {
            url_secrets(arg, secrets);
        }
        if before.starts_with('-') && !arg.starts_with('-') {
            secrets.add_if_named_so(before.trim_start_matches('-'), arg);
        }
        if let Some((name, value)) = arg.split_once('=').filter(|(name, _)| !name.contains("://")) {
            secrets.add_if_named_so(name.trim_start_matches('-'), value);
        }
        if let Some((name, value)) = arg.split_once(':').filter(|_| matches!(before, "--header" | "-H")) {
            header_secrets(name, value, secrets);
        }
    }
}

/// The defaults in `${NAME:-default}`.
fn default_secrets(text: &str, secrets: &mut Secrets) {
    for variable in text.split("${").skip(1).filter_map(|rest| rest.split_once('}')) {
        if let Some((name, default)) = variable.0.split_once(":-") {
            secrets.add(name, default);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_a_flag_whose_name_says_so_is_secret_and_nothing_else_is() {
        let args = ["--token", "s3cr3tA", "--api-key=s3cr3tB", "--root", "/srv/notes", "--header", "X: s3cr3tC"];
        let mut secrets = Secrets::default();
        argument_secrets(&args.map(str::to_owned), &mut secrets);
        let masked = args.map(|arg| secrets.mask(arg)).join(" ");
        assert!(!masked.contains("s3cr3t") && masked.contains("/srv/notes"), "{masked}");
    }
}
