// Making and mending DOM nodes. Nothing here writes HTML from strings.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'class') node.setAttribute('class', value);
    else if (key === 'data') Object.assign(node.dataset, value);
    else if (key === 'text') node.textContent = value;
    else if (key === 'value' || key === 'checked' || key === 'selected') node[key] = value;
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An HTML element: `h('button', { class: 'solid', onclick }, 'Stop')`.
 *  @param {string} tag @param {Record<string, any> | null} [props] @param {any[]} children @returns {any} */
export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);

/** An SVG element. @param {string} tag @param {Record<string, any> | null} [props] @param {any[]} children @returns {any} */
export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

/** Sets the text only if it changed, so that nothing is painted which did not change. @param {Node} node @param {string} value */
export function text(node, value) {
  if (node.textContent !== value) node.textContent = value;
}

/** Sets or removes an attribute only if it changed. @param {Element} node @param {string} name @param {unknown} value */
export function attr(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const wanted = value === true ? '' : String(value);
    if (node.getAttribute(name) !== wanted) node.setAttribute(name, wanted);
  }
}

/** The name of the key of an event: a Latin letter by what is printed on the key, so that Ctrl+Z is the same on every
 *  layout, `Enter` for every Enter key, any other key by its place. @param {Pick<KeyboardEvent, 'key' | 'code'>} event */
export function keyName({ key, code }) {
  if (/^[a-z]$/i.test(key ?? '')) return `Key${key.toUpperCase()}`;
  return key === 'Enter' ? key : code;
}

/** The element that is known to be there. @param {string} selector @param {ParentNode} root @returns {any} */
export const $ = (selector, root = document) => root.querySelector(selector);
/** @param {string} selector @param {ParentNode} root @returns {HTMLElement[]} */
export const $$ = (selector, root = document) => [...root.querySelectorAll(/** @type {'div'} */ (selector))];
