// The order of values in a column: numbers as numbers, versions and compilers as Spack orders them, other texts by their characters.
// Empty values come first.

// The sort key of a version, as the program makes it: schema/specs/spelling/version_order.cpp says what its parts mean. The order of the
// characters of keys is Spack's order of versions.
const above_numbers = ['stable', 'nightly', 'trunk', 'head', 'master', 'main', 'develop'];
const stages = ['alpha', 'beta', 'rc', 'final'];
const final = stages.length - 1;

const isNumber = (segment) => /^\d/.test(segment);

function numberKey(digits) {
  const shown = digits.replace(/^0+(?=\d)/, '');
  const more = shown.length - 1;
  return 'Z'.repeat(Math.floor(more / 25)) + String.fromCharCode(65 + more % 25) + shown;
}

function segmentKey(segment) {
  if (isNumber(segment)) return numberKey(segment);
  const place = above_numbers.indexOf(segment);
  return place >= 0 ? `_${place + 1}` : `$${segment}.`;
}

// Takes the stage from the end of the segments; at least one other stays. Gives {place, number}; the number may be missing.
function takeStage(segments) {
  const is_numbered = segments.length > 0 && isNumber(segments.at(-1));
  const length = is_numbered ? 2 : 1;
  const place = segments.length > length ? stages.indexOf(segments.at(-length)) : -1;
  if (place < 0) return { place: final, number: null };
  const number = is_numbered ? segments.at(-1) : null;
  segments.length -= length;
  return { place, number };
}

const stageKey = ({ place, number }) => `!${place}${number === null ? '' : numberKey(number)}`;

const segmentsOf = (version) => version.match(/\d+|[A-Za-z]+/g) ?? [];

/// What Spack compares of a version that is no git version: the beginning of its key.
export function releaseKey(version) {
  const segments = segmentsOf(version);
  const stage = takeStage(segments);
  return segments.map(segmentKey).join('') + stageKey(stage);
}

const nextNumber = (digits) => String(BigInt(digits) + 1n);

// The word after this one that is none of those above all numbers: letters have the order of ASCII.
function nextWord(word) {
  let next = word;
  do {
    const last = next.at(-1);
    if (last === undefined || last === 'z') next += 'A';
    else next = next.slice(0, -1) + (last === 'Z' ? 'a' : String.fromCharCode(last.charCodeAt(0) + 1));
  } while (above_numbers.includes(next));
  return next;
}

function nextSegmentKey(segment) {
  if (isNumber(segment)) return numberKey(nextNumber(segment));
  const place = above_numbers.indexOf(segment);
  return place >= 0 ? `_${place + 2}` : segmentKey(nextWord(segment));
}

/// The key of the first version above all that a range up to this one contains: of 1.5 for 1.4, because 1.4.2 is in it.
export function keyAbove(version) {
  const segments = segmentsOf(version);
  const stage = takeStage(segments);
  if (stage.place !== final) {
    const number = stage.number === null ? '0' : nextNumber(stage.number);
    return segments.map(segmentKey).join('') + stageKey({ place: stage.place, number });
  }
  const last = segments.pop() ?? '';
  return segments.map(segmentKey).join('') + nextSegmentKey(last) + stageKey(stage);
}

/// {ref, version} of "git.main=1.2", "main=1.2" and of a commit; null for other versions.
export function gitVersion(version) {
  if (!version.startsWith('git.') && !/^[0-9a-f]{40}$/.test(version) && version.indexOf('=', 1) < 0) return null;
  const text = version.replace(/^git\./, '');
  const equals = text.indexOf('=');
  if (equals < 0) return { ref: text, version: null };
  const is_range = text.indexOf(':', equals) >= 0;
  return { ref: text.slice(0, equals), version: is_range ? null : text.slice(equals + 1) };
}

export function versionKey(version) {
  const git = gitVersion(version);
  if (!git) return `${releaseKey(version)}!${version}`;
  const key = git.version === null ? `~=${git.ref}!` : `${releaseKey(git.version)}=${git.ref}!`;
  return `${key}${version}`;
}

export function compilerKey(compiler) {
  const at = compiler.indexOf('@');
  return at < 0 ? `${compiler}!` : `${compiler.slice(0, at)}!${versionKey(compiler.slice(at + 1))}`;
}

/// The order of the characters.
export const plain = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const keys = { version: versionKey, compiler: compilerKey };

// A key is made once for each text.
function byKey(keyOf) {
  const known = new Map();
  const key = (text) => {
    if (!known.has(text)) known.set(text, keyOf(text));
    return known.get(text);
  };
  return (a, b) => plain(key(a), key(b));
}

/// The rows in the order of this column, those with equal values as they were. Only its different values are compared: a column of
/// many rows has few, or keys that need no work.
export function sortRows(rows, { name, index }, down) {
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(row[index]);
    if (group) group.push(row);
    else groups.set(row[index], [row]);
  }
  const values = [...groups.keys()].sort(compareColumn(name));
  if (down) values.reverse();
  return values.flatMap((value) => groups.get(value));
}

/// How a heading is marked. `sorted`: {column, down} or null.
export const sortState = (sorted, column) => (sorted?.column !== column ? 'none' : sorted.down ? 'descending' : 'ascending');

/// The comparison of values of this column.
export function compareColumn(column) {
  const texts = Object.hasOwn(keys, column) ? byKey(keys[column]) : plain;
  return (a, b) => {
    if (a == null || b == null) return (a != null) - (b != null);
    return typeof a === 'string' && typeof b === 'string' ? texts(a, b) : plain(a, b);
  };
}
