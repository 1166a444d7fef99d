// Makes elements, and says how values are written for people: CSV and links have the values themselves. Every text is text: nothing here, or
// anywhere in the pages, parses markup. What would not show in it is written out.

const number_format = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

export function show(value) {
  if (value == null) return '–';
  return typeof value === 'number' || typeof value === 'bigint' ? number_format.format(value) : String(value);
}

const hidden = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const joins = /[\u200c\u200d\ufe00-\ufe0f]/u;   // beyond ASCII it is part of the spelling of words and emoji

function writtenOut(character) {
  const code = character.codePointAt(0);
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

/// The text with what would not show, or would turn the writing direction, written out as in the program's tables (\u{202e}). Line ends stay.
export function visible(text) {
  if (!hidden.test(text)) return text;
  let before = '';   // the character before, if it shows
  return Array.from(text, (character) => {
    const shows = joins.test(character) ? before > '~' : !hidden.test(character);
    before = shows ? character : '';
    return shows ? character : writtenOut(character);
  }).join('');
}

/// "1 build", "2 builds". A word that has its plural in itself ("builds that vary") is given both.
export function count(number, one, many = `${one}s`) {
  return `${show(number)} ${number === 1 ? one : many}`;
}

/// "2025-03-30T06:00:00Z" without what says nothing: "2025-03-30 06:00", "2025-03-30".
export function showTime(text) {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):(\d\d)Z$/.exec(text);
  if (!parts) return text;
  return parts[2] === '00:00' && parts[3] === '00' ? parts[1] : `${parts[1]} ${parts[2]}`;
}

export function showDuration(milliseconds) {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/// A column's name for people: "siblings_average" is "siblings average".
export const heading = (column) => column.replaceAll('_', ' ');

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
