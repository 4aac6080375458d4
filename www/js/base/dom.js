// Creates and updates DOM nodes. No function here parses HTML.
//
// `v` describes an element, `h` creates one, and `patch` makes the children of an element those that are described. A view
// describes all that it shows at every drawing. Elements that are still there keep their identity and with it the keyboard
// focus: they are found by their `key`, or by their place and tag. A description that is used again is not compared.

const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';

/** Properties that are set on the node, not as attributes. */
const FIELDS = ['value', 'checked', 'selected', 'open'];

class Description {
  /** @param {string} selector @param {any[]} rest */
  constructor(selector, rest) {
    const [first] = rest;
    const hasProps = first === null || (typeof first === 'object' && first.constructor === Object);
    const [tag, ...classes] = selector.split('.');
    const { key, ...props } = (hasProps && first) || {};
    this.tag = tag;
    this.key = key;
    this.props = props;
    if (classes.length > 0) props.class = [...classes, props.class].filter(Boolean).join(' ');
    if (tag === 'button') props.type ??= 'button';
    this.children = hasProps ? rest.slice(1) : rest;
  }
}

/** The last description of each node. @type {WeakMap<Node, Description>} */
const described = new WeakMap();

const isEmpty = (value) => value === undefined || value === null || value === false;

function set(node, key, value) {
  if (key.startsWith('on')) node[key] = value || null;
  else if (key === 'data') Object.assign(node.dataset, value);
  else if (key === 'style')
    for (const [name, part] of Object.entries(value)) node.style.setProperty(name, part);
  else if (key === 'text') node.textContent = value;
  else if (FIELDS.includes(key)) node[key] = value;
  else attr(node, key, value);
}

const same = (a, b) => a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** Makes a node what is described: its children, then its properties. @param {Element} node @param {Description} next */
function update(node, next) {
  const before = described.get(node);
  if (before === next) return node;
  const old = before?.props ?? {};
  if (!('text' in next.props)) patch(node, next.children);
  for (const key of Object.keys(old)) if (!(key in next.props)) set(node, key, null);
  for (const [key, value] of Object.entries(next.props))
    if (key in old ? !same(value, old[key]) : !isEmpty(value)) set(node, key, value);
  described.set(node, next);
  return node;
}

/** Creates a node that `patch` leaves as it is. @param {string} namespace @param {string} selector @param {any[]} rest @returns {any} */
function create(namespace, selector, rest) {
  const description = new Description(selector, rest);
  const node = update(document.createElementNS(namespace, description.tag), description);
  described.delete(node);
  return node;
}

/** Describes an element: `v('button.solid', { onclick }, 'Stop')`. Classes follow the tag, properties may be omitted.
 *  `key` names the element among its siblings, `data` sets the data set, `style` sets style properties, `on…` a handler.
 *  @param {string} selector @param {any[]} rest properties and children @returns {any} */
export const v = (selector, ...rest) => new Description(selector, rest);

/** Describes an element with a child for each item. @template T @param {string} selector @param {Iterable<T>} items
 *  @param {(item: T, index: number) => any} child */
export const each = (selector, items, child) => v(selector, Array.from(items, child));

/** Describes the header cells of columns. @param {Iterable<any>} names */
export const columns = (names) => each('tr', names, (name) => v('th', { scope: 'col' }, name));

/** Describes the options of a choice. @param {any[][]} pairs of value and label */
export const options = (pairs) => pairs.map(([value, label]) => v('option', { value }, label));

/** Describes a button, named among its siblings by its label. @param {string} label @param {(event: Event) => unknown} onclick */
export const button = (label, onclick, props = {}) =>
  v('button', { class: 'plain', key: label, onclick, ...props }, label);

/** Fills the space of a row: the parts after it are at the end. */
export const spring = () => v('span.sp');

/** Creates an HTML element from the arguments of `v`. @param {string} selector @param {any[]} rest @returns {any} */
export const h = (selector, ...rest) => create(HTML, selector, rest);

