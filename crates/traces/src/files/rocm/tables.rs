//! rocpd, the database of rocprofv3. Each process has tables of its own, whose names end alike.
//!
//! Source: `rocpd_tables.sql` of schema 3, and how `generateRocpd.cpp` fills it. The number that joins an operation with its call is the
//! `stack_id` of its event, and the call that another one was made in is its `parent_stack_id`; `correlation_id` has what the program gave.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::Deserialize;

use super::super::database::{Progress, SelectedRow, Tables, quoted};
use super::super::json::Scalar;
use super::super::{ProfileError, spans};
use super::{Agent, Copied, Kernel, Numbers, Process, check_names, is_of_hip, kernel_name, way};
use crate::build::{Builder, FoundCall, FoundSpan, NO_TIME};
use crate::{ProfilerSource, Recording};

/// Tables by which a process is found.
const ACTIVITIES: [&str; 3] = ["rocpd_kernel_dispatch", "rocpd_memory_copy", "rocpd_region"];

/// Reads a database; `None` if there is no operation of a device in it.
pub(in super::super) fn read(tables: &Tables<'_>, mut progress: Progress<'_>) -> Result<Option<Recording>, ProfileError> {
    let of_process = |table: &String| ACTIVITIES.iter().find_map(|start| table.strip_prefix(start)).map(str::to_owned);
    let ends: BTreeSet<String> = tables.columns.keys().filter_map(of_process).collect();
    // Schema 4, which rocprofiler-sdk has in the making, has times in a table of their own.
    if ends.iter().any(|end| ACTIVITIES.iter().any(|start| tables.has(&format!("{start}{end}"), "start_id"))) {
        return Err(ProfileError::LaterSchema);
    }
    let (mut builder, mut numbers) = (Builder::new(ProfilerSource::Rocprof), Numbers::default());
    for end in ends {
        let mut found = Found {
            tables,
            end,
            progress: &mut progress,
            builder: &mut builder,
            process: Process::default(),
            strings: BTreeMap::new(),
            string_bytes: 0,
            ranges: Vec::new(),
        };
        found.read()?;
        let Found { process, ranges, .. } = found;
        let number = process.add_to(&mut builder, &mut numbers);
        for range in ranges {
            builder.add_span(FoundSpan { process: number, ..range });
        }
    }
    Ok(builder.finish())
}

/// What is put together of a process.
struct Found<'f, 'w> {
    tables: &'f Tables<'f>,
    /// How the names of its tables end.
    end: String,
    progress: &'f mut Progress<'w>,
    builder: &'f mut Builder,
    process: Process,
    /// Strings of the file by id.
    strings: BTreeMap<i64, Rc<str>>,
    string_bytes: u64,
    ranges: Vec<FoundSpan>,
}

/// What an agent's further data says.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'e"))]
struct Extended<'e> {
    cu_count: Scalar<'e>,
    message: Scalar<'e>,
}

/// A text of the file that is JSON; what it lacks is missing.
fn extended(text: Option<&str>) -> Extended<'_> {
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

