//! Serves the page from within the program, with files that it opens.
//!
//! Depends on rust-embed, which puts `dist/` into the program (a build without optimization reads it where it lies), and on axum and
//! tower-http, which answer browsers. Invariants: only this computer is answered, and only by its own names, so that no page of another
//! host can read the files; no file is handed out but those that were named.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path as Segment, Request, State};
use axum::http::{StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::Embed;
use tower_http::services::ServeFile;

use super::{Failed, Streams, name};
use blockstep_format::percent;

/// Where it is found if nobody uses that port: a browser keeps what a reader works on by the port, too.
const PORT: u16 = 8080;

#[derive(Embed)]
#[folder = "../../dist"]
struct Site;

#[derive(clap::Args)]
pub(super) struct ServeArgs {
    /// What the page opens, as if it were dropped there: a scenario, a trace, logs. It is read anew whenever the page is loaded
    files: Vec<PathBuf>,
    /// Listen at this port; without it at 8080, or at any that is free
    #[arg(long, value_name = "N")]
    port: Option<u16>,
}

/// The files that the page opens, by their names.
struct Shelf(Vec<(String, PathBuf)>);

impl Streams<'_> {
    /// Serves until the program is ended.
    pub(super) fn serve(&mut self, args: &ServeArgs) -> Result<(), Failed> {
        let shelf = self.shelf(&args.files)?;
        if Site::get("index.html").is_none() {
            return self.fail("this program was built without the page: run make dist, then cargo build --release --features serve");
        }
        let port = args.port.unwrap_or(PORT);
        let served = listen(port, args.port.is_none()).and_then(|listener| {
            let port = listener.local_addr()?.port();
            Ok((listener, port))
        });
        let (listener, port) = match served {
            Ok(served) => served,
            Err(why) if why.kind() == ErrorKind::AddrInUse => {
                return self.fail(&format!("port {port} is in use by another program; --port names another one"));
            }
            Err(why) => return self.fail(&format!("port {port}: {why}")),
        };
        self.print(format!("Blockstep is at http://127.0.0.1:{port}/{} (Ctrl+C ends it)\n", shelf.fragment()))?;
        answer_all(listener, port, shelf).or_else(|why| self.fail(&format!("port {port}: {why}")))
    }

    /// What can be read now, each under a name of its own.
    fn shelf(&mut self, paths: &[PathBuf]) -> Result<Shelf, Failed> {
        let mut files: Vec<(String, PathBuf)> = Vec::new();
        for path in paths {
            let Some(word) = path.file_name().map(|word| word.to_string_lossy().into_owned()) else {
                return self.fail(&format!("{} is not the name of a file", name(path)));
            };
            if path.is_dir() {
                return self.fail(&format!("{} is a folder; name the files in it", name(path)));
            }
            if let Err(why) = File::open(path) {
                return self.fail(&format!("{}: cannot be read: {why}", name(path)));
            }
            if let Some((_, other)) = files.iter().find(|(known, _)| *known == word) {
                return self.fail(&format!("{} and {} have the same name; copy one under another name", name(other), name(path)));
            }
            files.push((word, path.clone()));
        }
        Ok(Shelf(files))
    }
}

impl Shelf {
    /// What has the page open them: `#open=a.json&open=b.json`.
    fn fragment(&self) -> String {
        let words: Vec<String> = self.0.iter().map(|(word, _)| format!("open={}", percent::encode_query(word))).collect();
        if words.is_empty() { String::new() } else { format!("#{}", words.join("&")) }
    }

    /// The file of a name.
    fn find(&self, word: &str) -> Option<&PathBuf> {
        self.0.iter().find(|(known, _)| known == word).map(|(_, path)| path)
    }
}

/// Listens on this computer alone: at a port, or where another program uses it, at any that is free if it `may_move`.
fn listen(port: u16, may_move: bool) -> io::Result<TcpListener> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Err(why) if may_move && why.kind() == ErrorKind::AddrInUse => TcpListener::bind((Ipv4Addr::LOCALHOST, 0)),
        listener => listener,
    }
}

/// Answers until the program is ended.
fn answer_all(listener: TcpListener, port: u16, shelf: Shelf) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let hosts = Arc::new(["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}")));
    let router = Router::new()
        .route("/opened/{name}", get(opened))
        .fallback(get(part))
        .layer(middleware::from_fn_with_state(hosts, own_hosts))
        .with_state(Arc::new(shelf));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_io().build()?;
    runtime.block_on(async { axum::serve(tokio::net::TcpListener::from_std(listener)?, router).await })
}

/// Refuses what is asked of another host, as a page elsewhere can have a browser ask; and has nothing kept, as files change.
async fn own_hosts(State(hosts): State<Arc<[String; 2]>>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| hosts.iter().any(|own| own == host)) {
        return (StatusCode::FORBIDDEN, "Blockstep answers this computer alone.\n").into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-cache"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, header::HeaderValue::from_static("nosniff"));
    response
}

/// A file that the page opens.
async fn opened(State(shelf): State<Arc<Shelf>>, Segment(name): Segment<String>, request: Request) -> Response {
    let Some(path) = shelf.find(&name) else {
        return (StatusCode::NOT_FOUND, "This file is not one that is served.\n").into_response();
    };
    match ServeFile::new(path).try_call(request).await {
        Ok(file) => file.map(Body::new),
        Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{why}\n")).into_response(),
    }
}

/// A part of the page.
async fn part(uri: Uri) -> Response {
    let path = percent::decode(uri.path().trim_start_matches('/').as_bytes());
    let path = if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path };
    match Site::get(&path) {
        Some(part) => ([(header::CONTENT_TYPE, part.metadata.mimetype().to_owned())], part.data).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response(),
    }
}
