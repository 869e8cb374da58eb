//! A small HTTP server for tests, which answers every request with whatever bytes a test wants, however slowly.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// One request, as it came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The JSON-RPC method; `DELETE` for the end of a session.
    pub(crate) fn rpc_method(&self) -> String {
        let json: serde_json::Value = serde_json::from_str(&self.body).unwrap_or_default();
        json["method"].as_str().map_or_else(|| self.method.clone(), str::to_owned)
    }

    /// The JSON-RPC id.
    pub(crate) fn id(&self) -> String {
        let json: serde_json::Value = serde_json::from_str(&self.body).unwrap_or_default();
        json["id"].to_string()
    }
}

/// What is sent back, part after part.
pub(crate) enum Part {
    Bytes(Vec<u8>),
    /// The same bytes again and again, so many times.
    Repeat(usize, Vec<u8>),
    Pause(Duration),
    /// Nothing more, but the connection stays open until the client closes it.
    Hold,
}

pub(crate) type Reply = Vec<Part>;

/// A reply with a status, headers and a body whose length is told.
pub(crate) fn reply(status: &str, headers: &[&str], body: &str) -> Reply {
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let length = body.len();
    let text = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}");
    vec![Part::Bytes(text.into_bytes())]
}

/// A JSON reply.
pub(crate) fn json(body: &str) -> Reply {
    reply("200 OK", &["Content-Type: application/json"], body)
}

/// The head of an event stream without a length.
pub(crate) fn stream_head() -> Part {
    Part::Bytes(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n".to_vec())
}

/// A server that runs until the test ends.
pub(crate) struct Server {
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
}

/// What carries the bytes of one connection.
pub(crate) trait Stream: Read + Write {}
impl<T: Read + Write> Stream for T {}

type Wrap = dyn Fn(TcpStream) -> Option<Box<dyn Stream>> + Send + Sync;

impl Server {
    /// Answers every request, each on a connection of its own; `answer` gets the requests of the same JSON-RPC
    /// method that came before as a number.
    pub(crate) fn start(answer: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static) -> Self {
        Server::start_wrapped(|stream| Some(Box::new(stream)), answer)
    }

    pub(crate) fn start_wrapped(
        wrap: impl Fn(TcpStream) -> Option<Box<dyn Stream>> + Send + Sync + 'static,
        answer: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("a listener has an address").port();
        let requests = Arc::new(Mutex::new(Vec::<Request>::new()));
        let (kept, answer) = (Arc::clone(&requests), Arc::new(answer));
        let wrap: Arc<Wrap> = Arc::new(wrap);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, answer, wrap) = (Arc::clone(&kept), Arc::clone(&answer), Arc::clone(&wrap));
                thread::spawn(move || {
                    let Some(mut stream) = wrap(stream) else { return };
                    let Some(request) = read(&mut stream) else { return };
                    let before = {
                        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                        let before = kept.iter().filter(|known| known.rpc_method() == request.rpc_method()).count();
                        kept.push(request.clone());
                        before
                    };
                    // A client that has gone is no fault of the server.
                    let _ = write(&mut stream, answer(&request, before));
                });
            }
        });
        Server { port, requests }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The JSON-RPC methods in the order in which they came.
    pub(crate) fn methods(&self) -> Vec<String> {
        self.requests().iter().map(Request::rpc_method).collect()
    }
}

fn read(stream: &mut dyn Stream) -> Option<Request> {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    stream.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let mut headers = Vec::new();
    loop {
        line.clear();
        stream.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let mut request = Request { method, path, headers, body: String::new() };
    let length = request.header("content-length").map_or(0, |length| length.parse().unwrap_or(0));
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    request.body = String::from_utf8(body).ok()?;
    Some(request)
}

fn write(stream: &mut dyn Stream, reply: Reply) -> std::io::Result<()> {
    for part in reply {
        match part {
            Part::Bytes(bytes) => stream.write_all(&bytes)?,
            Part::Repeat(times, bytes) => (0..times).try_for_each(|_| stream.write_all(&bytes))?,
            Part::Pause(time) => thread::sleep(time),
            Part::Hold => drop(stream.read_to_end(&mut Vec::new())),
        }
        stream.flush()?;
    }
    Ok(())
}
