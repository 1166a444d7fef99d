// What stands in a cell.
import { element } from '../dom/element.js';
import { show, showTime } from '../dom/format.js';
import { copyButton } from '../dom/parts.js';
import { address } from '../shell/address.js';
import { about } from '../data/site.js';
import { partsOf } from './kinds.js';

const package_columns = new Set(['package', 'dependency']);
const known = new Set(about.packages);

function hashButton(hash) {
  return copyButton(`/${hash.slice(0, 7)}`, `/${hash}`, { class: 'hash', tabindex: -1 });
}

/// The content of a cell, as a list of elements and texts.
export function cellContent(kind, value) {
  if (value == null) return [element('span', { class: 'none' }, '–')];
  if (kind.hashes && typeof value === 'string') return partsOf(kind, value).map(hashButton);
  if (package_columns.has(kind.name) && known.has(value)) {
    return [element('a', { href: address('package', value), tabindex: -1 }, value)];
  }
  if (kind.time) return [showTime(value)];
  if (kind.separator) return partsOf(kind, value).map((part) => element('span', { class: 'part' }, part));
  return [show(value)];
}
