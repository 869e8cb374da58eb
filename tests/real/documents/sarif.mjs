// Validates SARIF documents against the schema that its standard publishes, as Microsoft's matchers for SARIF ship it.
//
// usage: node sarif.mjs MODULES FILE…
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [modules, ...files] = process.argv.slice(2);
const require = createRequire(join(resolve(modules), "package.json"));
const Ajv = require("ajv");
const ajv = new Ajv({ allErrors: true, schemaId: "auto" });
for (const draft of ["draft-04", "draft-06"]) ajv.addMetaSchema(require(`ajv/lib/refs/json-schema-${draft}.json`));
const valid = ajv.compile(require("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"));

let failed = 0;
for (const file of files) {
  const document = JSON.parse(readFileSync(file, "utf8"));
  const holds = valid(document) && document.runs[0].results.length > 0;
  if (!holds) failed += 1;
  console.log(`${holds ? "ok  " : "FAIL"}  ${file} is SARIF 2.1.0 with ${document.runs[0].results.length} results`);
  for (const error of valid.errors ?? []) console.log(`    ${error.dataPath}: ${error.message}`);
}
// A validator that accepts everything would pass as well.
const broken = JSON.parse(readFileSync(files[0], "utf8"));
broken.runs[0].results[0].level = "fatal";
if (valid(broken)) {
  console.log("FAIL  a level that SARIF does not know is accepted");
  failed += 1;
}
console.log(`${files.length + 1 - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 && files.length > 0 ? 0 : 1;
