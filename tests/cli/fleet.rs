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
