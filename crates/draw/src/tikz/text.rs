//! Any text as LaTeX that says the same and does nothing else.
//!
//! Depends on nothing. Invariants: what comes out is printable ASCII on one line, with every brace
//! closed; no character of the text is read by TeX as anything but a letter to print, in any of the
//! text encodings OT1, T1 and TU. Letters that need fonts which a plain LaTeX lacks are written as
//! their numbers, or left out with a sign. Source: "LaTeX2e font selection" (LaTeX Project), tables of OT1.

use std::fmt::Write;

/// Accents that OT1 has, each with letters and what they stand on.
const ACCENTS: [(&str, &str); 12] = [
    ("`", "ÀAÈEÌIÒOÙUǸNàaèeìiòoùuǹn"),
    ("'", "ÁAÉEÍIÓOÚUÝYĆCĹLŃNŔRŚSŹZáaéeíióoúuýyćcĺlńnŕrśsźz"),
    ("^", "ÂAÊEÎIÔOÛUĈCĜGĤHĴJŜSŴWŶYâaêeîiôoûuĉcĝgĥhĵjŝsŵwŷy"),
    ("\"", "ÄAËEÏIÖOÜUŸYäaëeïiöoüuÿy"),
    ("~", "ÃAÑNÕOĨIŨUãañnõoĩiũu"),
    ("=", "ĀAĒEĪIŌOŪUāaēeīiōoūu"),
    (".", "ĊCĖEĠGİIŻZċcėeġgżz"),
    ("c", "ÇCŞSŢTȘSȚTĶKĻLŅNŖRçcşsţtșsțtķkļlņnŗr"),
    ("v", "ČCĎDĚEŇNŘRŠSŤTŽZǍAčcďděeňnřršsťtžzǎa"),
    ("u", "ĂAĔEĞGĬIŎOŬUăaĕeğgĭiŏoŭu"),
    ("H", "ŐOŰUőoűu"),
    ("r", "ÅAŮUåaůu"),
];

/// Signs that have a name in text.
const NAMED: [(char, &str); 29] = [
    ('^', "textasciicircum"),
    ('~', "textasciitilde"),
    ('ß', "ss"),
    ('æ', "ae"),
    ('Æ', "AE"),
    ('œ', "oe"),
    ('Œ', "OE"),
    ('ø', "o"),
    ('Ø', "O"),
    ('ł', "l"),
    ('Ł', "L"),
    ('ı', "i"),
    ('ȷ', "j"),
    ('¡', "textexclamdown"),
    ('¿', "textquestiondown"),
    ('–', "textendash"),
    ('—', "textemdash"),
    ('‘', "textquoteleft"),
    ('’', "textquoteright"),
    ('“', "textquotedblleft"),
    ('”', "textquotedblright"),
    ('…', "textellipsis"),
    ('\u{a0}', " "),
    ('\u{202f}', ","),
    ('\u{2009}', ","),
    ('\t', " "),
    ('\n', " "),
    ('\r', " "),
    ('\u{2011}', "mbox{-}"),
];

/// Signs that are set as mathematics, also those that text takes from a font that not every LaTeX has as outlines.
const MATHS: [(char, &str); 58] = [
    ('\\', "\\backslash"),
    ('{', "\\lbrace"),
    ('}', "\\rbrace"),
    ('<', "<"),
    ('>', ">"),
    ('|', "\\vert"),
    ('$', "\\mathdollar"),
    ('•', "\\bullet"),
    ('·', "\\cdot"),
    ('§', "\\mathsection"),
    ('¶', "\\mathparagraph"),
    ('†', "\\dagger"),
    ('‡', "\\ddagger"),
    ('£', "\\mathsterling"),
    ('µ', "\\mu"),
    ('×', "\\times"),
    ('÷', "\\div"),
    ('±', "\\pm"),
    ('¬', "\\neg"),
    ('°', "^\\circ"),
    ('−', "-"),
    ('≤', "\\leq"),
    ('≥', "\\geq"),
    ('≠', "\\neq"),
    ('≈', "\\approx"),
    ('→', "\\rightarrow"),
    ('←', "\\leftarrow"),
    ('↑', "\\uparrow"),
    ('↓', "\\downarrow"),
    ('∞', "\\infty"),
    ('∑', "\\sum"),
    ('√', "\\surd"),
    ('∈', "\\in"),
    ('α', "\\alpha"),
    ('β', "\\beta"),
    ('γ', "\\gamma"),
    ('δ', "\\delta"),
    ('ε', "\\varepsilon"),
    ('ζ', "\\zeta"),
    ('η', "\\eta"),
    ('θ', "\\theta"),
    ('ι', "\\iota"),
    ('κ', "\\kappa"),
    ('λ', "\\lambda"),
    ('μ', "\\mu"),
    ('ν', "\\nu"),
    ('ξ', "\\xi"),
    ('π', "\\pi"),
    ('ρ', "\\rho"),
    ('σ', "\\sigma"),
    ('τ', "\\tau"),
    ('φ', "\\varphi"),
    ('χ', "\\chi"),
    ('ψ', "\\psi"),
    ('ω', "\\omega"),
    ('Δ', "\\Delta"),
    ('Σ', "\\Sigma"),
    ('Ω', "\\Omega"),
];

