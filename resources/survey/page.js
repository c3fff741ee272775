"use strict";
// The page of a survey's report. Everything that comes from a world is text: it goes into the page by textContent and
// by attributes that no script reads, never as HTML.

const PAGE_ROWS = 100;
const PRINTED_ROWS = 1000;
const SIGNS = ["●", "▲", "■"];
const WORDS = ["info", "warning", "error"];
const SIDE = 255;

// --- what is in the report, without the page

function hex(number, digits) {
  return ("0000000" + number.toString(16).toUpperCase()).slice(-digits);
}

function blockText(block) {
  return "0x" + hex(Math.floor(block / 65536), 4);
}

class Findings {
  // The findings by columns, which of them are shown, and in which order.
  constructor(data) {
    this.data = data;
    this.size = data.found.check.length;
    this.filter = { text: "", family: "", severity: -1, check: -1, block: -1 };
    this.order = { column: "severity", down: true };
    this.texts = null;
    this.shown = [];
    this.apply();
  }

  check(row) {
    return this.data.checks[this.data.found.check[row]];
  }

  block(row) {
    return Math.floor(this.data.found.block[row] / 65536);
  }

  text(row) {
    if (this.texts === null) this.texts = new Array(this.size);
    let made = this.texts[row];
    if (made === undefined) {
      const found = this.data.found;
      const check = this.check(row);
      const parts = [found.sentence[row], check.id, check.title, blockText(found.block[row])];
      if (found.cell[row]) parts.push("0x" + hex(found.cell[row], 8));
      if (found.entity[row]) parts.push("0x" + hex(found.entity[row], 8));
      made = this.texts[row] = parts.join("\n").toLowerCase();
    }
    return made;
  }

  passes(row, without) {
    const wanted = this.filter;
    const check = this.check(row);
    if (wanted.check >= 0 && this.data.found.check[row] !== wanted.check) return false;
    if (wanted.family !== "" && check.family !== wanted.family) return false;
    if (wanted.severity >= 0 && check.severity !== wanted.severity) return false;
    if (without !== "block" && wanted.block >= 0 && this.block(row) !== wanted.block) return false;
    return wanted.text === "" || this.text(row).indexOf(wanted.text) >= 0;
  }

  apply() {
    const kept = [];
    this.byBlock = new Map(); // of the findings that pass everything but the landblock: [count, worst severity]
    for (let row = 0; row < this.size; row++) {
      if (!this.passes(row, "block")) continue;
      const block = this.block(row);
      const severity = this.check(row).severity;
      const here = this.byBlock.get(block);
      if (here === undefined) this.byBlock.set(block, [1, severity]);
      else {
        here[0]++;
        if (severity > here[1]) here[1] = severity;
      }
      if (this.filter.block < 0 || block === this.filter.block) kept.push(row);
    }
    this.shown = kept;
    this.sort();
  }

  value(row) {
    const found = this.data.found;
    switch (this.order.column) {
      case "severity": return this.check(row).severity;
      case "check": return this.check(row).title;
      case "family": return this.check(row).family;
      case "block": return found.block[row];
      case "cell": return found.cell[row] || found.block[row];
      case "sentence": return found.sentence[row];
      default: return (found.picture[row] ? 2 : 0) + (found.recording[row] ? 1 : 0);
    }
  }

  sort() {
    const values = new Map();
    for (const row of this.shown) values.set(row, this.value(row));
    const way = this.order.down ? -1 : 1;
    this.shown.sort((a, b) => {
      const first = values.get(a), second = values.get(b);
      return first < second ? -way : first > second ? way : a - b;
    });
  }

  sortBy(column) {
    if (this.order.column === column) this.order.down = !this.order.down;
    else this.order = { column: column, down: column === "severity" || column === "proof" };
    this.sort();
  }

