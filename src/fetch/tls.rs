//! TLS settings: the files of `-tls_ca`, `-tls_cert` and `-tls_key`.

use std::path::{Path, PathBuf};

use rustls::crypto::ring::default_provider;
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use rustls::sign::CertifiedKey;
use ureq::tls::{Certificate, ClientCert, PemItem, PrivateKey, RootCerts, TlsConfig, parse_pem};

use super::FetchError;

/// Files in PEM, as the flags name them.
#[derive(Clone, Debug, Default)]
pub struct TlsFiles {
    /// Our certificate, and those up to an authority.
    pub cert: Option<PathBuf>,
    /// The key to it.
    pub key: Option<PathBuf>,
    /// Authorities to trust, instead of the system's.
    pub ca: Option<PathBuf>,
}

impl TlsFiles {
    /// TLS configuration; `insecure` disables certificate checks.
    ///
    /// # Errors
    /// When a file cannot be read or used.
    pub(super) fn config(&self, insecure: bool) -> Result<TlsConfig, FetchError> {
        let client = match (&self.cert, &self.key) {
            (None, None) => None,
            (Some(cert), Some(key)) => Some(client_cert(cert, key)?),
            (Some(_), None) => return Err(FetchError::HalfPair { given: "tls_cert", missing: "tls_key" }),
            (None, Some(_)) => return Err(FetchError::HalfPair { given: "tls_key", missing: "tls_cert" }),
        };
        let roots = match &self.ca {
            Some(ca) => RootCerts::new_with_certs(&certificates("tls_ca", ca)?),
            None if insecure => RootCerts::WebPki,
            None => system_roots(),
        };
        Ok(TlsConfig::builder().client_cert(client).root_certs(roots).disable_verification(insecure).build())
    }
}

/// The system's authorities; where there are none, those of Mozilla that we carry.
fn system_roots() -> RootCerts {
    let native = rustls_native_certs::load_native_certs().certs;
    if native.is_empty() {
        return RootCerts::WebPki;
    }
    native.iter().map(|c| Certificate::from_der(c.as_ref()).to_owned()).into()
}

fn read(flag: &'static str, path: &Path) -> Result<Vec<u8>, FetchError> {
    std::fs::read(path).map_err(|e| FetchError::TlsFile { flag, path: path.to_owned(), reason: format!("cannot be read: {e}") })
}

fn certificates(flag: &'static str, path: &Path) -> Result<Vec<Certificate<'static>>, FetchError> {
    let pem = read(flag, path)?;
    let certificate = |item| if let Ok(PemItem::Certificate(c)) = item { Some(c) } else { None };
    let found: Vec<_> = parse_pem(&pem).filter_map(certificate).collect();
    match found.is_empty() {
        true => Err(FetchError::TlsFile { flag, path: path.to_owned(), reason: "holds no certificate in PEM".into() }),
        false => Ok(found),
    }
}

/// Certificate and key, checked to belong together: ureq would panic on a pair that does not.
fn client_cert(cert: &Path, key: &Path) -> Result<ClientCert, FetchError> {
    let chain = certificates("tls_cert", cert)?;
    let wrong = |reason: String| FetchError::TlsFile { flag: "tls_key", path: key.to_owned(), reason };
    let pem = read("tls_key", key)?;
    let none = |_| wrong("holds no private key in PEM without a password".into());
    let private = PrivateKeyDer::from_pem_slice(&pem).map_err(none)?;
    let der = chain.iter().map(|c| c.der().to_vec().into()).collect();
    CertifiedKey::from_der(der, private, &default_provider()).map_err(|e| wrong(format!("does not go with -tls_cert: {e}")))?;
    let private = PrivateKey::from_pem(&pem).map_err(|e| wrong(e.to_string()))?;
    Ok(ClientCert::new_with_certs(&chain, private))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_keys_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let junk = folder.path().join("junk.pem");
        std::fs::write(&junk, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").unwrap();
        let error = |cert: Option<&Path>, key: Option<&Path>, ca: Option<&Path>| {
            let own = |path: Option<&Path>| path.map(Path::to_owned);
            TlsFiles { cert: own(cert), key: own(key), ca: own(ca) }.config(false).unwrap_err().to_string()
        };
        assert_eq!(error(Some(&junk), None, None), "-tls_cert also needs -tls_key");
        assert_eq!(error(None, Some(&junk), None), "-tls_key also needs -tls_cert");
        assert!(error(Some(&junk), Some(&junk), None).ends_with("junk.pem: holds no private key in PEM without a password"));
        assert!(error(Some(Path::new("nosuch")), Some(&junk), None).starts_with("-tls_cert=nosuch: cannot be read"));
        std::fs::write(&junk, "no key").unwrap();
        assert!(error(None, None, Some(&junk)).ends_with("junk.pem: holds no certificate in PEM"));
    }
}
