//! SQLite in the browser: sql.js, which the build puts beside the worker's script and which is loaded when a database is opened.
//!
//! Invariant: a database is only read, and nothing in it can run. Source: <https://sql.js.org/documentation/>.

use js_sys::{Array, BigInt, Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use blockstep_traces::files::{Cells, Database};

const NO_SQLITE: &str = "the part of this page that reads SQLite could not be loaded; check the connection, then open the file again";

/// A database in memory.
pub(super) struct Base {
    base: JsValue,
    /// How columns are to be read: whole numbers as they are, not rounded to those of JavaScript.
    exact: JsValue,
}

impl Base {
    /// Opens a database of these bytes.
    pub(super) async fn open(bytes: Uint8Array) -> Result<Self, String> {
        let load = function(&js_sys::global(), "openSqlite").ok_or(NO_SQLITE)?;
        let loading: Promise = load.call0(&JsValue::NULL).map_err(|why| said(&why))?.unchecked_into();
        let sql = JsFuture::from(loading).await.map_err(|why| format!("{} ({})", NO_SQLITE, said(&why)))?;
        let constructor = function(&sql, "Database").ok_or(NO_SQLITE)?;
        let base = Reflect::construct(&constructor, &Array::of1(&bytes)).map_err(|why| said(&why))?;
        let exact = Object::new();
        // A new object takes any property.
        let _ = Reflect::set(&exact, &"useBigInt".into(), &JsValue::TRUE);
        let base = Self { base, exact: exact.into() };
        call(&base.base, "run", &["PRAGMA trusted_schema = OFF".into()]).map_err(|why| said(&why))?;
        Ok(base)
    }
}

fn function(of: &JsValue, name: &str) -> Option<Function> {
    Reflect::get(of, &name.into()).ok()?.dyn_into().ok()
}

fn call(of: &JsValue, name: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
    let method = function(of, name).ok_or_else(|| JsValue::from_str(name))?;
    method.apply(of, &arguments.iter().collect())
}

/// What the browser says of a failure.
fn said(why: &JsValue) -> String {
    let message = Reflect::get(why, &"message".into()).ok().and_then(|message| message.as_string());
    message.or_else(|| why.as_string()).unwrap_or_else(|| "the browser does not say why".to_owned())
}

impl Database for Base {
    fn rows(&self, query: &str, row: &mut dyn FnMut(&dyn Cells) -> bool) -> Result<(), String> {
        let mut read = || {
            let statement = call(&self.base, "prepare", &[query.into()])?;
            let mut each = || {
                while call(&statement, "step", &[])?.is_truthy() {
                    let cells: Array = call(&statement, "get", &[JsValue::NULL, self.exact.clone()])?.unchecked_into();
                    if !row(&SqliteRow(cells)) {
                        break;
                    }
                }
                Ok(())
            };
            let outcome = each();
            call(&statement, "free", &[])?;
            outcome
        };
        read().map_err(|why: JsValue| said(&why))
    }
}

struct SqliteRow(Array);

impl Cells for SqliteRow {
    fn integer(&self, place: usize) -> Option<i64> {
        self.0.get(place as u32).dyn_into::<BigInt>().ok().and_then(|n| i64::try_from(n).ok())
    }

    fn text(&self, place: usize) -> Option<String> {
        self.0.get(place as u32).as_string()
    }
}
