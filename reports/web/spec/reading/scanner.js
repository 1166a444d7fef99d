// The characters of a spec, from left to right (schema/specs/constraints/spec_scanner.cpp).

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
}
