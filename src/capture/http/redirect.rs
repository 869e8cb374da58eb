//! Redirects of our own: to the same origin with everything, to another one not at all. No header of the user's ever
//! goes to an origin that the user did not name.

use ureq::http::Uri;

/// Where `location` leads from `from`; `None` where it is no address.
pub(super) fn target(from: &Uri, location: &str) -> Option<Uri> {
    let (scheme, authority) = (from.scheme_str()?, from.authority()?);
    let text = if location.contains("://") {
        location.to_owned()
    } else if location.starts_with("//") {
        format!("{scheme}:{location}")
    } else if location.starts_with('/') {
        format!("{scheme}://{authority}{location}")
    } else {
        let folder = from.path().rsplit_once('/').map_or("", |(folder, _)| folder);
        format!("{scheme}://{authority}{folder}/{location}")
    };
    text.parse().ok().filter(|uri: &Uri| uri.host().is_some())
}

/// Whether both addresses have one scheme, host and port.
pub(super) fn same_origin(one: &Uri, other: &Uri) -> bool {
    origin(one) == origin(other)
}

fn origin(uri: &Uri) -> (Option<String>, Option<String>, Option<u16>) {
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
            ("http://a.example/z", "http://a.example/z"),
        ] {
            assert_eq!(target(&from, location).unwrap(), uri(leads_to), "{location}");
        }
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