  byCheck() {
    const counts = this.data.checks.map(() => [0, new Set()]);
    for (let row = 0; row < this.size; row++) {
      const here = counts[this.data.found.check[row]];
      here[0]++;
      here[1].add(this.block(row));
    }
    return counts;
  }
}

function parseBlock(text) {
  // The landblock of A9B4, 0xA9B4FFFF or 0xA9B40143; -1 for none, -2 for what is no landblock.
  const typed = text.trim().replace(/^0x/i, "");
  if (typed === "") return -1;
  if (!/^([0-9a-f]{4}|[0-9a-f]{8})$/i.test(typed)) return -2;
  return parseInt(typed.slice(0, 4), 16);
}

function extent(blocks, margin) {
  // The square of landblocks, at least 8 wide, that holds all of these; the whole world without any.
  let left = SIDE, right = -1, low = SIDE, high = -1;
  for (const block of blocks) {
    const x = block >> 8, y = block & 255;
    if (x >= SIDE || y >= SIDE) continue;
    left = Math.min(left, x); right = Math.max(right, x);
    low = Math.min(low, y); high = Math.max(high, y);
  }
  if (right < 0) return { left: 0, low: 0, size: SIDE };
  const size = Math.min(SIDE, Math.max(right - left, high - low, 7) + 1 + 2 * margin);
  const place = (from, to) => Math.max(0, Math.min(SIDE - size, Math.round((from + to + 1 - size) / 2)));
  return { left: place(left, right), low: place(low, high), size: size };
}

// --- the page

