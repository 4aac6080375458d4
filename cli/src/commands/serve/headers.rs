//! Headers of the page, as the server and hosts of the page send them.

/// Headers of every answer. The first two make the page cross-origin isolated, as shared memory requires. The policy admits
/// only files of this site, and the script in the page that reports a refused module.
pub(crate) const HEADERS: [(&str, &str); 6] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' \
         'sha256-ABIv8vuvpmkpcyzYaUehWF6e8ImGWsNLjNYwHpjkDUg='; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
];

/// Returns the `Content-Type` for a file extension.
///
/// A browser compiles a module while it loads only with `application/wasm`, and rejects module scripts without a JavaScript type.
pub(crate) fn content_type(path: &str) -> &'static str {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
