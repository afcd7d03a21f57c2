//! Compiles documents with pdflatex, where it is installed.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// What came of a document.
pub struct Pdf {
    pub pages: usize,
    /// Width and height of the first page, bp.
    pub size: (f64, f64),
    /// Lines of the log that tell of something that looks bad.
    pub complaints: Vec<String>,
}

/// The document as a PDF; `None`, saying so, if there is no pdflatex.
pub fn compile(name: &str, document: &str) -> Option<Pdf> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    if Command::new("pdflatex").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("skipped: pdflatex is not installed");
        return None;
    }
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("blockstep-tikz-{}-{count}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    // So that the size of the pages can be read off the file.
    fs::write(folder.join("figure.tex"), format!("\\pdfobjcompresslevel=0\n{document}")).unwrap();
    let output = Command::new("pdflatex")
        .args(["-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode", "figure.tex"])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&fs::read(folder.join("figure.log")).unwrap_or_default()).into_owned();
    if let Some(kept) = std::env::var_os("BLOCKSTEP_KEEP_TEX") {
        fs::create_dir_all(&kept).unwrap();
        for end in ["tex", "pdf", "log"] {
            let _ = fs::copy(folder.join(format!("figure.{end}")), std::path::Path::new(&kept).join(format!("{name}.{end}")));
        }
    }
    let pdf = fs::read(folder.join("figure.pdf")).unwrap_or_default();
    fs::remove_dir_all(&folder).unwrap();
    assert!(output.status.success(), "{name} does not compile:\n{log}");
    let pages = log.rsplit("Output written on figure.pdf (").next().and_then(|rest| rest.split(' ').next()?.parse().ok()).unwrap();
    assert!(pdf.starts_with(b"%PDF"), "{name} is no PDF");
    let bad = ["Overfull", "LaTeX Warning", "LaTeX Font Warning", "Package pgf Warning", "Missing character", "Undefined"];
    let complaints = log.lines().filter(|line| bad.iter().any(|word| line.contains(word))).map(str::to_owned).collect();
    let text = String::from_utf8_lossy(&pdf);
    let mut size = text
        .split("/MediaBox [")
        .nth(1)
        .unwrap()
        .split(' ')
        .skip(2)
        .map(|n| n.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().unwrap());
    let size = (size.next().unwrap(), size.next().unwrap());
    Some(Pdf { pages, size, complaints })
}
