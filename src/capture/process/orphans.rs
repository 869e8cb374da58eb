//! Linux: who leaves the group of its server loses its parent to us, is found in `/proc`, and is ended too.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::system::wait_for;

/// Makes this process the parent of every orphan among its descendants, also of those that left their group.
pub(in super::super) fn adopt_orphans() {
    // Refused by no kernel since 3.4; without it, orphans go to init as they do elsewhere.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Ends the orphans that were adopted, and gives their names.
pub(in super::super) fn end_adopted(grace: Duration) -> Vec<String> {
    let mut names = Vec::new();
    let start = Instant::now();
    // To end one may orphan the next, so look again until nobody is left.
    while start.elapsed() < grace * 10 {
        let adopted = adopted();
        if adopted.is_empty() {
            break;
        }
        for pid in &adopted {
            names.extend(name(*pid));
            let _ = rustix::process::kill_process(*pid, Signal::TERM);
        }
        let all = adopted.clone();
        wait_for(grace, move || all.iter().for_each(|pid| reap(*pid)));
        for pid in &adopted {
            let _ = rustix::process::kill_process(*pid, Signal::KILL);
        }
        wait_for(grace, move || adopted.iter().for_each(|pid| reap(*pid)));
    }
    names
}

fn reap(pid: Pid) {
    let _ = rustix::process::waitid(WaitId::Pid(pid), WaitIdOptions::EXITED);
}

/// Children that this process did not start. Those that it starts are either leaders of groups, all of them reaped
/// by now, or, outside of this folder, members of its own group.
fn adopted() -> Vec<Pid> {
    let Some(own) = Stat::read("self") else { return Vec::new() };
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let pids: Vec<i32> =
        lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect();
    let left = |pid: &i32| Stat::read(&pid.to_string()).is_some_and(|stat| stat.group != own.group);
    pids.into_iter().filter(left).filter_map(Pid::from_raw).collect()
}

/// The name of a living process.
fn name(pid: Pid) -> Option<String> {
    let stat = Stat::read(&pid.to_string())?;
    (stat.state != "Z").then_some(stat.name)
}

/// What the kernel tells of a process in `/proc/PID/stat`.
///
/// The group is read here and not asked of `getpgid`: in a container that was entered from outside, the leader of
/// the group has no number, the kernel answers 0, and that is no process id.
struct Stat {
    name: String,
    state: String,
    group: i32,
}

impl Stat {
    fn read(pid: &str) -> Option<Self> {
        Self::parse(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// `PID (NAME) STATE PARENT GROUP …`, where NAME may hold spaces and parentheses.
    fn parse(text: &str) -> Option<Self> {
        let (before, after) = text.rsplit_once(')')?;
        let mut fields = after.split_whitespace();
        let (_, name) = before.split_once('(')?;
        Some(Stat { name: name.to_owned(), state: fields.next()?.to_owned(), group: fields.nth(1)?.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::Stat;

    #[test]
    fn a_group_whose_leader_is_outside_of_the_container_is_zero() {
        let stat = Stat::parse("42 (a (b) c) S 7 0 0 0 -1 4194560 1").unwrap();
        assert_eq!((stat.name.as_str(), stat.state.as_str(), stat.group), ("a (b) c", "S", 0));
    }

    #[test]
    fn the_group_of_this_process_is_known() {
        assert!(Stat::read("self").is_some());
    }
}
