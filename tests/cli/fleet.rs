//! Several servers: in the order of the file, measured together, gated by one run from many captures.

use crate::place::Place;

fn fleet() -> Place {
    let place = Place::new();
    place.budgets(&["slow", "quick", "third"]);
    for name in ["slow", "quick", "third"] {
        place.lists(&format!("{name}.txt"), r#"{"name":"ok"}"#);
    }
    place
}

#[test]
fn servers_stand_in_the_order_of_the_file_however_long_each_takes() {
    let mut place = fleet();
    place.scenario("slow.txt", "sleep 400\ninitialize\nlist");
    assert_eq!(place.run("check").code, Some(0));
    assert_eq!(place.run("report").code, Some(0));
    assert_eq!(place.run("check --server third --server slow --jobs 1").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn captures_of_many_jobs_are_gated_by_one() {
    let mut place = fleet();
    for name in ["slow", "quick", "third"] {
        assert_eq!(place.run(&format!("capture --server {name} -o {name}.json")).code, Some(0));
    }
    let launched = place.launches("quick.txt");
    assert_eq!(place.run("check --from third.json --from quick.json --from slow.json").code, Some(0));
    assert_eq!(place.run("check --from slow.json --from quick.json").code, Some(3));
    assert_eq!(place.run("check --from slow.json --server slow").code, Some(0));
    assert_eq!(place.run("check --from slow.json --from slow.json").code, Some(2));
    assert_eq!(place.run("pin --from slow.json --from quick.json").code, Some(3));
    assert_eq!(place.launches("quick.txt"), launched);
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn what_a_source_leaves_out_of_the_file_is_said() {
    let mut place = fleet();
    assert_eq!(place.run("capture --server slow -o slow.json").code, Some(0));
    for source in ["--from slow.json --name slow", "--name slow -- scripted slow.txt"] {
        let ran = place.run(&format!("check {source}"));
        assert_eq!(ran.code, Some(0), "{source}");
        assert_eq!(
            ran.stderr, "note: not in question here, and so neither measured nor held: quick, third\n",
            "{source}"
        );
        assert_eq!(place.run(&format!("check --quiet {source}")).stderr, "", "{source}");
    }
    for chosen in ["check --server slow", "check --from slow.json --server slow"] {
        assert_eq!(place.run(chosen).stderr, "", "{chosen}");
    }
}

#[test]
fn a_capture_that_was_made_in_another_way_is_no_measurement_of_its_entry() {
    let mut place = Place::new();
    place.budgets(&["one"]);
    place.lists("one.txt", r#"{"name":"ok"}"#);
    let as_asked = place.read("budgets.toml");
    assert_eq!(place.run("capture --server one -o one.json").code, Some(0));
    assert_eq!(place.run("capture --server one --capability roots -o roots.json").code, Some(0));
    let with = |line: &str| as_asked.replace("command =", &format!("{line}\ncommand ="));
    // As a server that is gated by what was captured of it, and as one whose definitions come from that file.
    assert_eq!(place.run("check --from roots.json").code, Some(3));
    assert_eq!(place.run("pin --from roots.json").code, Some(3));
    place.write("budgets.toml", with("capabilities = [\"roots\"]"));
    assert_eq!(place.run("check --from roots.json").code, Some(0));
    assert_eq!(place.run("check --from one.json").code, Some(3));
    place.write("budgets.toml", with("protocol = \"2025-06-18\""));
    assert_eq!(place.run("check --from one.json").code, Some(3));
    let from_file = as_asked.lines().map(|line| match line.split_once(" = ") {
        Some(("command", _)) => "from = \"one.json\"\n".to_owned(),
        Some(("args", _)) => String::new(),
        _ => format!("{line}\n"),
    });
    place.write("budgets.toml", from_file.collect::<String>());
    assert_eq!(place.run("check").code, Some(0));
    assert_eq!(place.run("check --capability roots").code, Some(3));
    assert_eq!(place.run("check --from one.json --capability roots").code, Some(2));
    // Another command is told; which of them is right, the file cannot say.
    place.write("budgets.toml", as_asked.replace("one.txt", "two.txt"));
    assert_eq!(place.run("check --from one.json").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn the_same_launch_and_the_same_preparation_run_once() {
    let mut place = Place::new();
    place.budgets(&["one"]);
    let one = place.read("budgets.toml");
    let entry = one.split_once("\n\n").unwrap().1.replace("command", "prepare = [\"scripted\", \"prepare\"]\ncommand");
    let (first, second) = (entry.clone(), entry.replace("servers.one", "servers.two"));
    place.write("budgets.toml", format!("{}{first}\n{second}", crate::place::ESTIMATOR));
    place.scenario("prepare", "stderr building");
    place.lists("one.txt", r#"{"name":"ok"}"#);
    assert_eq!(place.run("check").code, Some(0));
    assert_eq!((place.launches("prepare"), place.launches("one.txt")), (1, 1));
    insta::assert_snapshot!(place.transcript());
}
