//! Nothing but the list of packages in its `Cargo.toml`. Cargo chooses the features of a package anew for each program that it
//! builds. The page and both workers depend on this crate, so they get the same features, and every library is compiled once.
