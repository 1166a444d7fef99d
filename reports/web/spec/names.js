// Names that a reader may have meant, and names that a spec can ask for.
import { parseSpec } from './parse.js';
import { emptyQuery, queryText } from './query.js';
import { parseCompiler, TargetOrder } from './values.js';
import { SpecError } from './versions.js';
import { plain } from '../table/order.js';

// The names that a reader most likely meant, by the program's rule for mistypes (schema/ledger/names/nearest.hpp).
const most_near = 3;
const short_word = 6;

// How many characters to add, remove or replace, or neighbours to swap, turn `a` into `b`; more than `most` if that is far off.
function editDistance(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before = [];
  let row = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let i = 0; i < a.length; ++i) {
    const next = [i + 1];
    for (let j = 0; j < b.length; ++j) {
      next[j + 1] = Math.min(row[j] + (a[i] === b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1);
      if (i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j]) next[j + 1] = Math.min(next[j + 1], before[j - 1] + 1);
    }
    [before, row] = [row, next];
  }
  return row.at(-1);
}

// Two changes turn a short word into any other, unless both begin alike.
function distanceOfWord(typed, word, most) {
  const distance = editDistance(typed, word, most);
  return distance > 1 && typed.length <= short_word && typed[0] !== word[0] ? most + 1 : distance;
}

const distanceOfWords = (typed, name, most) =>
  Math.min(most + 1, ...name.split(/[/_-]/).filter(Boolean).map((word) => distanceOfWord(typed, word, most)));

// Whether the name, or one of its words, begins with what is typed.
function beginsWith(name, typed) {
  const text = typed.endsWith('*') ? typed.slice(0, -1) : typed;
  return name.startsWith(text) || ['/', '-', '_'].some((separator) => name.includes(separator + text));
}

const low = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/// At most three names, which differ by the fewest characters; if all differ too much, those that begin with what is typed.
export function nearestNames(typed, names) {
  if (typed.length < 2) return [];
  const asked = low(typed);
  const most = Math.min(Math.max(2, Math.floor(typed.length / 3)), typed.length - 1);
  const near = [];
  for (const name of names) {
    const one = low(name);
    const whole = one === '' ? most + 1 : distanceOfWord(asked, one, most);
    const distance = Math.min(whole, distanceOfWords(asked, one, most));
    if (distance <= most) near.push({ distance, is_word: whole > distance, name });
    else if (beginsWith(one, asked)) near.push({ distance: most + 1, is_word: !one.startsWith(asked), name });
  }
  near.sort((a, b) => a.distance - b.distance || a.is_word - b.is_word || plain(a.name, b.name));
  return near.filter((one) => one.distance === near[0].distance).slice(0, most_near).map((one) => one.name);
}

/// "no package 'kokos'; did you mean 'kokkos', 'kokkos-kernels'?", or `otherwise` where no name is near.
export function textOfUnknown(what, typed, names, otherwise) {
  const near = nearestNames(typed, names);
  const head = `no ${what} '${typed}'`;
  if (near.length > 0) return `${head}; did you mean '${near.join("', '")}'?`;
  return otherwise ? `${head}; ${otherwise}` : head;
}

// Names of the ledger that a spec can ask for. Others would be read as something else: 'zen4,zen5' as two targets, 'a b' as no target.
const no_order = new TargetOrder([]);

function parsed(text) {
  try {
    return parseSpec(text, no_order);
  } catch (error) {
    if (error instanceof SpecError) return emptyQuery();
    throw error;
  }
}

/// The spec that asks for the builds of a target; null if none can.
export function specOfTarget(name) {
  const text = `target=${name}`;
  const { target, ...rest } = parsed(text);
  return target?.text === name && target.ranges.length === 1 && target.ranges[0].is_one && name !== '*'
    && queryText({ ...rest, target: null }) === '*' ? text : null;
}

const isOne = ({ range }) => !range || range.is_exact || range.from === range.to;

/// The same for a compiler: "gcc@13.2.0".
export function specOfCompiler(name) {
  const text = `%${name}`;
  const query = parsed(text);
  const [dependency] = query.dependencies;
  if (!dependency || queryText({ ...query, dependencies: [] }) !== '*') return null;
  const { version, ...rest } = dependency.spec;
  const { name: wanted, version: wanted_version } = parseCompiler(name);
  const is_alone = query.dependencies.length === 1 && queryText({ ...rest, version: emptyQuery().version }) === wanted;
  const is_one = wanted_version === null ? version.allows_all : version.items.length === 1 && isOne(version.items[0]);
  return is_alone && is_one ? text : null;
}
