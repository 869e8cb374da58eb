//! HTTPS: whose certificates are trusted.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::server::{Server, Stream};
use crate::{legacy, run_with};

/// A server whose certificate comes from an authority of its own, and that authority's certificate.
fn server_of_an_own_authority() -> (Server, String) {
    let authority_key = KeyPair::generate().expect("a key");
    let mut authority = CertificateParams::new(Vec::new()).expect("parameters");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_certificate = authority.self_signed(&authority_key).expect("a certificate");
    let key = KeyPair::generate().expect("a key");
    let issuer = Issuer::new(authority, authority_key);
    let names = CertificateParams::new(vec!["localhost".to_owned()]).expect("parameters");
    let certificate = names.signed_by(&key, &issuer).expect("a certificate");
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .expect("a configuration");
    let config = Arc::new(config);
    let encrypt = move |stream| {
        let connection = ServerConnection::new(Arc::clone(&config)).ok()?;
        Some(Box::new(StreamOwned::new(connection, stream)) as Box<dyn Stream>)
    };
    let server = Server::start_wrapped(encrypt, |request, _| legacy(request));
    (server, authority_certificate.pem())
}

#[test]
fn an_authority_is_trusted_when_it_is_named_and_only_then() {
    let (server, certificate) = server_of_an_own_authority();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("authority.pem");
    std::fs::write(&file, certificate).expect("a file");
    let url = format!("https://localhost:{}/mcp", server.port);
    let run = run_with(&url, &["--header", "X-Key: hunter22-is-the-token"], &[]);
    run.expect_error("connection_failed", &["certificate", "not trusted", "SSL_CERT_FILE"]);
    assert!(server.requests().is_empty());
    let named = file.to_str().expect("a path");
    run_with(&url, &[], &[("SSL_CERT_FILE", named)]).expect_tools(&["ok"]);
}
