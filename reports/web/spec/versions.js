// The characters of a spec, from left to right (schema/specs/constraints/spec_scanner.cpp), and the versions that it allows.
import { answer, anyOf, no, unknown, yes } from './values.js';
import { gitVersion, keyAbove, plain, releaseKey } from '../table/order.js';

/// A text that is no spec. The message is the program's: "spec 'hdf5@@1', column 6: expected a version, found '@1'".
export class SpecError extends Error {
  constructor(text, at, problem) {
    super(`spec '${text}', column ${[...text.slice(0, at)].length + 1}: ${problem}`);
  }
}

const blanks = ' \t\r\n\f\v';
const isWord = (character) => /[A-Za-z0-9_]/.test(character);
const isValue = (character) => isWord(character) || '-+*.,:=%^~/\\'.includes(character);

/// The words of a text between blanks.
export const wordsOf = (text) => text.split(/[ \t\r\n\f\v]+/).filter(Boolean);

// The length of what stands in quotes. A quote behind a backslash does not close, unless no other does.
function quotedLength(text) {
  let escaped = 0;
  for (let i = 1; i < text.length; ++i) {
    if (text[i] !== text[0]) continue;
    if (text[i - 1] !== '\\') return i + 1;
    escaped = i + 1;
  }
  return escaped;
}

function withoutQuotes(quoted) {
  const inner = quoted.slice(1, -1);
  return inner.replaceAll(`\\${quoted[0]}`, quoted[0]);
}

function lengthWhile(text, isOfIt) {
  let length = 0;
  while (length < text.length && isOfIt(text[length])) ++length;
  return length;
}

export class Scanner {
  constructor(text, at = 0) {
    this.text = text;
    this.at = at;
  }

  get rest() {
    return this.text.slice(this.at);
  }

  get is_at_end() {
    return this.at === this.text.length;
  }

  sees(what) {
    return this.text.startsWith(what, this.at);
  }

  seesAny(characters) {
    return !this.is_at_end && characters.includes(this.text[this.at]);
  }

  skipBlanks() {
    this.at += lengthWhile(this.rest, (character) => blanks.includes(character));
  }

  take(size) {
    const taken = this.text.slice(this.at, this.at + size);
    this.at += taken.length;
    return taken;
  }

  takeIf(what) {
    const is_there = this.sees(what);
    if (is_there) this.at += what.length;
    return is_there;
  }

  /// The length of what begins here, or `from` characters behind here, with a letter, digit or '_' and goes on with these or `more`.
  wordLength(more, from = 0) {
    const text = this.rest.slice(from);
    return text !== '' && isWord(text[0]) ? lengthWhile(text, (character) => isWord(character) || more.includes(character)) : 0;
  }

  takeWord(more) {
    return this.take(this.wordLength(more));
  }

  valueLength() {
    return this.seesAny('"\'') ? quotedLength(this.rest) : lengthWhile(this.rest, isValue);
  }

  /// Takes a value, bare or in quotes, and gives it without them. A bare value is of the characters that Spack allows, or of letters,
  /// digits, '_' and `more`.
  takeValue(more = null) {
    if (more === null || this.seesAny('"\'')) return this.takeAnyValue();
    const length = lengthWhile(this.rest, (character) => isWord(character) || more.includes(character));
    if (length === 0) this.fail('a value');
    return this.take(length);
  }

  takeAnyValue() {
    const begin = this.at;
    const length = this.valueLength();
    if (length === 0) this.fail(this.seesAny('"\'') ? 'a closing quote' : 'a value');
    const taken = this.take(length);
    if (!'"\''.includes(taken[0])) return taken;
    const value = withoutQuotes(taken);
    if (value.endsWith('\\')) this.failAt(begin, 'expected a value in quotes that does not end with a backslash');
    return value;
  }

  fail(expected) {
    const word = this.rest.slice(0, lengthWhile(this.rest, (character) => !blanks.includes(character)));
    this.failAt(this.at, word === '' ? `expected ${expected}` : `expected ${expected}, found '${word}'`);
  }

  failAt(at, problem) {
    throw new SpecError(this.text, at, problem);
  }

  /// What `make` gives. What is wrong with it is wrong at this place.
  tryAt(at, make) {
    try {
      return make();
    } catch (error) {
      return this.failAt(at, error.message);
    }
  }
}

// The versions that a spec allows, as Spack means them: 1.14 is every version that begins so, both ends of a range are in it, and a
// prerelease comes before its release (schema/specs/constraints/version_set.cpp).
const of_version = '-.';   // beside letters, digits and '_'
const of_git_ref = '-./';

function rangeText({ is_exact, from, to }) {
  if (is_exact) return `=${from}`;
  return from !== null && from === to ? from : `${from ?? ''}:${to ?? ''}`;
}

function itemText({ ref, is_commit, range }) {
  if (ref === null) return rangeText(range);
  const name = is_commit ? ref : `git.${ref}`;
  if (!range) return name;
  // What follows a ref with '=' is one version, without a further '='.
  return `${name}=${range.is_exact ? range.from : rangeText(range)}`;
}

function keysOf(range) {
  const keys = { from: range.from === null ? '' : releaseKey(range.from), below: range.to === null ? '' : keyAbove(range.to) };
  if (keys.below !== '' && keys.below <= keys.from) {
    throw new Error(`expected a range from the lower version to the higher one, found '${rangeText(range)}'`);
  }
  return keys;
}

function isIn(range, keys, key) {
  if (range.is_exact) return key === keys.from;
  return keys.from <= key && (keys.below === '' || key < keys.below);
}

