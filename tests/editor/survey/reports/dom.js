// As much of a browser's document as the report's page uses, for Qt's engine of scripts. Text stays text: there is no
// way to make HTML of it, so a script that tried would fail.
class Node {
  constructor(tag, attributes) {
    this.tagName = tag;
    this.attributes = Object.assign({}, attributes);
    this.children = [];
    this.parent = null;
    this.listeners = {};
    this.ownText = "";
    this.dataset = {};
    this.style = {};
    this.value = this.attributes.value || "";
    this.checked = this.disabled = false;
    for (const name in this.attributes) {
      if (name.startsWith("data-")) this.dataset[name.slice(5)] = this.attributes[name];
    }
  }
  get classes() { return (this.attributes.class || "").split(" ").filter(each => each); }
  get className() { return this.attributes.class || ""; }
  set className(text) { this.attributes.class = text; }
  get classList() {
    const node = this;
    const set = classes => { node.attributes.class = classes.join(" "); };
    return {
      add: name => set(node.classes.filter(each => each !== name).concat([name])),
      remove: name => set(node.classes.filter(each => each !== name)),
      toggle: (name, on) => set(node.classes.filter(each => each !== name).concat(on ? [name] : [])),
    };
  }
  get textContent() { return this.ownText + this.children.map(each => each.textContent).join(""); }
  set textContent(text) { this.ownText = String(text); this.children = []; }
  get tabIndex() { return Number(this.attributes.tabindex); }
  set tabIndex(number) { this.attributes.tabindex = String(number); }
  get id() { return this.attributes.id; }
  get tBodies() { return this.children.filter(each => each.tagName === "tbody"); }
  get tHead() { return this.children.find(each => each.tagName === "thead"); }
  get rows() { return this.children; }
  get parentElement() { return this.parent; }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  getAttribute(name) { return this.attributes[name]; }
  setCustomValidity() {}
  appendChild(child) {
    child.parent = this;
    this.children.push(child);
    if (this.tagName === "select" && this.children.length === 1) this.value = child.value;
    return child;
  }
  after(sibling) {
    sibling.parent = this.parent;
    this.parent.children.splice(this.parent.children.indexOf(this) + 1, 0, sibling);
  }
  remove() { this.parent.children = this.parent.children.filter(each => each !== this); }
  addEventListener(name, listener) { (this.listeners[name] = this.listeners[name] || []).push(listener); }
  fire(name, event) {
    const made = Object.assign({ target: this, preventDefault: () => {} }, event);
    for (let node = this; node; node = node.parent) for (const each of node.listeners[name] || []) each(made);
  }
  click() { this.fire("click"); }
  focus() { document.activeElement = this; }
  getBoundingClientRect() { return { left: 0, top: 0, width: 256, height: 256 }; }
  getContext() {
    const nothing = () => {};
    return { fillRect: nothing, strokeRect: nothing, beginPath: nothing, moveTo: nothing, lineTo: nothing, stroke: nothing,
      fillText: nothing };
  }
  all() { return this.children.reduce((found, each) => found.concat([each], each.all()), []); }
  matches(selector) {
    const parts = /^([a-z0-9]*)((?:\.[a-z-]+)*)((?:\[[^\]]+\])*)$/.exec(selector);
    if (parts[1] && parts[1] !== this.tagName) return false;
    if (parts[2].split(".").some(name => name && this.classes.indexOf(name) < 0)) return false;
    return (parts[3].match(/\[[^\]]+\]/g) || []).every(each => {
      const pair = /\[([a-z-]+)="([^"]*)"\]/.exec(each);
      const value = pair[1].startsWith("data-") ? this.dataset[pair[1].slice(5)] : this.attributes[pair[1]];
      return String(value) === pair[2];
    });
  }
  closest(selector) {
    for (let node = this; node; node = node.parent) if (node.matches(selector)) return node;
    return null;
  }
  querySelectorAll(selector) { return this.all().filter(each => each.matches(selector.split(" ").pop())); }
  querySelector(selector) { return this.querySelectorAll(selector)[0] || null; }
}

var timers = [];
var windowEvents = {};
var window = {
  devicePixelRatio: 1,
  addEventListener: (name, listener) => { windowEvents[name] = listener; },
  matchMedia: () => ({ matches: false, addEventListener: () => {} }),
};
var document = new Node("#document", {});
document.documentElement = new Node("html", {});
document.createElement = tag => new Node(tag, {});
document.getElementById = id => document.all().find(each => each.attributes.id === id);
function getComputedStyle() { return { getPropertyValue: () => "#000" }; }
function setTimeout(run) { timers.push(run); return timers.length; }
function clearTimeout() { timers = []; }
function runTimers() { const due = timers; timers = []; due.forEach(each => each()); }
function build(parent, tree) {
  for (const [tag, attributes, children, text] of tree) {
    const node = new Node(tag, attributes);
    parent.appendChild(node);
    node.ownText = text;
    build(node, children);
  }
}
