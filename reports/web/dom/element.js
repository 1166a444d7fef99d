// Makes elements. Every text is text: nothing here, or anywhere in the pages, parses markup. What would not show in it is written out.
import { visible } from './format.js';

const read_attributes = new Set(['title', 'label', 'placeholder', 'aria-label', 'data-label']);

/// An element with attributes and children. An attribute that is null or false is left out; `onclick` and the like are listeners;
/// children may be lists; null and false among them are left out.
export function element(tag, attributes, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/// The same for SVG.
export function drawn(tag, attributes, ...children) {
  return furnish(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function furnish(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value == null || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (name === 'style') made.style.cssText = value;
    else made.setAttribute(name, value === true ? '' : read_attributes.has(name) ? visible(String(value)) : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child != null && child !== false)
    .map((child) => (typeof child === 'string' ? visible(child) : child)));
  return made;
}

/// Calls `act` for the next frame when the element was scrolled: once, however often it is.
export function onScroll(scroller, act) {
  let asked = false;
  scroller.addEventListener('scroll', () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      act();
    });
  }, { passive: true });
}

/// Calls `act` once `made` is in the document and has a width, and again when the width changes.
export function onWidth(made, act) {
  let known = 0;
  new ResizeObserver(() => {
    const width = Math.floor(made.getBoundingClientRect().width);
    if (width > 0 && width !== known) {
      known = width;
      act(width);
    }
  }).observe(made);
}
