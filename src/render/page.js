// Text comes from servers and is hostile: it only ever becomes textContent. Nothing is fetched and nothing is kept.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const whole = new Intl.NumberFormat("en-US");
  const tokens = (count) => "~" + whole.format(count);
  const signed = (count) => (count > 0 ? "+" : "") + whole.format(count);
  const moved = (count) => (count === null ? "–" : signed(count));
  const share = (part, of) => (of === 0 ? "–" : (100 * part / of).toFixed(1) + "%");
  const plural = (count, noun) => whole.format(count) + " " + noun + (count === 1 ? "" : "s");

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  function table(titles, rows) {
    const cell = (tag) => (content, place) => {
      const made = element(tag, titles[place].number ? { class: "number" } : {}, content);
      if (tag === "th") made.setAttribute("scope", "col");
      else made.setAttribute("dir", "auto");
      return made;
    };
    return element("table", {},
      element("thead", {}, element("tr", {}, ...titles.map((title) => title.title).map(cell("th")))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell("td"))))));
  }

  // One card for each server: what it costs, what the gate says, what wants saying.

  function serverCard(server) {
    const card = element("section", { class: "server" });
    const title = element("h2", { dir: "auto" }, server.title + ": ");
    title.append(element("span", { class: server.verdict === "pass" ? "good" : server.verdict === "measured" ? "soft" : "bad" }, server.verdict));
    card.append(title);
    if (server.error) {
      card.append(element("p", {}, element("code", {}, server.error.code), " ", server.error.message));
      if (server.error.stderr_tail) card.append(element("p", { class: "soft" }, "The last of its standard error:"), element("pre", {}, server.error.stderr_tail));
      return card;
    }
    card.append(element("p", {},
      element("span", { class: "figure" }, tokens(server.floor_tokens)),
      ` tokens on every turn: ${server.size}, ${share(server.floor_tokens, data.context_window)} of a context window of ${whole.format(data.context_window)} tokens. ` +
      `${tokens(server.description_tokens)} of them are descriptions.`));
    if (server.bands.length > 0) card.append(scrolled("The bands of " + server.name, table(
      [{ title: "band" }, { title: "measured", number: true }, { title: "budget", number: true }, { title: "difference", number: true }, { title: "slack", number: true }, { title: "verdict" }],
      server.bands.map((band) => [band.metric, whole.format(band.measured), whole.format(band.budget), signed(band.difference), whole.format(band.slack),
        band.reason ? element("code", { class: "bad" }, band.reason) : element("span", { class: "good" }, "ok")]))));
    if (server.gone.length > 0) card.append(element("p", {}, "Gone since the last pin: " +
      server.gone.map((gone) => `${gone.name} (${signed(gone.tokens)})`).join(", ")));
    if (server.since) card.append(...sinceEarlier(server));
    if (server.savings.length > 0) {
      card.append(element("p", {}, "What grew could save, measured by counting again:"),
        element("ul", {}, ...server.savings.map((saving) => element("li", { dir: "auto" }, saving))));
    }
    for (const way of server.remedies) card.append(element("p", {}, way.purpose), element("pre", {}, way.command));
    if (server.notes.length > 0) card.append(element("ul", {}, ...server.notes.map((note) => element("li", {}, note))));
    return card;
  }

  // What moved since an earlier measurement: the sum, the tools, what else is other, and how much of a refusal it is.

  const MOST_MOVED = 50;

  function sinceEarlier(server) {
    const since = server.since;
    const parts = [element("p", {}, element("strong", {}, "This change: "), since.sum + (since.is_new ? ", not measured before" : ""))];
    const shown = since.tools.slice(0, MOST_MOVED);
    if (shown.length > 0) parts.push(scrolled("What this change moves in " + server.name, table(
      [{ title: since.row }, { title: "change" }, { title: "tokens", number: true }, { title: "of which description", number: true }, { title: "in" }],
      shown.map((tool) => [tool.name, tool.change, movement(tool.tokens), movement(tool.description_tokens), tool.fields]))));
    if (since.tools.length > shown.length) parts.push(element("p", { class: "soft" }, `and ${plural(since.tools.length - shown.length, "more " + since.row)}`));
    const lines = [...since.shares, ...since.facts];
    if (lines.length > 0) parts.push(element("ul", {}, ...lines.map((line) => element("li", { dir: "auto" }, line))));
    return parts;
  }

  const movement = (count) => element("span", count === 0 ? {} : { class: count > 0 ? "bad" : "good" }, signed(count));
  const scrolled = (label, content) => element("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": label }, content);

  // What budgets.toml holds less than at its base.

  function baseCard(base) {
    const card = element("section", { class: "server" });
    const said = base.is_new ? `${base.reference} has no such budgets file, so every budget is new${base.is_new}`
      : base.differences.length === 0 ? `Nothing is raised or loosened since ${base.reference}.` : null;
    if (said) return card.append(element("p", { dir: "auto" }, said)), card;
    if (base.moved_from.length > 0) card.append(element("p", { dir: "auto" }, `${base.reference} has the budgets file as ${base.moved_from.join(" and ")}, which no longer ${base.moved_from.length === 1 ? "holds" : "hold"} it.`));
    card.append(element("h2", { dir: "auto" }, "Raised or loosened since " + base.reference));
    card.append(element("ul", {}, ...base.differences.map((found) => element("li", { dir: "auto" },
      element("code", { class: found.is_refused ? "bad" : "soft" }, found.code), found.is_refused ? " refused: " : " has a reason: ", found.sentence))));
    return card;
  }

  // The tools of all servers are one list of rows; a row is built once and afterwards only moved.

  const measured = data.servers.filter((server) => !server.error);
  const several = measured.length > 1;
  const floor = measured.reduce((sum, server) => sum + server.floor_tokens, 0);
  const rows = measured.flatMap((server, place) => server.tools.map((tool) => ({ tool, server: server.name, group: place })));

  const columns = [
    { title: "tool", rem: 14, grows: true, of: (row) => row.tool.name },
    ...(several ? [{ title: "server", rem: 9, grows: true, of: (row) => row.server }] : []),
    { title: "tokens", rem: 7, number: true, of: (row) => row.tool.tokens, show: tokens },
    { title: "share", rem: 6, number: true, of: (row) => row.tool.tokens, show: (count) => share(count, floor) },
    { title: "description", rem: 8, number: true, of: (row) => row.tool.description_tokens, show: tokens },
    { title: "bytes", rem: 6, number: true, of: (row) => row.tool.bytes, show: (count) => whole.format(count) },
    ...(data.is_gated ? [{ title: "since the last pin", rem: 11, number: true, isMovement: true, of: (row) => row.tool.change, show: moved }] : []),
    ...(measured.some((server) => server.since) ? [{ title: "this change", rem: 8, number: true, isMovement: true, of: (row) => row.tool.since, show: moved }] : []),
  ];

  function toolRow(row) {
    row.line = element("tr", { role: "row" });
    row.button = element("button", { type: "button", "aria-expanded": "false" }, row.tool.name);
    row.button.addEventListener("click", () => toggle(row));
    columns.forEach((column, place) => {
      if (place === 0) return row.line.append(element("td", { role: "cell", class: "name", dir: "auto" }, row.button));
      const value = column.of(row);
      const cell = element("td", column.number ? { role: "cell", class: "number" } : { role: "cell", dir: "auto" }, column.show ? column.show(value) : value);
      if (column.isMovement && value) cell.classList.add(value > 0 ? "bad" : "good");
      row.line.append(cell);
    });
    const tool = row.tool;
    row.words = [tool.name, tool.description, row.server, ...tool.arguments.flatMap((argument) => [argument.name, argument.description])].join("\n").toLowerCase();
    return row;
  }

  function details(row) {
    const tool = row.tool;
    const cell = element("td", { role: "cell", "aria-colspan": String(columns.length) });
    cell.append(element("p", { class: "words", dir: "auto" }, tool.description || "It has no description."));
    if (tool.fields.length > 0) cell.append(element("p", { class: "soft", dir: "auto" }, "By field, adding up to the tool: " +
      [...tool.fields].sort(heaviest).map((field) => `${shownField(field.name)} ${tokens(field.tokens)}`).join(", ")));
    if (tool.arguments.length > 0) cell.append(
      table([{ title: "argument" }, { title: "type" }, { title: "required" }, { title: "description" }, { title: "tokens", number: true }],
        tool.arguments.map((argument) => [element("span", { class: "name" }, argument.name), argument.type, argument.required ? "yes" : "no", argument.description, tokens(argument.tokens)])),
      element("p", { class: "soft" }, "An argument's tokens are the count of its own JSON alone: an estimate of what taking it out would save, not a part of an exact sum."));
    else cell.append(element("p", { class: "soft" }, "It takes no arguments."));
    return element("tr", { role: "row", class: "opened" }, cell);
  }

  function toggle(row) {
    const opening = !row.opened;
    row.button.setAttribute("aria-expanded", String(opening));
    if (opening) {
      row.opened = details(row);
      row.line.after(row.opened);
    } else {
      row.opened.remove();
      row.opened = null;
    }
  }

  const body = document.querySelector("#tools tbody");
  const order = { column: columns.findIndex((column) => column.title === "tokens"), descending: true };

  function arrange() {
    const column = columns[order.column];
    const wanted = byId("search").value.trim().toLowerCase();
    const direction = order.descending ? -1 : 1;
    const names = (one, other) => (one.tool.name < other.tool.name ? -1 : one.tool.name > other.tool.name ? 1 : 0);
    const shown = rows.filter((row) => row.words.includes(wanted)).sort((one, other) => {
      const [left, right] = [column.of(one), column.of(other)];
      if (left === right) return names(one, other);
      if (left === null || right === null) return left === null ? 1 : -1;
      return (left < right ? -1 : 1) * direction;
    });
    body.replaceChildren(...shown.flatMap((row) => (row.opened ? [row.line, row.opened] : [row.line])));
    byId("found").textContent = `${whole.format(shown.length)} of ${plural(rows.length, "tool")}`;
    [...document.querySelectorAll("#tools thead th")].forEach((title, place) => {
      if (place === order.column) title.setAttribute("aria-sort", order.descending ? "descending" : "ascending");
      else title.removeAttribute("aria-sort");
    });
  }

  function head() {
    document.querySelector("#tools thead tr").append(...columns.map((column, place) => {
      const button = element("button", { type: "button" }, column.title);
      button.addEventListener("click", () => {
        order.descending = order.column === place ? !order.descending : Boolean(column.number);
        order.column = place;
        arrange();
      });
      return element("th", column.number ? { role: "columnheader", scope: "col", class: "number" } : { role: "columnheader", scope: "col" }, button);
    }));
  }

  // The treemap: a tile for each tool, parted by its fields. The table does the same by keyboard.

  const MOST_TILES = 1000;
  const MOST_FIELDS = 12;
  // The fields of the protocol have a colour each; keys of the server's own share the last one.
  const FIELDS = ["description", "inputSchema", "outputSchema", "annotations", "name"];
  const colour = (field) => { const place = FIELDS.indexOf(field === "title" ? "name" : field); return place < 0 ? FIELDS.length : place; };
  const shownField = (field) => (field === "{}" ? "braces" : field);
  const heaviest = (one, other) => other.tokens - one.tokens;

  const byTokens = (one, other) => other.tool.tokens - one.tool.tokens;
  const withTile = new Set([...rows].sort(byTokens).slice(0, MOST_TILES));

  // The tiles of one server, the cheapest of very many together in one.
  function tilesOf(server) {
    const ranked = rows.filter((row) => row.group === server && row.tool.tokens > 0).sort(byTokens);
    const tiles = ranked.filter((row) => withTile.has(row)).map((row) => ({ row, name: row.tool.name, weight: row.tool.tokens, fields: row.tool.fields }));
    const left = ranked.slice(tiles.length);
    const weight = left.reduce((sum, row) => sum + row.tool.tokens, 0);
    if (weight > 0) tiles.push({ row: null, name: plural(left.length, "more tool"), weight, fields: [] });
    return tiles.sort((one, other) => other.weight - one.weight);
  }

  function treemap() {
    const map = byId("map");
    const box = { x: 0, y: 0, width: map.clientWidth, height: map.clientHeight };
    if (box.width === 0 || box.height === 0) return map.replaceChildren();
    map.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    map.setAttribute("aria-label", `${plural(rows.length, "tool")} by their tokens, each parted by its fields; the tables below hold the same figures.`);
    const groups = measured.map((server, place) => ({ place, weight: server.floor_tokens })).filter((group) => group.weight > 0);
    groups.sort((one, other) => other.weight - one.weight);
    const boxes = squarified(groups.map((group) => group.weight), box);
    map.replaceChildren(...groups.flatMap((group, index) => drawnTiles(group.place, boxes[index])));
    if (several) map.append(...boxes.map((place) => drawn("rect", { x: place.x, y: place.y, width: place.width, height: place.height, class: "border" })));
  }

  function drawnTiles(server, box) {
    const named = tilesOf(server);
    return squarified(named.map((tile) => tile.weight), box).map((place, index) => drawnTile(server, named[index], place));
  }

  function drawnTile(server, { row, name, weight, fields }, place) {
    const whose = several ? measured[server].name + ", " : "";
    const ranked = [...fields].sort(heaviest);
    const room = Math.floor((place.width - 10) / 8);
    const head = room >= 4 && place.height >= 36 ? 20 : 1;
    const tile = drawn("g", {},
      drawn("title", {}, `${whose}${name}: ${tokens(weight)} tokens, ${share(weight, floor)} of the floor`),
      drawn("rect", { x: place.x, y: place.y, width: place.width, height: place.height, class: "tool map-" + (ranked.length > 0 ? colour(ranked[0].name) : FIELDS.length) }));
    if (place.width >= 14 && place.height >= 14) {
      const inner = within(place, 1, head);
      squarified(ranked.map((field) => field.tokens), inner).forEach((part, index) => tile.append(drawnField(name, weight, ranked[index], part)));
    }
    if (head > 1) {
      const shown = `${name}  ${tokens(weight)}`;
      tile.append(drawn("rect", { x: place.x, y: place.y, width: place.width, height: head, class: "head" }),
        drawn("text", { x: place.x + 5, y: place.y + 15, class: "of-head" }, shown.length <= room ? shown : name.length <= room ? name : name.slice(0, room - 1) + "…"));
    }
    if (row) tile.addEventListener("click", () => {
      byId("search").value = "";
      arrange();
      if (!row.opened) toggle(row);
      row.button.focus();
    });
    return tile;
  }

  function drawnField(tool, weight, field, place) {
    const shown = shownField(field.name);
    const part = drawn("g", {},
      drawn("title", {}, `${tool}, ${shown}: ${tokens(field.tokens)} tokens, ${share(field.tokens, weight)} of the tool`),
      drawn("rect", { x: place.x, y: place.y, width: place.width, height: place.height, class: "field map-" + colour(field.name) }));
    const room = Math.floor((place.width - 8) / 7.2);
    if (shown.length <= room && place.height >= 20) part.append(drawn("text", { x: place.x + 4, y: place.y + 14 }, shown));
    return part;
  }

  // The legend is the floor by field.
  function legend() {
    const sums = new Map();
    for (const { tool } of rows) for (const { name, tokens } of tool.fields) sums.set(name, (sums.get(name) ?? 0) + tokens);
    const fields = [...sums].map(([name, tokens]) => ({ name, tokens })).sort(heaviest);
    const shown = fields.slice(0, MOST_FIELDS);
    const rest = fields.slice(MOST_FIELDS).reduce((sum, field) => sum + field.tokens, 0);
    if (rest > 0) shown.push({ name: plural(fields.length - MOST_FIELDS, "more key"), tokens: rest });
    byId("legend").append(...shown.map((field) => element("li", {},
      element("span", { class: "swatch map-" + colour(field.name), "aria-hidden": "true" }),
      element("span", { class: "name", dir: "auto" }, shownField(field.name)), ` ${tokens(field.tokens)}, ${share(field.tokens, floor)}`)));
  }

  const verdict = byId("verdict");
  verdict.textContent = data.verdict;
  verdict.className = data.exit_code === 0 ? "" : "bad";
  byId("estimator").textContent = data.estimator;
  if (data.base) byId("servers").append(baseCard(data.base));
  byId("servers").append(...data.servers.map(serverCard));
  if (rows.length > 0) {
    byId("floor").hidden = false;
    byId("ranking").hidden = false;
    byId("tools").style.setProperty("--columns", columns.map(({ rem, grows }) => (grows ? `minmax(${rem}rem, 1fr)` : `${rem}rem`)).join(" "));
    byId("tools").style.setProperty("--least", columns.reduce((sum, { rem }) => sum + rem, 0) + "rem");
    legend();
    rows.forEach(toolRow);
    head();
    arrange();
    byId("search").addEventListener("input", arrange);
    new ResizeObserver(treemap).observe(byId("map"));
  }
})();