// null: they have nothing in common.
function inBoth(one, more) {
  if (one.ref !== null || more.ref !== null) return one.text === more.text ? one : null;
  if (one.range.is_exact) return isIn(more.range, more.keys, one.keys.from) ? one : null;
  if (more.range.is_exact) return isIn(one.range, one.keys, more.keys.from) ? more : null;
  const lower = one.keys.from >= more.keys.from ? one : more;
  const upper = one.keys.below !== '' && (more.keys.below === '' || one.keys.below < more.keys.below) ? one : more;
  if (upper.keys.below !== '' && lower.keys.from >= upper.keys.below) return null;
  return { ref: null, is_commit: false, range: { is_exact: false, from: lower.range.from, to: upper.range.to } };
}

/// Without items every version is allowed. An item is {ref, is_commit, range}; a range is {is_exact, from, to}.
export class VersionSet {
  constructor(items = []) {
    const first = (item) => (item.range?.from ? releaseKey(item.range.from) : '');
    const known = items.map((item) => ({ ...item, text: itemText(item), first: first(item) }));
    known.sort((a, b) => (a.ref !== null) - (b.ref !== null) || plain(a.first, b.first) || plain(a.text, b.text));
    this.items = known.filter((item, place) => item.text !== known[place - 1]?.text)
      .map((item) => ({ ...item, keys: item.range && keysOf(item.range) }));
    this.text = this.items.map((item) => item.text).join(',');
    if (this.text === ':') Object.assign(this, { items: [], text: '' });
  }

  get allows_all() {
    return this.items.length === 0;
  }

  /// What both allow; null if they have nothing in common. A version from git is in both only if both name it.
  intersection(other) {
    if (this.allows_all || other.allows_all) return this.allows_all ? other : this;
    const both = this.items.flatMap((one) => other.items.map((more) => inBoth(one, more))).filter(Boolean);
    return both.length === 0 ? null : new VersionSet(both);
  }

  /// Unknown for a git version of which the ledger does not know for which version it stands, where a range must be compared with it.
  contains(version) {
    if (this.allows_all) return yes;
    const git = gitVersion(version);
    const standard = git ? git.version : version;
    let found = no;
    for (const { ref, range, keys } of this.items) {
      const can_be = ref !== null ? ref === git?.ref : !(git && range?.is_exact);
      if (!can_be) continue;
      if (!range || (!range.is_exact && range.from === null && range.to === null)) return yes;
      found = anyOf(found, standard === null ? unknown : answer(isIn(range, keys, releaseKey(standard))));
    }
    return found;
  }
}

/// Takes "@1.12:1.14,=2.0". Blanks may stand around the commas, but not in a range: "@1: b" is a version and another spec.
export function takeVersions(scanner) {
  const { at } = scanner;
  scanner.takeIf('@');
  const items = [];
  for (;;) {
    scanner.skipBlanks();
    items.push(takeItem(scanner));
    const behind = scanner.at;
    scanner.skipBlanks();
    if (scanner.takeIf(',')) continue;
    scanner.at = behind;
    break;
  }
  return scanner.tryAt(at, () => new VersionSet(items));
}

function takeItem(scanner) {
  if (scanner.takeIf('git.')) {
    const length = scanner.wordLength(of_git_ref);
    if (length === 0) scanner.fail("a branch, tag or commit behind 'git.'");
    return takeGitVersion(scanner, length, false);
  }
  const length = scanner.wordLength('');
  if (gitVersion(scanner.rest.slice(0, length))) return takeGitVersion(scanner, length, true);   // a commit
  const range = takeRange(scanner);
  if (!range) scanner.fail('a version like 1.14, =1.14.3, 1.12:1.14 or git.main');
  return { ref: null, is_commit: false, range };
}

// A ref, and the version or the range that it stands for: "git.main=1.2".
function takeGitVersion(scanner, length, is_commit) {
  const ref = scanner.take(length);
  if (!scanner.takeIf('=')) return { ref, is_commit, range: null };
  const range = scanner.sees('=') ? null : takeRange(scanner);
  if (!range) scanner.fail(`the version that '${ref}' stands for`);
  return { ref, is_commit, range: { ...range, is_exact: range.from !== null && range.from === range.to } };
}

function takeRange(scanner) {
  if (scanner.takeIf('=')) {
    const from = takeVersion(scanner);
    if (scanner.sees(':')) scanner.fail("no range behind '=', which stands for one version");
    return { is_exact: true, from, to: from };
  }
  const from = scanner.wordLength(of_version) > 0 ? takeVersion(scanner) : null;
  if (!scanner.takeIf(':')) return from === null ? null : { is_exact: false, from, to: from };
  if (scanner.seesAny(':=')) scanner.fail("a version or nothing behind ':'");
  return { is_exact: false, from, to: seesUpperEnd(scanner) ? takeVersion(scanner) : null };
}

// "@1.2:develop=foo" is the version 1.2: and a variant.
function seesUpperEnd(scanner) {
  const length = scanner.wordLength(of_version);
  const behind = new Scanner(scanner.text, scanner.at + length);
  behind.skipBlanks();
  return length > 0 && !behind.sees('=');
}

function takeVersion(scanner) {
  const word = scanner.rest.slice(0, scanner.wordLength(of_version));
  if (word === '' || of_version.includes(word.at(-1))) {
    scanner.fail("a version that begins and ends with a letter, a digit or '_'");
  }
  return scanner.take(word.length);
}