type EachRow<'r, 'f, 'w> = &'r mut dyn FnMut(&SelectedRow<'_>, &mut Found<'f, 'w>) -> Result<(), ProfileError>;

impl<'f, 'w> Found<'f, 'w> {
    fn read(&mut self) -> Result<(), ProfileError> {
        self.rows("info_process", &["pid", "nid"], &[], &mut |cells, found| {
            (found.process.pid, found.process.machine) = (cells.number(0).unwrap_or(0), cells.number(1).unwrap_or(0));
            Ok(())
        })?;
        self.agents()?;
        self.kernels()?;
        self.copies()?;
        self.regions()
    }

    fn table(&self, name: &str) -> String {
        format!("rocpd_{name}{}", self.end)
    }

    /// Every row of a table, if it is there, and of its event; columns that they lack are NULL.
    fn rows(&mut self, name: &str, columns: &[&str], of_event: &[&str], row: EachRow<'_, 'f, 'w>) -> Result<(), ProfileError> {
        let (table, event, tables) = (self.table(name), self.table("event"), self.tables);
        if !tables.columns.contains_key(&table) {
            return Ok(());
        }
        let mut query = format!("SELECT {}", tables.asked(&table, "of.", columns));
        let is_joined = !of_event.is_empty() && tables.has(&table, "event_id") && tables.has(&event, "id");
        match is_joined {
            true => query.push_str(&format!(", {}", tables.asked(&event, "event.", of_event))),
            false => of_event.iter().for_each(|_| query.push_str(", NULL")),
        }
        query.push_str(&format!(" FROM {} AS of", quoted(&table)));
        if is_joined {
            query.push_str(&format!(" LEFT JOIN {} AS event ON event.id = of.event_id", quoted(&event)));
        }
        tables.each(&query, &mut |cells| {
            let entries = self.builder.entries() + self.process.entries() + self.ranges.len() + self.strings.len();
            self.progress.step(entries)?;
            row(cells, self)
        })?;
        Ok(())
    }

    fn agents(&mut self) -> Result<(), ProfileError> {
        let columns = ["id", "type", "absolute_index", "type_index", "name", "product_name", "extdata"];
        self.rows("info_agent", &columns, &[], &mut |cells, found| {
            let Some(id) = cells.number(0) else { return Ok(()) };
            let named = cells.text(5).filter(|name| !name.trim().is_empty()).or_else(|| cells.text(4));
            let agent = Agent {
                is_gpu: cells.text(1).is_some_and(|kind| kind == "GPU"),
                node: cells.number(2).unwrap_or(id),
                place: cells.number(3),
                name: named,
                compute_units: extended(cells.text(6).as_deref()).cu_count.small(),
            };
            found.process.add_agent(id, agent)
        })
    }

    fn kernels(&mut self) -> Result<(), ProfileError> {
        let columns = [
            "start",
            "end",
            "agent_id",
            "queue_id",
            "stream_id",
            "kernel_id",
            "grid_size_x",
            "grid_size_y",
            "grid_size_z",
            "workgroup_size_x",
            "workgroup_size_y",
            "workgroup_size_z",
            "group_segment_size",
        ];
        let mut symbols: BTreeMap<i64, (u32, u32)> = BTreeMap::new();
        self.rows("kernel_dispatch", &columns, &["stack_id"], &mut |cells, found| {
            let id = cells.integer(5).unwrap_or(-1);
            let (name, registers) = match symbols.get(&id) {
                Some(&symbol) => symbol,
                None => {
                    let symbol = found.symbol(id)?;
                    symbols.insert(id, symbol);
                    symbol
                }
            };
            let three = |place: usize| Some([cells.small(place)?, cells.small(place + 1)?, cells.small(place + 2)?]);
            found.process.kernels.push(Kernel {
                name,
                agent: cells.number(2),
                queue: cells.number(3),
                stream: cells.number(4),
                start: cells.integer(0).unwrap_or(NO_TIME),
                end: cells.integer(1).unwrap_or(NO_TIME),
                correlation: cells.number(13),
                grid: three(6),
                workgroup: three(9),
                registers,
                shared: cells.small(12).unwrap_or(0),
            });
            Ok(())
        })
    }

    /// The name of a kernel and the vector registers of one of its work-items.
    fn symbol(&mut self, id: i64) -> Result<(u32, u32), ProfileError> {
        let (table, tables) = (self.table("info_kernel_symbol"), self.tables);
        let mut names = Vec::new();
        for column in ["display_name", "kernel_name"].into_iter().filter(|column| tables.has(&table, column) && tables.has(&table, "id")) {
            names.extend(tables.text(&table, column, id)?);
        }
        let mut registers = 0;
        if tables.has(&table, "id") {
            let asked = tables.asked(&table, "", &["arch_vgpr_count", "accum_vgpr_count"]);
            tables.each(&format!("SELECT {asked} FROM {} WHERE id = {id} LIMIT 1", quoted(&table)), &mut |cells| {
                registers = cells.small(0).unwrap_or(0).saturating_add(cells.small(1).unwrap_or(0));
                Ok(())
            })?;
        }
        let name = self.builder.add_name(kernel_name(names.iter().map(String::as_str)));
        check_names(self.builder, 0)?;
        Ok((name, registers))
    }

    fn copies(&mut self) -> Result<(), ProfileError> {
        let columns = ["start", "end", "name_id", "dst_agent_id", "src_agent_id", "size", "stream_id"];
        self.rows("memory_copy", &columns, &["stack_id"], &mut |cells, found| {
            let operation = found.string(cells.integer(2))?;
            let (kind, name) = way(&operation);
            found.process.copies.push(Copied {
                name: found.builder.add_name(name),
                kind,
                from: cells.number(4),
                to: cells.number(3),
                stream: cells.number(6),
                start: cells.integer(0).unwrap_or(NO_TIME),
                end: cells.integer(1).unwrap_or(NO_TIME),
                correlation: cells.number(7),
                bytes: cells.number(5),
            });
            Ok(())
        })
    }

    /// Calls, and ranges that the program marked.
    fn regions(&mut self) -> Result<(), ProfileError> {
        let mut threads: BTreeMap<u64, u64> = BTreeMap::new();
        self.rows("info_thread", &["id", "tid"], &[], &mut |cells, found| {
            if threads.len() > found.progress.most {
                return Err(ProfileError::Entries { most: found.progress.most });
            }
            threads.extend(cells.number(0).zip(cells.number(1)));
            Ok(())
        })?;
        let columns = ["start", "end", "tid", "name_id"];
        let of_event = ["stack_id", "parent_stack_id", "category_id", "extdata"];
        self.rows("region", &columns, &of_event, &mut |cells, found| {
            let id = cells.number(2).unwrap_or(0);
            let thread = threads.get(&id).copied().unwrap_or(id);
            let (start, end) = (cells.integer(0).unwrap_or(NO_TIME), cells.integer(1).unwrap_or(NO_TIME));
            let name = found.string(cells.integer(3))?;
            if found.string(cells.integer(6))?.contains("MARKER") {
                return found.range(cells.text(7).as_deref(), (thread, start, end));
            }
            let correlation = cells.number(4).filter(|&id| id != 0);
            if is_of_hip(&name) {
                let name = found.builder.add_name(&name);
                found.process.calls.push(FoundCall { name, process: 0, thread, start, end, correlation });
            } else if let Some((id, outer)) = correlation.zip(cells.number(5)) {
                found.process.ancestors.insert(id, outer);
            }
            check_names(found.builder, 0)
        })
    }

    fn range(&mut self, data: Option<&str>, (thread, start, end): (u64, i64, i64)) -> Result<(), ProfileError> {
        let message = extended(data).message;
        if !message.0.is_empty() {
            let (sort, name) = spans::of_range(&message.0);
            let name = self.builder.add_name(&name);
            self.ranges.push(FoundSpan { sort, name, process: 0, thread, start, end });
        }
        check_names(self.builder, 0)
    }

    /// The string with an id; empty if there is none.
    fn string(&mut self, id: Option<i64>) -> Result<Rc<str>, ProfileError> {
        let table = self.table("string");
        let Some(id) = id.filter(|_| self.tables.has(&table, "id") && self.tables.has(&table, "string")) else {
            return Ok("".into());
        };
        if let Some(text) = self.strings.get(&id) {
            return Ok(Rc::clone(text));
        }
        let text: Rc<str> = self.tables.text(&table, "string", id)?.unwrap_or_default().into();
        self.strings.insert(id, Rc::clone(&text));
        self.string_bytes += text.len() as u64;
        check_names(self.builder, self.string_bytes)?;
        Ok(text)
    }
}
