//! A small HTTP/1.1 server on loopback: one thread and one request a connection, so that a test can break any of it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET`, `POST`, ...
    pub method: String,
    /// Path and query, as sent.
    pub target: String,
    /// Names in lower case, in the order they came.
    pub headers: Vec<(String, String)>,
    /// The whole body; chunks are joined.
    pub body: Vec<u8>,
}

impl Request {
    /// The first header of a name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The target without its query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The query without its question mark; empty where there is none.
    pub fn query(&self) -> &str {
        self.target.split_once('?').map_or("", |(_, query)| query)
    }
}

/// What is sent back.
#[derive(Debug, Clone)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    pub ending: Ending,
}

/// How an answer ends.
#[derive(Debug, Clone)]
pub enum Ending {
    /// Whole.
    Whole,
    /// After half of the body.
    Half,
    /// After half of the body, and then silence until the gate is opened.
    Held(Arc<Gate>),
    /// Before the first byte.
    Nothing,
}

/// What a held answer waits for.
#[derive(Debug, Default)]
pub struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    /// Lets everything go on that waits here.
    pub fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.opened.notify_all();
    }

    fn wait(&self) {
        let open = self.open.lock().unwrap();
        drop(self.opened.wait_while(open, |open| !*open).unwrap());
    }
}

impl Response {
    /// A whole answer.
    pub fn new(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("Content-Type".to_owned(), kind.to_owned())];
        Self { status, headers, body: body.into(), ending: Ending::Whole }
    }

    /// Adds a header.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    fn write(&self, stream: &mut TcpStream) -> std::io::Result<()> {
        if matches!(self.ending, Ending::Nothing) {
            return Ok(());
        }
        let mut head = format!("HTTP/1.1 {} Said\r\nConnection: close\r\n", self.status);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if self.status != 304 {
            head.push_str(&format!("Content-Length: {}\r\n", self.body.len()));
        }
        stream.write_all(format!("{head}\r\n").as_bytes())?;
        let whole = matches!(self.ending, Ending::Whole);
        let sent = if whole { self.body.len() } else { self.body.len() / 2 };
        stream.write_all(&self.body[..sent])?;
        if let Ending::Held(gate) = &self.ending {
            stream.flush()?;
            gate.wait();
        }
        Ok(())
    }
}

/// A server that answers until it is stopped or dropped.
pub struct Server {
    address: SocketAddr,
    stopped: Arc<AtomicBool>,
    listening: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens on a free port of 127.0.0.1.
    pub fn start(answer: impl Fn(Request) -> Response + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stopped = Arc::new(AtomicBool::new(false));
        let (stop, answer) = (Arc::clone(&stopped), Arc::new(answer));
        let listening = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                let answer = Arc::clone(&answer);
                std::thread::spawn(move || serve(stream, &*answer));
            }
        });
        Self { address, stopped, listening: Some(listening) }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops listening; connections are refused from then on.
    pub fn stop(&mut self) {
        if let Some(listening) = self.listening.take() {
            self.stopped.store(true, Ordering::SeqCst);
            // Wakes the listener, which then ends and closes its socket.
            let _ = TcpStream::connect(self.address);
            let _ = listening.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// One request and its answer. A client that goes away in between is none of the test's concern.
fn serve(mut stream: TcpStream, answer: &dyn Fn(Request) -> Response) {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(60)));
    let Ok(reading) = stream.try_clone() else { return };
    let response = match read(&mut BufReader::new(reading)) {
        Some(request) => answer(request),
        None => Response::new(400, "text/plain", "This is not a request."),
    };
    let _ = response.write(&mut stream);
    let _ = stream.shutdown(Shutdown::Write);
    // What the client still sends is read, so that closing does not take the answer away from it.
    let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
    let _ = stream.read(&mut [0; 1024]);
}

fn read(stream: &mut BufReader<TcpStream>) -> Option<Request> {
    let first = line(stream)?;
    let mut words = first.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = Vec::new();
    loop {
        let text = line(stream)?;
        if text.is_empty() {
            break;
        }
        let (name, value) = text.split_once(':')?;
        headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request = Request { method, target, headers, body: Vec::new() };
    request.body = match request.header("transfer-encoding") {
        Some(_) => chunks(stream)?,
        None => {
            let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
            exactly(stream, length)?
        }
    };
    Some(request)
}

fn line(stream: &mut BufReader<TcpStream>) -> Option<String> {
    let mut text = String::new();
    let read = stream.read_line(&mut text).ok()?;
    (read > 0).then(|| text.trim_end().to_owned())
}

fn exactly(stream: &mut BufReader<TcpStream>, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn chunks(stream: &mut BufReader<TcpStream>) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let length = usize::from_str_radix(line(stream)?.split(';').next()?, 16).ok()?;
        body.extend(exactly(stream, length)?);
        line(stream)?;
        if length == 0 {
            return Some(body);
        }
    }
}
