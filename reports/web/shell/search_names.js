// The names that a text is a part of. All of them came with the site: nothing is asked of the ledger.
import { about, reports } from '../data/site.js';
import { nearestNames } from '../spec/search/nearest_names.js';
import { address } from './address.js';

const pageOf = (page) => (name) => address(page, name);

const kinds = [
  { title: 'Packages', names: about.packages, link: pageOf('package') },
  { title: 'Stacks', names: about.stacks, link: pageOf('stack') },
  { title: 'Targets', names: about.targets, link: pageOf('target') },
  { title: 'Compilers', names: [...about.compilers].reverse(), link: pageOf('compiler'), is_in_order: true },
  {
    title: 'Snapshots', names: about.snapshots.map((one) => one.name).reverse(), link: (name) => address('', '', { at: name }),
    is_in_order: true,
  },
  { title: 'Reports', names: [...reports.keys()], link: pageOf('report'), note: (name) => reports.get(name).title },
];

const entryOf = ({ link, note }, name) => ({ text: name, note: note?.(name) ?? '', href: link(name) });

// Names that begin with the text come first, then those that have it after a '-', then the others; the shorter ones first, of compilers and
// snapshots the newest.
function found({ names, note, is_in_order }, words) {
  const [first] = words;
  const place = (name) => (name.startsWith(first) ? 0 : name.includes(`-${first}`) ? 1 : 2);
  const has = (name) => words.every((word) => name.toLowerCase().includes(word) || note?.(name).toLowerCase().includes(word));
  return names.filter(has).sort((a, b) => place(a) - place(b) || (is_in_order ? 0 : a.length - b.length));
}

/// Groups of names that have all words of the text: [{title, total, entries: [{text, note, href}]}], at most so many entries in each.
/// "%gcc@13" and "target=zen4" are the compiler and the target.
export function namesLike(text, most) {
  const words = text.trim().toLowerCase().replace(/^(%|target=|os=)/, '').split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const groups = kinds.map((kind) => {
    const names = found(kind, words);
    return { title: kind.title, total: names.length, entries: names.slice(0, most).map((name) => entryOf(kind, name)) };
  });
  return groups.filter(({ total }) => total > 0);
}

/// The names that are nearest to a text that none has, as entries.
export function namesNear(text) {
  const near = nearestNames(text, [...new Set(kinds.flatMap(({ names }) => names))]);
  return near.map((name) => entryOf(kinds.find(({ names }) => names.includes(name)), name));
}
