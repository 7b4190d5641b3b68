// Runs valgrind's dh_view.js without a browser: node dh_view.cjs dh_view.js FILE METRIC...
// Prints what the page shows for each metric (number in its menu), as a JSON list of texts, and the milliseconds it took.
const fs = require('node:fs');
const vm = require('node:vm');

/** As much of an element as the viewer uses. */
class Element {
  constructor(name) {
    Object.assign(this, { name, children: [], className: '', own: '', chosen: undefined });
    this.classList = { contains: (word) => this.className.split(' ').includes(word), toggle: () => undefined };
  }
  get childNodes() {
    return this.children;
  }
  appendChild(child) {
    child.parentNode = this;
    this.children.push(child);
    return child;
  }
  replaceChild(next, old) {
    this.children[this.children.indexOf(old)] = next;
    next.parentNode = this;
  }
  cloneNode() {
    return Object.assign(new Element(this.name), { className: this.className });
  }
  get textContent() {
    return this.own + this.children.map((child) => child.textContent).join('');
  }
  set textContent(text) {
    this.own = text;
    this.children = [];
  }
  get selectedIndex() {
    return this.chosen ?? this.children.findIndex((option) => option.selected);
  }
  set selectedIndex(index) {
    this.chosen = index;
  }
}

const [viewer, file, ...metrics] = process.argv.slice(2);
const document = {
  body: new Element('body'),
  title: '',
  location: { search: '' },
  createElement: (name) => new Element(name),
  createTextNode: (text) => Object.assign(new Element('text'), { own: text }),
};
// Numbers as in English, whatever the machine's language.
const source = fs.readFileSync(viewer, 'utf8').replace(/Intl\.NumberFormat\((undefined)?/g, "Intl.NumberFormat('en-US'");
const show = `;(text, metric) => {
  onLoad();
  gFilename = 'file';
  if (metric !== undefined) gSelect.selectedIndex = metric;
  gData = JSON.parse(text);
  buildTree();
  displayTree();
  return gMainDiv.textContent;
};`;
const begin = performance.now();
const page = vm.runInNewContext(source + show, { document, URLSearchParams, Intl, performance, console });
const text = fs.readFileSync(file, 'utf8');
const pages = (metrics.length === 0 ? [undefined] : metrics.map(Number)).map((metric) => page(text, metric));
console.log(JSON.stringify({ pages, millis: performance.now() - begin }));
