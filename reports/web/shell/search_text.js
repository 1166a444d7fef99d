// What a text that is searched for can be, beside a part of a name.
import { about } from '../data/site.js';
import { namesLike } from './search_names.js';

/// A spec has one of Spack's signs, or a pattern's.
const isSpec = (text) => /[@+~%^=*?[]|(^|\s)[/-]/.test(text);

/// "1.14.3", "develop": a version of any package.
const isVersion = (text) => /^\d+(\.[\w.-]*)?$|^(develop|main|master|stable)$/.test(text) && !about.packages.includes(text);

const fewest_digits = 4;   // of a hash without '/': shorter ones are words

/// The hash, or the beginning of one, that the text is; null if it is none. Without '/' it must have a digit, or be no part of a name.
export function hashOf(text) {
  const [, slash, hash] = /^(\/?)([a-z2-7]{1,32})$/.exec(text) ?? [];
  if (hash === undefined || slash !== '') return hash ?? null;
  return hash.length >= fewest_digits && !isVersion(text) && (/\d/.test(hash) || namesLike(text, 1).length === 0) ? hash : null;
}

/// Whether only the ledger knows what a text that is typed means. For the name of a package the names are enough.
export const asksLedger = (text) => hashOf(text) !== null || isVersion(text) || isSpec(text);

/// The spec whose builds a text asks for; null if it asks for none.
export function specOf(text) {
  if (isVersion(text)) return `@${text}`;
  return isSpec(text) || about.packages.includes(text) ? text : null;
}
