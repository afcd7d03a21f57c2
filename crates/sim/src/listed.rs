//! Enums whose values are listed, and spelled in files, links and menus.

/// Declares an enum with its list `ALL`, in the order of its values; with the names of two functions, also
/// the spelling of a value, and the value of a spelling.
///
/// # Examples
/// ```
/// blockstep_sim::listed! {
///     /// A side.
///     #[derive(Clone, Copy, Debug, PartialEq)]
///     pub enum Side(word, from_word) {
///         /// Where the thumb is right.
///         Left = "left",
///         /// The other.
///         Right = "right",
///     }
/// }
///
/// assert_eq!(Side::ALL.map(Side::word), ["left", "right"]);
/// assert_eq!(Side::from_word("right"), Some(Side::Right));
/// ```
#[macro_export]
macro_rules! listed {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$of:meta])* $value:ident),* $(,)? }) => {
        $(#[$about])*
        pub enum $name { $($(#[$of])* $value),* }

        impl $name {
            /// Every value, in the order of lists.
            pub const ALL: [Self; [$(stringify!($value)),*].len()] = [$(Self::$value),*];
        }
    };
    ($(#[$about:meta])* pub enum $name:ident($word:ident, $from_word:ident) { $($(#[$of:meta])* $value:ident = $text:literal),* $(,)? }) => {
        $crate::listed! { $(#[$about])* pub enum $name { $($(#[$of])* $value),* } }

        impl $name {
            /// Its spelling in files and links.
            #[must_use]
            pub const fn $word(self) -> &'static str {
                match self { $(Self::$value => $text),* }
            }

            /// The value with this spelling.
            #[must_use]
            pub fn $from_word(text: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.$word() == text)
            }
        }
    };
}
