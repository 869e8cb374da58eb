//! Redirects of our own: to the same origin with everything, to another one not at all. No header of the user's ever
//! goes to an origin that the user did not name.

use ureq::http::Uri;

/// Where `location` leads from `from`; `None` where it is no address.
pub(super) fn target(from: &Uri, location: &str) -> Option<Uri> {
    let (scheme, authority) = (from.scheme_str()?, from.authority()?);
    let location = location.split('#').next().unwrap_or_default();
    let text = if location.split(['/', '?']).next().is_some_and(|start| start.contains(':')) {
        without_user_info(location).0
    } else if location.starts_with("//") {
        format!("{scheme}:{location}")
    } else if location.starts_with('/') {
        format!("{scheme}://{authority}{location}")
    } else if location.starts_with('?') || location.is_empty() {
        format!("{scheme}://{authority}{}{location}", from.path())
    } else {
        let folder = from.path().rsplit_once('/').map_or("", |(folder, _)| folder);
        format!("{scheme}://{authority}{folder}/{location}")
    };
    text.parse().ok().filter(|uri: &Uri| uri.host().is_some() && matches!(uri.scheme_str(), Some("http" | "https")))
}

/// A URL without its user info, and the user info as it was written.
pub(super) fn without_user_info(url: &str) -> (String, Option<String>) {
    let start = url.find("://").map_or(0, |colon| colon + 3);
    let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |length| start + length);
    match url[start..end].rfind('@') {
        Some(at) => (format!("{}{}", &url[..start], &url[start + at + 1..]), Some(url[start..start + at].to_owned())),
        None => (url.to_owned(), None),
    }
}

/// Scheme, host and port as they are called in messages.
pub(super) fn origin(address: &Uri) -> String {
    let port = address.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}", address.scheme_str().unwrap_or_default(), address.host().unwrap_or_default())
}

/// Whether both addresses have one scheme, host and port.
pub(super) fn same_origin(one: &Uri, other: &Uri) -> bool {
    triple(one) == triple(other)
}

fn triple(uri: &Uri) -> (Option<String>, Option<String>, Option<u16>) {
    let scheme = uri.scheme_str().map(str::to_ascii_lowercase);
    let usual = match scheme.as_deref() {
        Some("https") => Some(443),
        Some("http") => Some(80),
        _ => None,
    };
    (scheme, uri.host().map(str::to_ascii_lowercase), uri.port_u16().or(usual))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(text: &str) -> Uri {
        text.parse().unwrap()
    }

    #[test]
    fn locations_are_resolved_against_the_address() {
        let from = uri("https://a.example/x/mcp?q=1");
        for (location, leads_to) in [
            ("/mcp/", "https://a.example/mcp/"),
            ("mcp/", "https://a.example/x/mcp/"),
            ("//b.example/y", "https://b.example/y"),
            ("http://u:p@a.example/z#f", "http://a.example/z"),
            ("mcp/?to=http://c.example", "https://a.example/x/mcp/?to=http://c.example"),
            ("?q=2", "https://a.example/x/mcp?q=2"),
        ] {
            assert_eq!(target(&from, location).unwrap(), uri(leads_to), "{location}");
        }
        assert_eq!(target(&from, "ftp://a.example/"), None);
        assert_eq!(target(&from, "javascript:alert(1)"), None);
    }

    #[test]
    fn user_info_is_no_part_of_the_address() {
        let (url, user_info) = without_user_info("https://u:p%40@host/mcp?a=@b");
        assert_eq!((url.as_str(), user_info.as_deref()), ("https://host/mcp?a=@b", Some("u:p%40")));
        assert_eq!(without_user_info("https://host?a=@b").1, None);
    }

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        let here = uri("https://a.example/x");
        assert!(same_origin(&here, &uri("https://A.example:443/y")));
        for other in ["http://a.example/x", "https://a.example:8443/x", "https://b.example/x"] {
            assert!(!same_origin(&here, &uri(other)), "{other}");
        }
    }
}
