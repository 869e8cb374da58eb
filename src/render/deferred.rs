//! Deferral in words: what of a server is sent late, and what its floor would be with everything sent. The same for every
//! format that people read.

use super::look::count;
use crate::report::Measurement;

/// Which tools are deferred at what cost, and both floors; `None` where the server has no `defer`. No text of a server.
pub(super) fn sentence(measurement: &Measurement) -> Option<String> {
    let deferred = measurement.deferred.as_ref()?;
    let everything = deferred.everything;
    if deferred.frame.is_none() {
        return Some(format!("no tool; the floor is everything sent, {everything} tokens"));
    }
    let tools = count(measurement.totals.tools, "tool");
    Some(format!(
        "{} of {tools}, as lines of {} tokens in a frame of {}: floor {} tokens, with everything sent {everything}; the \
         client's lookup tool, {} tokens, is in neither",
        deferred.tools(),
        deferred.line_tokens(),
        deferred.frame_tokens(),
        measurement.totals.floor,
        deferred.lookup_tool,
    ))
}