function make(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function counted(count, noun) {
  return count.toLocaleString("en") + " " + noun + (count === 1 ? "" : "s");
}

function cellOf(row, className, text) {
  const made = make("td", className, text);
  row.appendChild(made);
  return made;
}

function sortedHead(table, columns, order, choose) {
  const head = make("tr");
  for (const [name, title, right] of columns) {
    const cell = make("th", right ? "right" : "");
    const isHere = order.column === name;
    cell.setAttribute("aria-sort", isHere ? (order.down ? "descending" : "ascending") : "none");
    const button = make("button", "", title + (isHere ? (order.down ? " ▾" : " ▴") : ""));
    button.type = "button";
    button.addEventListener("click", () => choose(name));
    cell.appendChild(button);
    head.appendChild(cell);
  }
  table.tHead.textContent = "";
  table.tHead.appendChild(head);
}

class FindingTable {
  constructor(findings) {
    this.findings = findings;
    this.page = 0;
    this.open = -1;
    this.table = document.getElementById("findings");
    this.body = this.table.tBodies[0];
    this.before = document.getElementById("before");
    this.after = document.getElementById("after");
    this.before.addEventListener("click", () => this.turn(-1));
    this.after.addEventListener("click", () => this.turn(1));
    this.body.addEventListener("click", event => this.onClick(event));
    this.body.addEventListener("keydown", event => this.onKey(event));
  }

  turn(by) {
    this.page += by;
    this.show();
    const first = this.body.querySelector("tr.row");
    if (first) first.focus();
  }

  reset() {
    this.page = 0;
    this.open = -1;
    this.show();
  }

  show() {
    const shown = this.findings.shown;
    const pages = Math.max(1, Math.ceil(shown.length / PAGE_ROWS));
    this.page = Math.max(0, Math.min(this.page, pages - 1));
    const first = this.page * PAGE_ROWS;
    this.fill(first, first + PAGE_ROWS);
    const of = shown.length === this.findings.size ? "" : " of " + this.findings.size.toLocaleString("en");
    document.getElementById("count").textContent = counted(shown.length, "finding") + of;
    const last = Math.min(first + PAGE_ROWS, shown.length);
    document.getElementById("where").textContent = shown.length > PAGE_ROWS
      ? (first + 1).toLocaleString("en") + " to " + last.toLocaleString("en") : "";
    this.before.disabled = this.page === 0;
    this.after.disabled = this.page >= pages - 1;
    for (const turning of [this.before, this.after]) turning.classList.toggle("hidden", pages === 1);
    document.getElementById("empty").classList.toggle("hidden", shown.length > 0);
    this.table.classList.toggle("hidden", shown.length === 0);
  }

  fill(from, to) {
    sortedHead(this.table, [
      ["severity", "Severity"], ["check", "Check"], ["block", "Landblock"], ["cell", "Cell"],
      ["sentence", "What it is"], ["proof", "Shown by"],
    ], this.findings.order, column => {
      this.findings.sortBy(column);
      this.reset();
      const names = ["severity", "check", "block", "cell", "sentence", "proof"];
      this.table.tHead.querySelectorAll("button")[names.indexOf(column)].focus();
    });
    this.body.textContent = "";
    const rows = this.findings.shown.slice(from, to);
    rows.forEach((row, place) => this.body.appendChild(this.rowOf(row, place === 0)));
    if (rows.indexOf(this.open) >= 0) this.unfold(this.body.querySelector('tr[data-row="' + this.open + '"]'));
  }

  rowOf(row, isFirst) {
    const found = this.findings.data.found;
    const check = this.findings.check(row);
    const made = make("tr", "row");
    made.tabIndex = isFirst ? 0 : -1;
    made.dataset.row = row;
    made.setAttribute("aria-expanded", "false");
    cellOf(made, "tight " + WORDS[check.severity], SIGNS[check.severity] + " " + WORDS[check.severity]);
    const titled = cellOf(made, "", check.title);
    titled.title = check.id;
    cellOf(made, "mono tight", blockText(found.block[row]));
    cellOf(made, "mono tight", found.cell[row] ? "0x" + hex(found.cell[row], 8) : "");
    cellOf(made, "", found.sentence[row]);
    const shown = [];
    if (found.picture[row]) shown.push("picture");
    if (found.recording[row]) shown.push("recording");
    cellOf(made, "tight dim", shown.join(", "));
    return made;
  }

  onClick(event) {
    const row = event.target.closest("tr.row");
    if (row) this.toggle(row);
  }

  toggle(row) {
    const number = Number(row.dataset.row);
    const isOpen = this.open === number;
    this.fold();
    if (!isOpen) {
      this.open = number;
      this.unfold(row);
    }
    this.walkTo(row);
  }

  fold() {
    this.open = -1;
    const detail = this.body.querySelector("tr.detail");
    if (detail) detail.remove();
    const row = this.body.querySelector("tr.open");
    if (row) {
      row.classList.remove("open");
      row.setAttribute("aria-expanded", "false");
    }
  }

  unfold(row) {
    row.classList.add("open");
    row.setAttribute("aria-expanded", "true");
    const detail = make("tr", "detail");
    const cell = make("td");
    cell.colSpan = 6;
    cell.appendChild(sheetOf(this.findings, Number(row.dataset.row)));
    detail.appendChild(cell);
    row.after(detail);
  }

  walkTo(row) {
    for (const other of this.body.querySelectorAll('tr.row[tabindex="0"]')) other.tabIndex = -1;
    row.tabIndex = 0;
    row.focus();
  }

  onKey(event) {
    const row = event.target.closest("tr.row");
    if (!row || event.target !== row) return;
    const rows = Array.from(this.body.querySelectorAll("tr.row"));
    const steps = { ArrowDown: 1, ArrowUp: -1, Home: -rows.length, End: rows.length };
    if (event.key in steps) {
      const place = Math.max(0, Math.min(rows.length - 1, rows.indexOf(row) + steps[event.key]));
      this.walkTo(rows[place]);
    } else if (event.key === "Enter" || event.key === " ") this.toggle(row);
    else if (event.key === "PageDown" && !this.after.disabled) this.turn(1);
    else if (event.key === "PageUp" && !this.before.disabled) this.turn(-1);
    else if (event.key === "Escape") this.fold();
    else return;
    event.preventDefault();
  }
}

function sheetOf(findings, row) {
  // All there is about a finding.
  const data = findings.data, found = data.found, check = findings.check(row);
  const picture = data.pictures[found.picture[row] - 1];
  const sheet = make("div", picture ? "sheet" : "sheet text");
  if (picture) {
    const image = make("img");
    image.src = "data:image/jpeg;base64," + picture;
    image.alt = "The place of the finding, drawn by the engine";
    sheet.appendChild(image);
  }
  const text = make("div");
  text.appendChild(make("p", "", found.sentence[row]));
  if (check.about) text.appendChild(make("p", "dim", check.about));
  const list = make("dl");
  const say = (name, value, mono) => {
    if (value === "") return;
    list.appendChild(make("dt", "", name));
    list.appendChild(make("dd", mono ? "mono" : "", value));
  };
  say("Check", check.id, true);
  say("Family", check.family);
  say("Place", found.place[row], true);
  say("Entity", found.entity[row] ? "0x" + hex(found.entity[row], 8) : "", true);
  say("Portal", found.portal[row] >= 0 ? String(found.portal[row]) : "", true);
  say("Polygon", found.polygon[row] >= 0 ? String(found.polygon[row]) : "", true);
  for (const figure of found.figures[row]) say(figure[0], figure[1], true);
  say("Eye", found.eye[row], true);
  say("Fix", found.fix[row]);
  say("Key", check.id + found.key[row], true);
  if (!picture) say("Picture", data.unpictured);
  text.appendChild(list);
  if (found.recording[row]) text.appendChild(recordingOf(data, found, row));
  sheet.appendChild(text);
  return sheet;
}

function recordingOf(data, found, row) {
  const size = found.recordingSize[row];
  const kept = data.recordings[found.recording[row] - 1]; // −1: left out of the page
  const line = make("p");
  if (!kept) {
    line.className = "dim";
    line.textContent = "Its recording has " + counted(size, "byte") + " and is in the report's JSON file alone.";
    return line;
  }
  const link = make("a", "", "Save its recording");
  link.href = "data:application/octet-stream;base64," + kept;
  link.download = "finding-" + hex(found.cell[row] || found.block[row], 8) + "-" + (row + 1) + ".cdrec";
  line.appendChild(link);
  line.appendChild(make("span", "dim", " (" + counted(size, "byte") + "; opened and played by Cellar Door)"));
  return line;
}

class WorldMap {
  constructor(findings, choose) {
    this.findings = findings;
    this.choose = choose;
    this.canvas = document.getElementById("map");
    this.word = document.getElementById("map-word");
    this.whole = document.getElementById("whole");
    this.colours = document.getElementById("colours");
    this.at = -1;
    this.blocks = new Map();
    findings.data.blocks.id.forEach((block, place) => this.blocks.set(Math.floor(block / 65536), place));
    this.canvas.addEventListener("mousemove", event => this.point(this.blockAt(event)));
    this.canvas.addEventListener("mouseleave", () => this.point(-1));
    this.canvas.addEventListener("click", event => this.pick(this.blockAt(event)));
    this.canvas.addEventListener("keydown", event => this.onKey(event));
    this.canvas.addEventListener("blur", () => this.point(-1));
    this.whole.addEventListener("change", () => this.draw());
    this.colours.addEventListener("change", () => this.draw());
    window.addEventListener("resize", () => this.draw());
    const places = new Set(this.blocks.keys());
    for (let row = 0; row < findings.size; row++) places.add(findings.block(row));
    this.near = extent(places, 1);
    if (this.near.size === SIDE) this.whole.parentElement.classList.add("hidden");
  }

  get view() {
    return this.whole.checked ? { left: 0, low: 0, size: SIDE } : this.near;
  }

  blockAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const view = this.view;
    const x = view.left + Math.floor((event.clientX - box.left) / box.width * view.size);
    const y = view.low + view.size - 1 - Math.floor((event.clientY - box.top) / box.height * view.size);
    return this.nearest(x, y, view.size > 64 ? 2 : 0);
  }

  nearest(x, y, reach) {
    // Landblocks are a pixel wide on the map of the world: one with findings next to the mouse is meant too.
    let best = -1, least = Infinity;
    for (let dx = -reach; dx <= reach; dx++) {
      for (let dy = -reach; dy <= reach; dy++) {
        const block = (x + dx) * 256 + y + dy;
        const far = dx * dx + dy * dy;
        if (far < least && this.findings.byBlock.has(block)) {
          best = block;
          least = far;
        }
      }
    }
    if (best >= 0) return best;
    return x >= 0 && y >= 0 && x < SIDE && y < SIDE ? x * 256 + y : -1;
  }

  point(block) {
    if (block === this.at) return;
    this.at = block;
    this.word.textContent = block < 0 ? this.rest() : this.describe(block);
    this.draw();
  }

  rest() {
    const chosen = this.findings.filter.block;
    return chosen >= 0 ? "Shown: " + this.describe(chosen)
      : "A click shows the findings of a landblock alone; the arrow keys and Enter do so too.";
  }

  describe(block) {
    const words = ["0x" + hex(block, 4)];
    const here = this.findings.byBlock.get(block);
    const place = this.blocks.get(block);
    if (here) words.push(counted(here[0], "finding"));
    else if (place !== undefined) words.push("nothing found");
    else words.push("not surveyed");
    if (place !== undefined) {
      const problems = this.findings.data.blocks.problems[place];
      if (problems.length) words.push(problems[0]);
    }
    return words.join(" · ");
  }

  pick(block) {
    if (block >= 0) this.choose(block === this.findings.filter.block ? -1 : block);
  }

  onKey(event) {
    const view = this.view;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (event.key in steps) {
      const middle = (view.left + (view.size >> 1)) * 256 + view.low + (view.size >> 1);
      const from = this.at >= 0 ? this.at : this.findings.filter.block >= 0 ? this.findings.filter.block : middle;
      const [dx, dy] = steps[event.key];
      const x = Math.max(view.left, Math.min(view.left + view.size - 1, (from >> 8) + dx));
      const y = Math.max(view.low, Math.min(view.low + view.size - 1, (from & 255) + dy));
      this.point(x * 256 + y);
    } else if (event.key === "Enter" || event.key === " ") this.pick(this.at);
    else if (event.key === "Escape") this.choose(-1);
    else return;
    event.preventDefault();
  }

  draw() {
    const box = this.canvas.getBoundingClientRect();
    const side = Math.max(1, Math.round(box.width * (window.devicePixelRatio || 1)));
    if (this.canvas.width !== side) this.canvas.width = this.canvas.height = side;
    const style = getComputedStyle(document.documentElement);
    const colour = name => style.getPropertyValue("--" + name).trim();
    const brush = this.canvas.getContext("2d");
    const view = this.view, step = side / view.size;
    brush.fillStyle = colour("sheet");
    brush.fillRect(0, 0, side, side);
    const square = (block, least) => {
      const x = ((block >> 8) - view.left) * step, y = (view.low + view.size - 1 - (block & 255)) * step;
      const more = Math.max(0, (least - step) / 2);
      return [x - more, y - more, step + 2 * more, step + 2 * more];
    };
    const gap = step > 8 ? 1 : 0;
    const fill = (block, least) => {
      const [x, y, width, height] = square(block, least);
      const left = Math.round(x), top = Math.round(y);
      brush.fillRect(left, top, Math.max(1, Math.round(x + width) - left - gap), Math.max(1, Math.round(y + height) - top - gap));
    };
    const problems = this.findings.data.blocks.problems;
    for (const tone of ["sound", "problem"]) {
      brush.fillStyle = colour(tone);
      this.blocks.forEach((place, block) => {
        if ((problems[place].length > 0) === (tone === "problem")) fill(block, 0);
      });
    }
    const most = Array.from(this.findings.byBlock.values()).reduce((top, here) => Math.max(top, here[0]), 1);
    for (let severity = 0; severity < 3; severity++) { // the worst on top
      brush.fillStyle = colour(WORDS[severity]);
      this.findings.byBlock.forEach((here, block) => {
        if (here[1] !== severity) return;
        brush.globalAlpha = this.colours.value === "number" ? 0.25 + 0.75 * Math.log1p(here[0]) / Math.log1p(most) : 1;
        fill(block, this.findings.byBlock.size > 3000 ? 2 : 6);
      });
    }
    brush.globalAlpha = 1;
    this.drawGrid(brush, side, step, view, colour);
    brush.lineWidth = 2;
    for (const [block, name] of [[this.findings.filter.block, "accent"], [this.at, "text"]]) {
      if (block < 0) continue;
      brush.strokeStyle = colour(name);
      brush.strokeRect(...square(block, 9));
    }
  }

  drawGrid(brush, side, step, view, colour) {
    const every = view.size > 64 ? 16 : view.size > 20 ? 4 : 1;
    brush.strokeStyle = colour("line");
    brush.fillStyle = colour("dim");
    brush.lineWidth = 1;
    brush.font = Math.round(side / 38) + "px monospace";
    for (let number = Math.ceil(view.left / every) * every; number < view.left + view.size; number += every) {
      const x = Math.round((number - view.left) * step) + 0.5;
      brush.beginPath(); brush.moveTo(x, 0); brush.lineTo(x, side); brush.globalAlpha = 0.5; brush.stroke();
      brush.globalAlpha = 1; brush.fillText(hex(number, 2), x + 3, side - 4);
    }
    for (let number = Math.ceil(view.low / every) * every; number < view.low + view.size; number += every) {
      const y = Math.round(side - (number - view.low) * step) - 0.5;
      brush.beginPath(); brush.moveTo(0, y); brush.lineTo(side, y); brush.globalAlpha = 0.5; brush.stroke();
      brush.globalAlpha = 1; if (number > view.low) brush.fillText(hex(number, 2), 3, y - 3);
    }
  }
}

