//! What speaks HTTP: an agent that follows no redirect and takes no status for an error, with the system's
//! certificates and the proxies that the environment names. Knows nothing of MCP.

use std::env;
use std::sync::Arc;

use ureq::http::Uri;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Proxy};

use super::{failed, redirect};
use crate::codes::{ErrorCode, Failure};

/// An agent for the server at `address`.
///
/// # Errors
/// `connection_failed` when the proxy's address or the system's certificates cannot be used.
pub(super) fn agent(address: &Uri) -> Result<Agent, Failure> {
    let mut config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("mcp-footprint/", env!("CARGO_PKG_VERSION")))
        .proxy(proxy(address)?);
    if is_encrypted(address) {
        config = config.tls_config(TlsConfig::builder().root_certs(system_certificates()?).build());
    }
    Ok(config.build().new_agent())
}

/// The certificates that this system trusts, or those that `SSL_CERT_FILE` names.
fn system_certificates() -> Result<RootCerts, Failure> {
    let found = rustls_native_certs::load_native_certs();
    let certificates: Vec<Certificate<'static>> =
        found.certs.iter().map(|certificate| Certificate::from_der(certificate.as_ref()).to_owned()).collect();
    match (certificates.is_empty(), found.errors.first()) {
        (true, Some(error)) => Err(failed(format!("the certificates of this system cannot be read: {error}"))),
        (true, None) => Err(failed("this system trusts no certificate; SSL_CERT_FILE can name a file of them")),
        (false, _) => Ok(RootCerts::Specific(Arc::new(certificates))),
    }
}

/// The proxy that the environment names for this address, by the scheme of the URL as curl does. None can reach the
/// loopback addresses of this machine.
fn proxy(address: &Uri) -> Result<Option<Proxy>, Failure> {
    let names: &[&str] = match is_encrypted(address) {
        true => &["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
        false => &["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"],
    };
    let named = names.iter().find_map(|name| Some((*name, env::var(name).ok().filter(|value| !value.is_empty())?)));
    let Some((name, value)) = named else { return Ok(None) };
    // The library reads NO_PROXY beside whichever proxy it finds first.
    let is_excepted = Proxy::try_from_env().is_some_and(|proxy| proxy.is_no_proxy(address));
    if is_excepted || is_loopback(address) {
        return Ok(None);
    }
    // The value may hold a password, so it is not repeated.
    let unusable = |_| failed(format!("{name} names no proxy that can be used here; http://HOST:PORT would be one"));
    Proxy::new(&value).map(Some).map_err(unusable)
}

/// Why a server was not reached.
pub(super) fn unreachable_server(error: &ureq::Error, address: &Uri) -> Failure {
    let origin = redirect::origin(address);
    let said = error.to_string();
    let said = said.trim_start_matches("io: ");
    match error {
        ureq::Error::Timeout(_) => Failure::new(ErrorCode::Timeout, "the time was up before the server answered"),
        ureq::Error::HostNotFound => failed(format!("there is no host of the name in {origin}; look at the URL")),
        _ if said.contains("invalid peer certificate") => failed(format!(
            "the certificate of {origin} is not trusted ({said}); if it comes from an authority of your own, let \
             SSL_CERT_FILE name a file with that authority's certificate"
        )),
        _ => failed(format!("{origin} cannot be reached: {said}")),
    }
}

fn is_encrypted(address: &Uri) -> bool {
    address.scheme_str() == Some("https")
}

fn is_loopback(address: &Uri) -> bool {
    let host = address.host().unwrap_or_default().trim_matches(['[', ']']);
    let is_loopback = host.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback());
    is_loopback || host.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_known_by_its_names() {
        for url in ["http://localhost:1/", "http://127.0.0.9/", "http://[::1]:80/"] {
            assert!(is_loopback(&url.parse().unwrap()), "{url}");
        }
        assert!(!is_loopback(&"http://localhost.example/".parse().unwrap()));
    }
}
