// What stands in a cell. What has a page of its own is a link to it; beside the link the cell filters.
import { element } from '../dom/element.js';
import { show, showTime } from '../dom/format.js';
import { copyButton } from '../dom/parts.js';
import { address } from '../shell/address.js';
import { about } from '../data/site.js';
import { partsOf } from './kinds.js';

const packages = new Set(about.packages);
const stacks = new Set(about.stacks);

const packageLink = (name) => packages.has(name) && address('package', name);
const stackLink = (name) => stacks.has(name) && address('stack', name);
const targetLink = (name) => name !== '' && address('target', name);
const compilerLink = (name) => /^[^@]+@./.test(name) && address('compiler', name);

/// The page of a value, or false, by the name of the column.
const pages = {
  package: packageLink, dependency: packageLink, stack: stackLink, stacks: stackLink, target: targetLink, compiler: compilerLink,
};

function hashLink(hash) {
  const short = `/${hash.slice(0, 7)}`;
  return [
    element('a', { class: 'hash', href: address('build', hash), tabindex: -1 }, short),
    copyButton('', `/${hash}`, { class: 'copy', tabindex: -1, 'aria-label': `Copy ${short}…` }),
  ];
}

function linked(kind, text) {
  if (kind.hashes) return hashLink(text);
  const href = Object.hasOwn(pages, kind.name) && pages[kind.name](text);
  return href ? element('a', { href, tabindex: -1 }, text) : text;
}

/// The content of a cell, as a list of elements and texts. A part of a list says which it is: a click on it filters by it.
export function cellContent(kind, value) {
  if (value == null) return [element('span', { class: 'none' }, '–')];
  if (typeof value !== 'string') return [show(value)];
  if (kind.time) return [showTime(value)];
  if (kind.separator) return partsOf(kind, value).map((part) => element('span', { class: 'part', 'data-value': part }, linked(kind, part)));
  return [linked(kind, value)].flat();
}