function option(select, value, text) {
  const made = make("option", "", text);
  made.value = value;
  select.appendChild(made);
}

class CheckTable {
  // The checks that found something, each with its paragraph.
  constructor(findings, choose) {
    this.findings = findings;
    this.choose = choose;
    this.table = document.getElementById("checks");
    this.order = { column: "severity", down: true };
    this.counts = findings.byCheck();
    this.show();
  }

  show() {
    const checks = this.findings.data.checks;
    const values = {
      severity: place => checks[place].severity, title: place => checks[place].title,
      family: place => checks[place].family, count: place => this.counts[place][0],
      blocks: place => this.counts[place][1].size,
    };
    sortedHead(this.table, [
      ["severity", "Severity"], ["title", "Check"], ["family", "Family"], ["count", "Findings", true],
      ["blocks", "Landblocks", true],
    ], this.order, column => {
      this.order = { column: column, down: this.order.column === column ? !this.order.down : column !== "title" };
      this.show();
    });
    const value = values[this.order.column], way = this.order.down ? -1 : 1;
    const places = checks.map((check, place) => place).sort((a, b) =>
      value(a) < value(b) ? -way : value(a) > value(b) ? way : this.counts[b][0] - this.counts[a][0]);
    const body = this.table.tBodies[0];
    body.textContent = "";
    for (const place of places) {
      const check = checks[place], row = make("tr");
      cellOf(row, "tight " + WORDS[check.severity], SIGNS[check.severity] + " " + WORDS[check.severity]);
      const title = cellOf(row, "");
      const button = make("button", "", check.title);
      button.type = "button";
      button.title = "Show its findings alone";
      button.addEventListener("click", () => this.choose(place));
      title.appendChild(button);
      title.appendChild(make("div", "mono dim", check.id));
      if (check.about) title.appendChild(make("p", "about", check.about));
      cellOf(row, "tight", check.family);
      cellOf(row, "mono right", this.counts[place][0].toLocaleString("en"));
      cellOf(row, "mono right", this.counts[place][1].size.toLocaleString("en"));
      body.appendChild(row);
    }
  }
}