/// Runs of letters without a form of their own that are longer are not spelt out.
const SPELT_OUT: usize = 2;

/// A text as LaTeX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latex {
    /// Printable ASCII.
    pub code: String,
    /// About how many characters wide it is when set.
    pub width: usize,
    /// Runs of letters that had to be written as numbers.
    pub foreign: Vec<String>,
}

/// A text in LaTeX: accented Latin letters by accents, mathematical and Greek ones as mathematics,
/// all others as `[U+05D0]`; line breaks and tabs as blanks.
#[must_use]
pub fn latex(text: &str) -> Latex {
    set(text, Latex::spell_out)
}

/// The same with a question mark in the place of every run of letters without a form of their own: no wider than the text.
#[must_use]
pub fn brief(text: &str) -> Latex {
    set(text, Latex::leave_out)
}

fn set(text: &str, put: impl Fn(&mut Latex, &mut String)) -> Latex {
    let mut out = Latex { code: String::new(), width: 0, foreign: Vec::new() };
    let mut foreign = String::new();
    let mut last = ' ';
    // A line that ends with two characters ends once.
    let text = text.replace("\r\n", "\n");
    for c in text.chars() {
        let Some(code) = letter(c, last) else {
            foreign.push(c);
            last = c;
            continue;
        };
        put(&mut out, &mut foreign);
        out.code.push_str(&code);
        out.width += if c == '"' { 2 } else { 1 };
        last = c;
    }
    put(&mut out, &mut foreign);
    out
}

/// One character after another, if it can be set.
fn letter(c: char, last: char) -> Option<String> {
    Some(match c {
        // At the ends and after another one, a blank would be lost.
        ' ' if last == ' ' || last.is_control() => "\\ ".to_owned(),
        // Two of these would become one of another kind.
        '-' | '\'' | ',' if c == last => format!("{{}}{c}"),
        '"' => "{''}".to_owned(),
        '`' => "\\`{}".to_owned(),
        '&' | '#' | '_' | '%' => format!("\\{c}"),
        _ => {
            if let Some((_, name)) = NAMED.iter().find(|(own, _)| *own == c) {
                return Some(if name.ends_with(|e: char| e.is_ascii_alphabetic()) { format!("\\{name}{{}}") } else { format!("\\{name}") });
            }
            if let Some((_, maths)) = MATHS.iter().find(|(own, _)| *own == c) {
                return Some(format!("${maths}$"));
            }
            if c == '©' {
                return Some("(c)".to_owned());
            }
            if c == ' ' || c.is_ascii_graphic() {
                return Some(c.to_string());
            }
            return accented(c).or_else(|| small_digit(c));
        }
    })
}

fn accented(c: char) -> Option<String> {
    ACCENTS.iter().find_map(|(accent, pairs)| {
        let mut pairs = pairs.chars();
        while let (Some(whole), Some(base)) = (pairs.next(), pairs.next()) {
            if whole == c {
                // Above these two, the dot makes way.
                let base = match base {
                    'i' | 'j' => format!("\\{base}"),
                    _ => base.to_string(),
                };
                return Some(format!("\\{accent}{{{base}}}"));
            }
        }
        None
    })
}

/// Digits above and below the line.
fn small_digit(c: char) -> Option<String> {
    let digit = match c {
        '₀'..='₉' => format!("_{}", u32::from(c) - u32::from('₀')),
        '⁰' | '⁴'..='⁹' => format!("^{}", u32::from(c) - u32::from('⁰')),
        '¹' => "^1".to_owned(),
        '²' => "^2".to_owned(),
        '³' => "^3".to_owned(),
        _ => return None,
    };
    Some(format!("${digit}$"))
}

impl Latex {
    /// Writes a run of letters without a form of their own: the first ones, and how many more.
    fn spell_out(&mut self, run: &mut String) {
        let run = std::mem::take(run);
        let count = run.chars().count();
        if count == 0 {
            return;
        }
        let before = self.code.len();
        let spelt = if count > SPELT_OUT { 1 } else { count };
        self.code.push_str("[U+");
        for (i, c) in run.chars().take(spelt).enumerate() {
            // Writing to memory does not fail.
            let _ = write!(self.code, "{}{:04X}", if i == 0 { "" } else { " " }, u32::from(c));
        }
        if count > spelt {
            let _ = write!(self.code, " +{}", count - spelt);
        }
        self.code.push(']');
        self.width += self.code.len() - before;
        self.note(run);
    }

    /// Writes a sign in the place of such a run.
    fn leave_out(&mut self, run: &mut String) {
        if !run.is_empty() {
            self.code.push('?');
            self.width += 1;
            self.note(std::mem::take(run));
        }
    }

    fn note(&mut self, run: String) {
        if !self.foreign.contains(&run) {
            self.foreign.push(run);
        }
    }
}
