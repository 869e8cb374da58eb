"use strict";
// Text comes from servers and is hostile: it only ever becomes textContent. Nothing is fetched and nothing is kept.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const whole = new Intl.NumberFormat("en-US");
  const tokens = (count) => "~" + whole.format(count);
  const signed = (count) => (count > 0 ? "+" : "") + whole.format(count);
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
    const title = element("h2", { dir: "auto" }, server.name + ": ");
    title.append(element("span", { class: server.verdict === "pass" ? "good" : server.verdict === "measured" ? "soft" : "bad" }, server.verdict));
    card.append(title);
    if (server.error) {
      card.append(element("p", {}, element("code", {}, server.error.code), " ", server.error.message));
      if (server.error.stderr_tail) card.append(element("p", { class: "soft" }, "The last of its standard error:"), element("pre", {}, server.error.stderr_tail));
      return card;
    }
    card.append(element("p", {},
      element("span", { class: "figure" }, tokens(server.floor_tokens)),
      ` tokens on every turn: ${plural(server.tool_count, "tool")}, ${share(server.floor_tokens, data.context_window)} of a context window of ${whole.format(data.context_window)} tokens. ` +
      `${tokens(server.description_tokens)} of them are descriptions.`));
    if (server.bands.length > 0) card.append(element("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": "The bands of " + server.name }, table(
      [{ title: "band" }, { title: "measured", number: true }, { title: "budget", number: true }, { title: "difference", number: true }, { title: "slack", number: true }, { title: "verdict" }],
      server.bands.map((band) => [band.metric, whole.format(band.measured), whole.format(band.budget), signed(band.difference), whole.format(band.slack),
        band.reason ? element("code", { class: "bad" }, band.reason) : element("span", { class: "good" }, "ok")]))));
    if (server.gone.length > 0) card.append(element("p", {}, "Gone since the last pin: " +
      server.gone.map((gone) => `${gone.name} (${signed(gone.tokens)})`).join(", ")));
    if (server.remedy) card.append(element("p", {}, server.remedy.purpose), element("pre", {}, server.remedy.command));
    if (server.notes.length > 0) card.append(element("ul", {}, ...server.notes.map((note) => element("li", {}, note))));
    return card;
  }

  // The tools of all servers are one list of rows; a row is built once and afterwards only moved.

  const measured = data.servers.filter((server) => !server.error);
  const several = measured.length > 1;
  const floor = measured.reduce((sum, server) => sum + server.floor_tokens, 0);
  const rows = measured.flatMap((server, place) => server.tools.map((tool) => ({ tool, server: server.name, group: place })));

  const columns = [
    { title: "tool", of: (row) => row.tool.name },
    ...(several ? [{ title: "server", of: (row) => row.server }] : []),
    { title: "tokens", number: true, of: (row) => row.tool.tokens, show: tokens },
    { title: "share", number: true, of: (row) => row.tool.tokens, show: (count) => share(count, floor) },
    { title: "description", number: true, of: (row) => row.tool.description_tokens, show: tokens },
    { title: "bytes", number: true, of: (row) => row.tool.bytes, show: (count) => whole.format(count) },
    { title: "since the last pin", number: true, of: (row) => row.tool.change, show: (count) => (count === null ? "–" : signed(count)) },
  ];

  function toolRow(row) {
    row.line = element("tr", { role: "row" });
    row.button = element("button", { type: "button", "aria-expanded": "false" }, row.tool.name);
    row.button.addEventListener("click", () => toggle(row));
    columns.forEach((column, place) => {
      if (place === 0) return row.line.append(element("td", { role: "cell", class: "name", dir: "auto" }, row.button));
      const value = column.of(row);
      const cell = element("td", column.number ? { role: "cell", class: "number" } : { role: "cell", dir: "auto" }, column.show ? column.show(value) : value);
      if (column.title === "since the last pin" && value) cell.classList.add(value > 0 ? "bad" : "good");
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

  // A treemap whose rectangles come as near to squares as the numbers allow. The table does the same by keyboard.

  const MOST_TILES = 1000;
  const COLOURS = 6;

  function squarified(weights, box) {
    const tiles = [];
    let { x, y, width, height } = box;
    let rest = weights.reduce((sum, weight) => sum + weight, 0);
    for (let first = 0; first < weights.length && rest > 0;) {
      const side = Math.min(width, height);
      const scale = width * height / rest;
      let last = first, sum = 0, worst = Infinity;
      while (last < weights.length) {
        const grown = sum + weights[last];
        const strip = grown * scale / side;
        const ratio = Math.max(...[weights[first], weights[last]].map((weight) => {
          const length = weight * scale / strip;
          return Math.max(strip / length, length / strip);
        }));
        if (ratio > worst) break;
        worst = ratio;
        sum = grown;
        last += 1;
      }
      const strip = sum * scale / side;
      let along = 0;
      for (; first < last; first += 1) {
        const length = weights[first] * scale / strip;
        tiles.push(width >= height ? { x, y: y + along, width: strip, height: length } : { x: x + along, y, width: length, height: strip });
        along += length;
      }
      if (width >= height) { x += strip; width -= strip; } else { y += strip; height -= strip; }
      rest -= sum;
    }
    return tiles;
  }

  function drawn(tag, attributes, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  const byTokens = (one, other) => other.tool.tokens - one.tool.tokens;
  const withTile = new Set([...rows].sort(byTokens).slice(0, MOST_TILES));

  // The tiles of one server, the cheapest of very many together in one.
  function tilesOf(server) {
    const ranked = rows.filter((row) => row.group === server && row.tool.tokens > 0).sort(byTokens);
    const tiles = ranked.filter((row) => withTile.has(row)).map((row) => ({ row, name: row.tool.name, weight: row.tool.tokens }));
    const left = ranked.slice(tiles.length).reduce((sum, row) => sum + row.tool.tokens, 0);
    if (left > 0) tiles.push({ row: null, name: plural(ranked.length - tiles.length, "more tool"), weight: left });
    return tiles.sort((one, other) => other.weight - one.weight);
  }

  function treemap() {
    const map = byId("map");
    const box = { x: 0, y: 0, width: map.clientWidth, height: map.clientHeight };
    map.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    map.setAttribute("aria-label", `${plural(rows.length, "tool")} by their tokens; the table below holds the same figures.`);
    const groups = measured.map((server, place) => ({ place, weight: server.floor_tokens })).filter((group) => group.weight > 0);
    groups.sort((one, other) => other.weight - one.weight);
    const boxes = squarified(groups.map((group) => group.weight), box);
    map.replaceChildren(...groups.flatMap((group, index) => drawnTiles(group.place, boxes[index])));
  }

  function drawnTiles(server, box) {
    const named = tilesOf(server);
    return squarified(named.map((tile) => tile.weight), box).map((place, index) => {
      const { row, name, weight } = named[index];
      const colour = (several ? server : index) % COLOURS;
      const tile = drawn("g", {},
        drawn("title", {}, `${several ? measured[server].name + ", " : ""}${name}: ${tokens(weight)} tokens, ${share(weight, floor)} of the floor`),
        drawn("rect", { x: place.x, y: place.y, width: place.width, height: place.height, class: "map-" + colour }));
      const room = Math.floor((place.width - 12) / 7.4);
      if (room >= 4 && place.height >= 22) tile.append(drawn("text", { x: place.x + 6, y: place.y + 16 }, name.length > room ? name.slice(0, room - 1) + "…" : name));
      if (room >= tokens(weight).length && place.height >= 38) tile.append(drawn("text", { x: place.x + 6, y: place.y + 32 }, tokens(weight)));
      if (row) tile.addEventListener("click", () => {
        byId("search").value = "";
        arrange();
        if (!row.opened) toggle(row);
        row.button.focus();
      });
      return tile;
    });
  }

  const verdict = byId("verdict");
  verdict.textContent = data.verdict;
  verdict.className = data.exit_code === 0 ? "" : "bad";
  byId("estimator").textContent = data.estimator;
  byId("servers").append(...data.servers.map(serverCard));
  if (rows.length > 0) {
    byId("floor").hidden = false;
    byId("ranking").hidden = false;
    byId("tools").classList.toggle("several", several);
    rows.forEach(toolRow);
    head();
    arrange();
    byId("search").addEventListener("input", arrange);
    new ResizeObserver(treemap).observe(byId("map"));
  }
})();