class BlockTable {
  // The landblocks that were surveyed: the longest first, for a start.
  constructor(findings, choose) {
    this.findings = findings;
    this.choose = choose;
    this.order = { column: "count", down: true };
    this.table = document.getElementById("blocks");
    this.counts = new Map();
    for (let row = 0; row < findings.size; row++) {
      const block = findings.block(row);
      this.counts.set(block, (this.counts.get(block) || 0) + 1);
    }
    this.show();
  }

  show() {
    const blocks = this.findings.data.blocks;
    const count = place => this.counts.get(Math.floor(blocks.id[place] / 65536)) || 0;
    const values = {
      id: place => blocks.id[place], count: count, seconds: place => blocks.seconds[place],
      problems: place => blocks.problems[place].length,
    };
    sortedHead(this.table, [
      ["id", "Landblock"], ["count", "Findings", true], ["seconds", "Seconds", true], ["done", "Done"],
      ["problems", "Problems"],
    ].filter(column => column[0] !== "done"), this.order, column => {
      this.order = { column: column, down: this.order.column === column ? !this.order.down : column !== "id" };
      this.show();
    });
    const done = make("th", "plain", "Done");
    this.table.tHead.rows[0].appendChild(done);
    const value = values[this.order.column], way = this.order.down ? -1 : 1;
    const places = blocks.id.map((id, place) => place).sort((a, b) =>
      value(a) < value(b) ? -way : value(a) > value(b) ? way : a - b);
    const body = this.table.tBodies[0];
    body.textContent = "";
    for (const place of places.slice(0, PRINTED_ROWS)) {
      const row = make("tr"), block = Math.floor(blocks.id[place] / 65536);
      const cell = cellOf(row, "tight");
      const button = make("button", "mono", blockText(blocks.id[place]));
      button.type = "button";
      button.title = "Show its findings alone";
      button.addEventListener("click", () => this.choose(block));
      cell.appendChild(button);
      cellOf(row, "mono right", count(place).toLocaleString("en"));
      cellOf(row, "mono right", blocks.seconds[place].toFixed(2));
      cellOf(row, blocks.problems[place].length ? "error" : "dim", blocks.problems[place].join("; ") || "none");
      cellOf(row, "dim", blocks.words[blocks.done[place]]);
      body.appendChild(row);
    }
    const left = places.length - PRINTED_ROWS;
    document.getElementById("blocks-left").textContent =
      left > 0 ? "… and " + left.toLocaleString("en") + " more: sort by another column to see others." : "";
  }
}

