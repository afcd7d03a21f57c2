//! Dependencies between tasks: who consumes what whose jobs make.
//!
//! Depends on the rest of `scenario`. Invariants: a producer is named once, and nobody waits for itself, not through others either.
//! Source: docs/semantics.md, section 8.

use super::validate::{At, FoundProblems};
use super::{Draft, Task};
use crate::order::Names;
use crate::units::TaskId;

/// Tasks of a cycle that are named after the first.
const MAX_CHAIN: usize = 10;

/// Looks up the producers of every task.
pub(super) fn dependencies(draft: &Draft, tasks: &mut [Task], task_ids: &Names<'_>, found: &mut FoundProblems) {
    // By task: the last one whose producer it is, counted from one.
    let mut named_by = vec![0; tasks.len()];
    for (i, t) in draft.tasks.iter().enumerate() {
        for (j, name) in t.consumes.iter().enumerate() {
            let path = format_args!("tasks[{i}].consumes[{j}]");
            if let Some(producer) = found.resolve(&path, "task", name, task_ids) {
                let producer = TaskId::at(producer);
                if std::mem::replace(&mut named_by[producer.index()], i + 1) == i + 1 {
                    found.add(&path, &format_args!("\"{name}\" is named twice"));
                } else {
                    tasks[i].consumes.push(producer);
                    tasks[producer.index()].consumers.push(TaskId::at(i));
                }
            }
        }
    }
    if let Some(cycle) = cycle(tasks) {
        let first = &tasks[cycle[0]].name;
        let chain: Vec<_> = cycle[1..].iter().take(MAX_CHAIN).map(|&t| format!("{}, which waits for ", tasks[t].name)).collect();
        let left_out = if cycle.len() - 1 > MAX_CHAIN { "… " } else { "" };
        let end = if chain.is_empty() { "itself" } else { first };
        found.add(
            &At { table: "tasks", row: cycle[0], field: "consumes" },
            &format_args!("dependency cycle: {first} waits for {}{left_out}{end}", chain.concat()),
        );
    }
}

/// A chain of tasks that ends where it began, if there is one. Without recursion: chains may be long.
fn cycle(tasks: &[Task]) -> Option<Vec<usize>> {
    let mut done = vec![false; tasks.len()];
    let mut on_path = vec![false; tasks.len()];
    for start in 0..tasks.len() {
        if done[start] {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        on_path[start] = true;
        while let Some((task, next)) = path.last_mut() {
            match tasks[*task].consumes.get(*next) {
                Some(producer) => {
                    *next += 1;
                    let producer = producer.index();
                    if on_path[producer] {
                        return Some(path.iter().map(|&(t, _)| t).skip_while(|&t| t != producer).collect());
                    }
                    if !done[producer] {
                        on_path[producer] = true;
                        path.push((producer, 0));
                    }
                }
                None => {
                    on_path[*task] = false;
                    done[*task] = true;
                    path.pop();
                }
            }
        }
    }
    None
}
