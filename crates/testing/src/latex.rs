//! What can be said of LaTeX without running it.

use std::collections::BTreeSet;

/// Every command that we write; anything else would come from a name.
const COMMANDS: &str = "\
    documentclass usepackage usetikzlibrary setlength paperwidth paperheight textwidth textheight hoffset voffset \
    oddsidemargin topmargin headheight headsep topskip footskip parindent pagestyle begin end definecolor clip fill \
    filldraw draw node fontsize selectfont bfseries setbeamersize setbeamertemplate setbeamercolor centering hfill \
    scalebox par medskip only footnotesize raggedright";

/// Every command that stands for a letter.
const LETTERS: &str = "\
    backslash lbrace rbrace vert textasciicircum textasciitilde ss ae AE oe OE o O l L i j textexclamdown \
    textquestiondown textendash textemdash textquoteleft textquoteright textquotedblleft textquotedblright textellipsis \
    mbox c v u H r mathdollar bullet cdot mathsection mathparagraph dagger ddagger mathsterling mu times div pm neg circ \
    leq geq neq approx rightarrow leftarrow uparrow downarrow infty sum surd in alpha beta gamma delta varepsilon zeta eta \
    theta iota kappa lambda nu xi pi rho sigma tau varphi chi psi omega Delta Sigma Omega";

/// Braces are closed, only known commands are there, and nothing but ASCII, in a text.
pub fn is_text(code: &str) -> Result<(), String> {
    scan(code, |command| LETTERS.split(' ').any(|known| known == command)).map(|_| ())
}

/// The same of a whole file; and that environments are closed, that colors are defined before they are used, once
/// in every picture, and that coordinates lie within the picture.
pub fn is_file(file: &str) -> Result<(), String> {
    let code: String = file.lines().map(|line| format!("{}\n", comment_cut(line))).collect();
    let environments =
        scan(&code, |command| COMMANDS.split(' ').any(|known| known == command) || LETTERS.split(' ').any(|known| known == command))?;
    if !environments.is_empty() {
        return Err(format!("not closed: {environments:?}"));
    }
    for picture in code.split("\\begin{tikzpicture}").skip(1) {
        is_picture(picture.split("\\end{tikzpicture}").next().unwrap_or(""))?;
    }
    Ok(())
}

fn comment_cut(line: &str) -> &str {
    let is_comment = |i: usize| line.as_bytes()[i] == b'%' && (i == 0 || line.as_bytes()[i - 1] != b'\\');
    (0..line.len()).find(|&i| is_comment(i)).map_or(line, |i| &line[..i])
}

/// Environments that are still open at the end.
fn scan(code: &str, is_known: impl Fn(&str) -> bool) -> Result<Vec<String>, String> {
    let (mut depth, mut open): (i64, Vec<String>) = (0, Vec::new());
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        if !(c == '\n' || c == ' ' || c.is_ascii_graphic()) {
            return Err(format!("{c:?} in {code:.200}"));
        }
        rest = &rest[1..];
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            '^' if rest.starts_with('^') => return Err("^^".to_owned()),
            '\\' => {
                let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
                if length == 0 {
                    let sign = rest.chars().next().unwrap_or('?');
                    if !" `'^\"~=.&#_%,".contains(sign) {
                        return Err(format!("\\{sign}"));
                    }
                    rest = &rest[1..];
                    continue;
                }
                let command = &rest[..length];
                if !is_known(command) {
                    return Err(format!("\\{command}"));
                }
                rest = &rest[length..];
                let argument = || rest.strip_prefix('{').and_then(|r| r.split('}').next()).unwrap_or("").to_owned();
                match command {
                    "begin" => open.push(argument()),
                    "end" if open.pop().as_ref() != Some(&argument()) => return Err(format!("end of {}", argument())),
                    _ => {}
                }
            }
            _ => {}
        }
        if depth < 0 {
            return Err(format!("a brace too many before {rest:.60}"));
        }
    }
    if depth == 0 { Ok(open) } else { Err(format!("{depth} braces open")) }
}

fn is_picture(picture: &str) -> Result<(), String> {
    // Words may say what they like.
    let picture: String = picture.lines().map(|line| format!("{}\n", line.split(") {").next().unwrap_or(line))).collect();
    let mut defined = BTreeSet::new();
    for line in picture.lines().filter_map(|line| line.strip_prefix("\\definecolor{")) {
        let name = line.split('}').next().unwrap_or("");
        if !defined.insert(name) {
            return Err(format!("{name} is defined twice"));
        }
    }
    let colours = picture.match_indices("bs").map(|(i, _)| &picture[i..(i + 8).min(picture.len())]);
    let mut colours = colours.filter(|name| name.len() == 8 && name[2..].bytes().all(|b| b.is_ascii_digit() || (b'A'..=b'F').contains(&b)));
    if let Some(name) = colours.find(|name| !defined.contains(name)) {
        return Err(format!("{name} is not defined"));
    }
    let pair = |text: &str| -> Option<(f64, f64)> {
        let (x, y) = text.split_once(')')?.0.split_once(',')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    let (_, clip) = picture.split_once("\\clip (0,0) rectangle (").ok_or("no size")?;
    let (width, height) = pair(clip).ok_or("no size")?;
    for (x, y) in picture.match_indices('(').filter_map(|(i, _)| pair(&picture[i + 1..])) {
        if !(-0.01..=width + 0.01).contains(&x) || !(-0.01..=height + 0.01).contains(&y) {
            return Err(format!("({x}, {y}) is outside {width} x {height}"));
        }
    }
    let numbers = picture.split(|c: char| !c.is_ascii_digit() && c != '.').filter_map(|n| n.split_once('.'));
    if let Some((a, b)) = { numbers }.find(|(_, decimals)| decimals.len() > 2) {
        return Err(format!("{a}.{b} has more than two decimals"));
    }
    Ok(())
}
