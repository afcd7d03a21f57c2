//! Serves the page from within the program, with files that it opens.
//!
//! Depends on rust-embed, which puts the built page into the program (a build without optimization reads it where it lies), on axum and
//! tower-http, which answer browsers, and on getrandom. Invariants: only this computer is answered, and only by its own names, so that no
//! page of another host can read the files; only who knows the address that was printed, as all users of a computer share its loopback;
//! no file is handed out but those that were named.

mod patience;

use std::fs::File;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use rust_embed::Embed;
use tower_http::services::ServeFile;

use self::patience::Patient;
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

/// What is answered, and where.
struct House {
    /// The names of this computer, with the port.
    hosts: [String; 2],
    /// What every address begins with: slashes around a word that nobody can guess.
    prefix: String,
    shelf: Shelf,
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
        let prefix = match secret() {
            Ok(word) => format!("/{word}/"),
            Err(why) => return self.fail(&format!("this system gives no random numbers for the address: {why}")),
        };
        self.print(format!("Blockstep is at http://127.0.0.1:{port}{prefix}{} (Ctrl+C ends it)\n", shelf.fragment()))?;
        let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}"));
        answer_all(listener, House { hosts, prefix, shelf }).or_else(|why| self.fail(&format!("port {port}: {why}")))
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

/// A word that nobody can guess: 128 bits, in hexadecimal.
fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

/// Answers until the program is ended.
fn answer_all(listener: TcpListener, house: House) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let router = Router::new().fallback(get(answer)).with_state(Arc::new(house));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_io().enable_time().build()?;
    runtime.block_on(async { axum::serve(Patient::new(tokio::net::TcpListener::from_std(listener)?), router).await })
}

/// Answers one request; has nothing kept, as files change, and has no other host told of the address.
async fn answer(State(house): State<Arc<House>>, request: Request) -> Response {
    let mut response = house.answer(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

impl House {
    /// Refuses what is asked of another host, as a page elsewhere can have a browser ask, and by who does not know the address.
    async fn answer(&self, request: Request) -> Response {
        let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
        if !host.is_some_and(|host| self.hosts.iter().any(|own| own == host)) {
            return (StatusCode::FORBIDDEN, "Blockstep answers this computer alone.\n").into_response();
        }
        let asked = request.uri().path();
        if self.prefix.strip_suffix('/') == Some(asked) {
            return Redirect::permanent(&self.prefix).into_response();
        }
        let Some(asked) = asked.strip_prefix(&self.prefix) else {
            return (StatusCode::NOT_FOUND, "There is nothing here. Open the whole address that `blockstep serve` has printed.\n")
                .into_response();
        };
        let asked = percent::decode(asked.as_bytes());
        match asked.strip_prefix("opened/") {
            Some(name) => self.opened(name, request).await,
            None => part(&asked),
        }
    }

    /// A file that the page opens.
    async fn opened(&self, name: &str, request: Request) -> Response {
        let Some(path) = self.shelf.find(name) else {
            return (StatusCode::NOT_FOUND, "This file is not one that is served.\n").into_response();
        };
        match ServeFile::new(path).try_call(request).await {
            Ok(file) => file.map(Body::new),
            Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{why}\n")).into_response(),
        }
    }
}

/// In place of the page's service worker, as nothing is to be kept of an address that is another one each time: goes at once.
const NO_WORKER: &str = "self.addEventListener(\"activate\", () => self.registration.unregister());\n";

/// A part of the page.
fn part(asked: &str) -> Response {
    let path = if asked.is_empty() || asked.ends_with('/') { format!("{asked}index.html") } else { asked.to_owned() };
    if path == "sw.js" {
        return ([(header::CONTENT_TYPE, "text/javascript")], NO_WORKER).into_response();
    }
    match Site::get(&path) {
        Some(part) => ([(header::CONTENT_TYPE, part.metadata.mimetype().to_owned())], part.data).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response(),
    }
}
