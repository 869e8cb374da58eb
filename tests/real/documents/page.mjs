// Opens the pages of `--format html` in a real browser: do they load, sort, search and open, can a keyboard reach
// everything, does axe-core find nothing, and does nothing that a server wrote run or ask for anything?
//
// usage: node page.mjs MODULES PAGES SHOTS BROWSER
// The folders of node_modules, of the pages, and for the screenshots; the program of the browser.
import { createRequire } from "node:module";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, pages, shots, browserPath] = process.argv.slice(2).map((path) => resolve(path));
const require = createRequire(join(modules, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
mkdirSync(shots, { recursive: true });

let passed = 0;
let failed = 0;
function check(sentence, holds, seen = "") {
  if (holds) passed += 1;
  else failed += 1;
  console.log(`${holds ? "ok  " : "FAIL"}  ${sentence}${holds ? "" : `: ${seen}`}`);
}

// The page's own policy allows no script of others, so axe-core runs in a context that is told to pass it over.
async function open(browser, name, { colorScheme = "light", bypassCSP = false } = {}) {
  const context = await browser.newContext({ colorScheme, bypassCSP, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const said = [];
  const asked = [];
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("dialog", (dialog) => { said.push(`dialog: ${dialog.message()}`); return dialog.dismiss(); });
  const address = pathToFileURL(join(pages, name)).href;
  page.on("request", (request) => { if (request.url() !== address && request.url() !== "data:,") asked.push(request.url()); });
  await page.goto(address);
  return { context, page, said, asked };
}

const names = (page) => page.$$eval("#tools tbody td.name button", (buttons) => buttons.map((button) => button.textContent));
const heads = (page) => page.locator("#tools thead button");

async function behaviour(browser) {
  const { context, page, said, asked } = await open(browser, "500.html");
  check("500 tools are listed", (await names(page)).length === 500, (await names(page)).length);
  check("the verdict is the first thing that is said", (await page.textContent("#verdict")) === "1 refused, 1 not measured, 1 inside the budgets", await page.textContent("#verdict"));

  const costs = () => page.$$eval("#tools tbody tr:not(.opened)", (rows) => rows.map((row) => Number(row.cells[2].textContent.replace(/\D/g, ""))));
  const falling = (numbers) => numbers.every((number, place) => place === 0 || numbers[place - 1] >= number);
  check("the most expensive tool stands first", falling(await costs()));

  const times = await page.evaluate(() => [...document.querySelectorAll("#tools thead button")].map((button) => {
    const began = performance.now();
    button.click();
    document.getElementById("tools").getBoundingClientRect();
    return performance.now() - began;
  }));
  const typical = times.sort((one, other) => one - other)[Math.floor(times.length / 2)];
  check(`500 tools are sorted and laid out in under 100 ms (${typical.toFixed(1)} ms)`, typical < 100, times);
  await heads(page).first().click();
  const sorted = await names(page);
  check("they are sorted by name on demand", sorted.every((name, place) => place === 0 || sorted[place - 1] <= name));
  check("the sorted column is announced", (await page.getAttribute("#tools thead th", "aria-sort")) === "ascending");

  await page.fill("#search", "ISSUES_321");
  check("a search keeps what it finds", (await names(page)).join() === "issues_321", await names(page));
  check("a search says how much it found", (await page.textContent("#found")) === "1 of 500 tools", await page.textContent("#found"));
  await page.locator("#tools tbody button").press("Enter");
  const opened = await page.textContent("tr.opened");
  check("a tool opens by keyboard and shows its description and arguments",
    ["Does the issues thing number 321.", "integer | null", "array of string", "What to look for", "~"].every((words) => opened.includes(words)), opened);
  check("the button says that it is open", (await page.getAttribute("#tools tbody button", "aria-expanded")) === "true");
  await page.screenshot({ path: join(shots, "tool.png") });
  await page.locator("#tools tbody button").press("Enter");
  check("a tool closes again", (await page.locator("tr.opened").count()) === 0);
  await page.fill("#search", "nothing of that kind");
  check("a search may find nothing", (await names(page)).length === 0);
  await page.fill("#search", "");

  await page.locator("#map g").first().click();
  check("a tile of the treemap opens its tool", (await page.locator("tr.opened").count()) === 1);
  const tiles = await page.$$eval("#map .tool", (tiles) => tiles.reduce((sum, tile) => sum + tile.width.baseVal.value * tile.height.baseVal.value, 0));
  const map = await page.$eval("#map", (map) => map.clientWidth * map.clientHeight);
  check("the tiles fill the treemap", Math.abs(tiles / map - 1) < 0.01, `${tiles} of ${map}`);
  const legend = await page.$$eval("#legend li", (lines) => lines.map((line) => Number(line.textContent.split("~")[1].split(", ")[0].replace(/\D/g, ""))));
  const whole = (await costs()).reduce((sum, cost) => sum + cost, 0);
  check("the floor by field adds up to the floor", legend.length === 5 && legend.reduce((sum, cost) => sum + cost, 0) === whole, `${legend} of ${whole}`);
  await page.setViewportSize({ width: 20, height: 900 });
  await page.waitForFunction(() => document.querySelectorAll("#map rect").length === 0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.waitForFunction(() => document.querySelectorAll("#map .tool").length === 500);
  check("nothing was said on the console", said.length === 0, said.join("\n"));
  check("nothing was asked for", asked.length === 0, asked.join("\n"));
  await context.close();
}

// A tile with room for them is parted by its fields, in proportion, and a hover says what a part is.
async function fields(browser) {
  const { context, page } = await open(browser, "one.html");
  const tile = await page.$eval("#map > g", (tile) => {
    const area = (rect) => rect.width.baseVal.value * rect.height.baseVal.value;
    return { whole: area(tile.querySelector(".tool")), parts: [...tile.querySelectorAll(".field")].map(area), titles: [...tile.querySelectorAll("g > title")].map((title) => title.textContent) };
  });
  const parts = tile.parts.reduce((sum, part) => sum + part, 0);
  check("a tile is parted by its fields", tile.parts.length === 2 && parts < tile.whole && parts > 0.8 * tile.whole, JSON.stringify(tile));
  check("the parts are in proportion", Math.abs(tile.parts[1] / parts - 61 / 240) < 0.01, JSON.stringify(tile));
  check("a part says what it is", tile.titles.includes("search_notes, description: ~61 tokens, 25.4% of the tool"), tile.titles.join("\n"));
  await context.close();
}

async function comparison(browser) {
  const { context, page, said } = await open(browser, "compared.html");
  const text = await page.textContent("#servers");
  for (const words of ["BUDGET_RAISED_UNJUSTIFIED refused: ", "raised has a reason: ", "GATE_LOOSENED refused: ", "This change: +100 tokens, 2 tools", "FLOOR_BUDGET_EXCEEDED: inherited, +0 here", "another version: "])
    check(`a comparison says "${words}"`, text.includes(words), text);
  const titles = await heads(page).allTextContents();
  check("the table has both changes", ["since the last pin", "this change"].every((title) => titles.includes(title)), titles.join());
  check("nothing was said on the console of a comparison", said.length === 0, said.join("\n"));
  await context.close();
  const { context: other, page: alone } = await open(browser, "one.html");
  check("a page that compares nothing has no such column", !(await heads(alone).allTextContents()).includes("this change"));
  await other.close();
}

// What README.md shows: fixtures/samples/page.png is this picture.
async function sample(browser) {
  const { context, page, said } = await open(browser, "sample.html");
  await page.setViewportSize({ width: 1100, height: 1570 });
  await page.waitForFunction(() => document.querySelectorAll("#map .tool").length === 6);
  await page.waitForTimeout(200);
  check("the sample says nothing on the console", said.length === 0, said.join("\n"));
  await page.screenshot({ path: join(shots, "sample.png") });
  await context.close();
}

async function keyboard(browser) {
  const { context, page } = await open(browser, "one.html");
  const controls = await page.$$eval("button, input, a[href], select, [tabindex='0']", (all) => all.map((control, place) => { control.dataset.place = place; return place; }));
  const reached = new Set();
  for (let pressed = 0; pressed <= controls.length; pressed += 1) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => Number(document.activeElement.dataset.place ?? -1)));
  }
  const missed = controls.filter((place) => !reached.has(place));
  check(`Tab reaches every one of ${controls.length} controls`, controls.length > 10 && missed.length === 0, missed.join());
  await context.close();
}

async function accessibility(browser) {
  for (const name of ["one.html", "500.html", "hostile.html", "compared.html"]) {
    for (const colorScheme of ["light", "dark"]) {
      const { context, page } = await open(browser, name, { colorScheme, bypassCSP: true });
      await page.screenshot({ path: join(shots, `${name.replace(".html", "")}-${colorScheme}.png`) });
      await page.locator("#tools tbody button").first().click();
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const told = violations.map((found) => `${found.id} (${found.nodes.length}): ${found.help} ${found.nodes[0].html.slice(0, 200)}`);
      check(`axe-core finds nothing on ${name}, ${colorScheme}`, told.length === 0, told.join("\n"));
      await context.close();
    }
  }
  for (const name of ["500.html", "hostile.html", "compared.html"]) {
    for (const width of [360, 400]) {
      const { context, page } = await open(browser, name);
      await page.setViewportSize({ width, height: 780 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      check(`${name} on a telephone of ${width} px scrolls in one direction`, wide <= 0, `${wide} px too wide`);
      await page.screenshot({ path: join(shots, `${name.replace(".html", "")}-${width}.png`) });
      await context.close();
    }
  }
}

async function hostility(browser) {
  const { context, page, said, asked } = await open(browser, "hostile.html");
  const stopped = [];
  page.on("requestfailed", (request) => stopped.push(`${request.url()}: ${request.failure().errorText}`));
  for (const button of await page.locator("#tools tbody td.name button").all()) await button.click();
  check("nothing that a server wrote asks for anything", asked.length === 0, asked.join("\n"));
  check("no markup of a server becomes an element", (await page.locator("img, iframe, a, script:not([id='data'])").count()) === 1);
  check("no script of a server runs", (await page.title()) === "mcp-footprint", await page.title());
  check("markup is shown as the text that it is", (await page.textContent("tr.opened .words")).length > 0 && (await page.textContent("main")).includes("<img src=x onerror"));
  // What the policy is worth when the page itself were wrong.
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'owned'";
    document.body.append(script);
    document.body.append(Object.assign(document.createElement("img"), { src: "http://127.0.0.1:9/x" }));
  });
  await page.waitForTimeout(200);
  check("the policy stops a script that was put in", (await page.title()) === "mcp-footprint", await page.title());
  check("the policy stops a request", asked.length === 1 && stopped.join() === "http://127.0.0.1:9/x: csp", `${asked}, ${stopped}`);
  check("only the policy spoke on the console", said.length > 0 && said.every((line) => line.includes("Content Security Policy")), said.join("\n"));
  await context.close();
}

const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
try {
  for (const part of [behaviour, fields, comparison, sample, keyboard, accessibility, hostility]) await part(browser);
} finally {
  await browser.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