/** Creates an SVG element from the arguments of `v`. @param {string} selector @param {any[]} rest @returns {any} */
export const s = (selector, ...rest) => create(SVG, selector, rest);

/** Inserts a node before `place`. A node that is moved within the page keeps the focus inside it.
 *  @param {Element} parent @param {Node} node @param {Node | null} place */
function move(parent, node, place) {
  const { activeElement } = document;
  const focused = node.contains(activeElement) ? activeElement : null;
  parent.insertBefore(node, place);
  /** @type {HTMLElement | null} */ (focused)?.focus({ preventScroll: true });
}

/** Makes the children of a node the given descriptions, nodes and texts. Empty values are skipped.
 *  @param {Element} parent @param {...any} children */
export function patch(parent, ...children) {
  const next = children.flat(Infinity).filter((child) => !isEmpty(child) && child !== '');
  const keys = new Set(next.map((child) => child.key));
  /** @type {Map<any, ChildNode>} */
  const keyed = new Map();
  for (const child of [...parent.childNodes]) {
    const key = described.get(child)?.key;
    if (key === undefined) continue;
    if (keys.has(key)) keyed.set(key, child);
    else child.remove();
  }
  /** @type {ChildNode | null} */
  let place = parent.firstChild;
  for (const child of next) {
    /** @type {any} */
    let node = child;
    if (child instanceof Description) {
      const found = child.key === undefined ? place : keyed.get(child.key);
      const old = found && described.get(found);
      const fits = found && old?.tag === child.tag && old.key === child.key;
      node = update(/** @type {Element} */ (fits ? found : document.createElement(child.tag)), child);
    } else if (!(child instanceof Node)) {
      node = place instanceof Text ? place : new Text();
      text(node, String(child));
    }
    if (place && node === place) place = place.nextSibling;
    else move(parent, node, place);
  }
  for (let rest = place; rest; rest = place) {
    place = rest.nextSibling;
    rest.remove();
  }
}

/** Sets the text only if it changed, so that unchanged text is not painted again. @param {Node} node @param {string} value */
export function text(node, value) {
  if (node.textContent !== value) node.textContent = value;
}

/** Sets or removes an attribute only if it changed. @param {Element} node @param {string} name @param {unknown} value */
export function attr(node, name, value) {
  if (isEmpty(value)) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const wanted = value === true && !name.startsWith('aria-') ? '' : String(value);
    if (node.getAttribute(name) !== wanted) node.setAttribute(name, wanted);
  }
}

/** Returns the name of the key of an event: a Latin letter by the character printed on the key, so that Ctrl+Z is the same on every
 *  layout, `Enter` for every Enter key, any other key by its place. @param {Pick<KeyboardEvent, 'key' | 'code'>} event */
export function keyName({ key, code }) {
  if (/^[a-z]$/i.test(key ?? '')) return `Key${key.toUpperCase()}`;
  return key === 'Enter' ? key : code;
}

/** On small screens, scrolls a part of the page into view. @param {HTMLElement} node */
export const reveal = (node) =>
  matchMedia('(max-width: 700px)').matches && node.scrollIntoView({ block: 'nearest' });

const FIELD_SELECTOR =
  'input:not([type=checkbox], [type=radio], [type=file]), textarea, select, [contenteditable]';

/** Returns `true` if a key belongs to a composition, a field or a dialog. @param {any} event */
export const isTyping = ({ isComposing, keyCode, target }) =>
  Boolean(isComposing || keyCode === 229 || target.closest?.(FIELD_SELECTOR) || $('dialog[open]'));

/** The first matching element, which must exist. @param {string} selector @param {ParentNode} root @returns {any} */
export const $ = (selector, root = document) => root.querySelector(selector);
/** @param {string} selector @param {ParentNode} root @returns {HTMLElement[]} */
export const $$ = (selector, root = document) => [...root.querySelectorAll(/** @type {'div'} */ (selector))];