class Page {
  constructor(data) {
    this.findings = new Findings(data);
    this.table = new FindingTable(this.findings);
    this.map = new WorldMap(this.findings, block => this.chooseBlock(block));
    this.fields = {};
    for (const name of ["text", "family", "severity", "check", "block"]) {
      this.fields[name] = document.getElementById("filter-" + name);
    }
    this.fillFilters(data);
    let waiting = 0;
    this.fields.text.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.read(), 120);
    });
    for (const name of ["family", "severity", "check", "block"]) {
      this.fields[name].addEventListener(name === "block" ? "input" : "change", () => this.read());
    }
    document.getElementById("clear").addEventListener("click", () => this.clear());
    document.getElementById("theme").addEventListener("click", () => this.changeTheme());
    this.tabs = Array.from(document.querySelectorAll('nav [role="tab"]'));
    for (const tab of this.tabs) {
      tab.addEventListener("click", () => this.turn(tab));
      tab.addEventListener("keydown", event => this.onTabKey(event));
    }
    this.made = {};
    window.addEventListener("beforeprint", () => this.beforePrint());
    window.addEventListener("afterprint", () => {
      this.setTheme(this.theme);
      this.table.show();
    });
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.setTheme(dark.matches ? "dark" : "light"));
    this.setTheme(dark.matches ? "dark" : "light");
    this.refresh();
  }

  fillFilters(data) {
    const used = new Set(data.found.check);
    const families = new Set();
    data.checks.forEach((check, place) => { if (used.has(place)) families.add(check.family); });
    option(this.fields.family, "", "All families");
    for (const family of Array.from(families).sort()) option(this.fields.family, family, family);
    option(this.fields.severity, "-1", "All severities");
    for (const severity of [2, 1, 0]) option(this.fields.severity, String(severity), SIGNS[severity] + " " + WORDS[severity]);
    option(this.fields.check, "-1", "All checks");
    data.checks.map((check, place) => [check.title, place]).sort((a, b) => (a[0] < b[0] ? -1 : 1)).forEach(each => {
      if (used.has(each[1])) option(this.fields.check, String(each[1]), each[0]);
    });
  }

  read() {
    const wanted = this.findings.filter;
    wanted.text = this.fields.text.value.trim().toLowerCase();
    wanted.family = this.fields.family.value;
    wanted.severity = Number(this.fields.severity.value);
    wanted.check = Number(this.fields.check.value);
    const block = parseBlock(this.fields.block.value);
    this.fields.block.setAttribute("aria-invalid", String(block === -2));
    this.fields.block.setCustomValidity(block === -2 ? "Write four digits, such as A9B4" : "");
    wanted.block = Math.max(block, -1);
    this.refresh();
  }

  refresh() {
    this.findings.apply();
    this.table.reset();
    this.map.word.textContent = this.map.rest();
    this.map.draw();
  }

  clear() {
    for (const name in this.fields) this.fields[name].value = { severity: "-1", check: "-1" }[name] || "";
    this.read();
  }

  chooseBlock(block) {
    this.fields.block.value = block < 0 ? "" : hex(block, 4);
    this.read();
  }

  fillPage(name) {
    if (this.made[name]) return;
    if (name === "checks") {
      this.made[name] = new CheckTable(this.findings, place => {
        this.clear();
        this.fields.check.value = String(place);
        this.goBack();
      });
    } else if (name === "blocks") {
      this.made[name] = new BlockTable(this.findings, block => {
        this.clear();
        this.fields.block.value = hex(block, 4);
        this.goBack();
      });
    }
  }

  goBack() {
    this.turn(this.tabs[0]);
    this.read();
  }

  turn(tab) {
    for (const other of this.tabs) {
      const isHere = other === tab;
      other.setAttribute("aria-selected", String(isHere));
      other.tabIndex = isHere ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).classList.toggle("hidden", !isHere);
    }
    this.fillPage(tab.dataset.page);
    if (tab.dataset.page === "findings") this.map.draw();
    tab.focus();
  }

  onTabKey(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (!(event.key in steps)) return;
    const count = this.tabs.length;
    this.turn(this.tabs[(this.tabs.indexOf(event.target) + steps[event.key] + count) % count]);
    event.preventDefault();
  }

  beforePrint() {
    const theme = this.theme;
    this.setTheme("light"); // the map is a picture, which no style can change
    this.theme = theme;
    this.table.fill(0, PRINTED_ROWS);
    const left = this.findings.shown.length - PRINTED_ROWS;
    if (left > 0) document.getElementById("count").textContent += ", of which the first " + PRINTED_ROWS.toLocaleString("en");
    this.fillPage("checks");
  }

  setTheme(theme) {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    document.getElementById("theme").textContent = theme === "dark" ? "Light" : "Dark";
    this.map.draw();
  }

  changeTheme() {
    this.setTheme(this.theme === "dark" ? "light" : "dark");
  }
}

if (typeof document !== "undefined") {
  new Page(JSON.parse(document.getElementById("report").textContent));
}
