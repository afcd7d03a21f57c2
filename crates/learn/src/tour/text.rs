//! What a tour says: paragraphs of words, bold words and rules.
//!
//! Depends on serde, and on `trace` for the rules. Invariant: nothing else is markup, so a text comes out as it was
//! written.

use serde::{Deserialize, Serialize};

use blockstep_sim::trace::Rule;

/// A paragraph.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paragraph(pub Vec<ParagraphPiece>);

/// A part of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParagraphPiece {
    /// Plain text.
    Text(String),
    /// Words that stand out.
    Bold(String),
    /// A rule, shown as its chip.
    Rule(Rule),
}

/// Why a text is no paragraph. The sentence goes on after the name of its field.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParagraphError {
    #[error("has a ** without an end")]
    OpenBold,
    #[error("names a rule [{0}], which there is not")]
    NoRule(String),
}

impl Paragraph {
    /// Reads `Only the head of a queue is **served** [X1].`
    ///
    /// # Errors
    /// If what stands in brackets looks like a rule and is none, or `**` has no end.
    pub fn read(text: &str) -> Result<Self, ParagraphError> {
        if text.split("**").count().is_multiple_of(2) {
            return Err(ParagraphError::OpenBold);
        }
        let mut pieces = Vec::new();
        for (i, part) in text.split("**").enumerate() {
            if i % 2 == 1 {
                pieces.push(ParagraphPiece::Bold(part.to_owned()));
                continue;
            }
            let mut rest = part;
            while let Some((start, id)) = find_rule(rest) {
                let rule = Rule::ALL.into_iter().find(|r| r.id() == id).ok_or_else(|| ParagraphError::NoRule(id.to_owned()))?;
                if start > 0 {
                    pieces.push(ParagraphPiece::Text(rest[..start].to_owned()));
                }
                pieces.push(ParagraphPiece::Rule(rule));
                rest = &rest[start + id.len() + 2..];
            }
            if !rest.is_empty() {
                pieces.push(ParagraphPiece::Text(rest.to_owned()));
            }
        }
        Ok(Self(pieces))
    }

    /// The words alone, rules by their ids.
    #[must_use]
    pub fn plain(&self) -> String {
        let word = |piece: &ParagraphPiece| match piece {
            ParagraphPiece::Text(text) | ParagraphPiece::Bold(text) => text.clone(),
            ParagraphPiece::Rule(rule) => rule.id().to_owned(),
        };
        self.0.iter().map(word).collect()
    }
}

/// Where the first `[X1]` begins, and what stands in it: a capital letter, then digits.
fn find_rule(text: &str) -> Option<(usize, &str)> {
    text.match_indices('[').find_map(|(start, _)| {
        let id = text[start + 1..].split_once(']')?.0;
        let digits = id.strip_prefix(|c: char| c.is_ascii_uppercase())?;
        (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some((start, id))
    })
}
