// Numbers and lists in sentences, as the program writes them (schema/text/counted.hpp, reports/render/table/result_table.hpp).
import { count, show } from '../dom/format.js';

export const grouped = show;
export const counted = count;

/// The words that agree with a number: `one` for 1, else `several`.
export const wordsFor = (number, one, several = `${one}s`) => (number === 1 ? one : several);

/// "a, b and c"; where there are more than `most` by two or more, "a, b and 3 others".
export function listed(words, most) {
  if (words.length > most + 1) return `${words.slice(0, most).join(', ')} and ${words.length - most} others`;
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/// Distinct values, in the order of their characters.
export const distinct = (values) => [...new Set(values)].sort();

/// A column with commas between its values, as a list.
export const split = (text) => (text == null || text === '' ? [] : text.replace(/,$/, '').split(','));
