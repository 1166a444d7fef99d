// The order of values in a column: numbers as numbers, versions and compilers as Spack orders them (schema/spelling/version_order.hpp),
// other texts by their characters. Empty values come first.

const above_numbers = ['stable', 'nightly', 'trunk', 'head', 'master', 'main', 'develop'];
const stages = ['alpha', 'beta', 'rc', 'final'];

const plain = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

// A word, a number and a word above all numbers, in this order: [0, text], [1, number], [2, place].
function segment(text) {
  if (/\d/.test(text)) return [1, BigInt(text)];
  const place = above_numbers.indexOf(text);
  return place < 0 ? [0, text] : [2, place];
}

/// What versions are compared by: {segments, stage, number}.
function versionKey(version) {
  const words = version.match(/\d+|[A-Za-z]+/g) ?? [];
  const numbered = /\d/.test(words.at(-1) ?? '');
  const length = numbered ? 2 : 1;
  const place = words.length > length ? stages.indexOf(words.at(-length)) : -1;
  const number = place >= 0 && numbered ? BigInt(words.at(-1)) : -1n;
  return {
    segments: (place >= 0 ? words.slice(0, -length) : words).map(segment),
    stage: place >= 0 ? place : stages.length - 1,
    number,
  };
}

export function compareVersions(a, b) {
  const [one, other] = [versionKey(a), versionKey(b)];
  const shared = Math.min(one.segments.length, other.segments.length);
  for (let index = 0; index < shared; ++index) {
    const [kind, value] = one.segments[index];
    const [kind_of_other, value_of_other] = other.segments[index];
    const order = kind - kind_of_other || plain(value, value_of_other);
    if (order) return order;
  }
  return one.segments.length - other.segments.length || one.stage - other.stage ||
    plain(one.number, other.number) || plain(a, b);
}

function compareCompilers(a, b) {
  const [[name, version], [name_of_other, version_of_other]] = [a, b].map((text) => text.split(/@(.*)/s));
  return plain(name, name_of_other) || compareVersions(version ?? '', version_of_other ?? '');
}

function compareTexts(column) {
  if (column === 'version') return compareVersions;
  return column === 'compiler' ? compareCompilers : plain;
}

/// The comparison of values of this column.
export function compareColumn(column) {
  const texts = compareTexts(column);
  return (a, b) => {
    if (a == null || b == null) return (a != null) - (b != null);
    return typeof a === 'string' && typeof b === 'string' ? texts(a, b) : plain(a, b);
  };
}
