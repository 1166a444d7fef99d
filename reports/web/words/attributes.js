// Builds that came or went for one attribute, in words (reports/engine/drift/change_words.hpp).
import { sum } from '../data/rows.js';
import { counted, distinct, grouped, listed } from './numbers.js';

const most_values = 2;

const brackets = (values) => (values.length === 0 || values.length > most_values ? '' : ` (${values.join(', ')})`);

// "for target zen3 gone", "for 5 targets gone".
function goneWords({ lost }, { preposition, others, noun }) {
  if (lost.length === 0 || noun === '') return `${preposition} ${others} gone`;
  if (lost.length > most_values) return `${preposition} ${lost.length} ${noun}s gone`;
  return `${preposition} ${noun}${lost.length === 1 ? '' : 's'} ${lost.join(' and ')} gone`;
}

function wordsOfOneSeries(change, words) {
  const { added, removed, gained, lost } = change;
  const other = `${words.preposition} ${gained.length > 1 ? words.others : words.another}`;
  if (added === 0) return `${counted(removed, 'build')} ${goneWords(change, words)}`;
  if (change.is_even) {
    const values = brackets(lost) === '' || brackets(gained) === '' ? '' : ` (${lost.join(', ')} -> ${gained.join(', ')})`;
    return `${counted(added, 'build')} ${other}${values}`;
  }
  return `${counted(added, 'new build')} ${other}${brackets(gained)}` +
    (removed > 0 ? `, ${grouped(removed)} gone${brackets(lost)}` : '');
}

function wordsOfTwo({ added, removed, gained, lost }, words, names) {
  const parts = [];
  const add = (specs, values, name) => {
    if (specs === 0) return;
    const what = parts.length > 0 ? grouped(specs)
      : `${counted(specs, 'build')} ${words.preposition} ${values.length > 1 ? words.others : words.another}`;
    parts.push(`${what} only in ${name}${brackets(values)}`);
  };
  add(added, gained, names.to);
  add(removed, lost, names.from);
  return parts.join(', ');
}

/// {specs, text}. `change`: {added, removed, gained, lost, is_even}; `words`: how the attribute is called; `names`: the two snapshots.
export function attributeClause(change, words, names) {
  return {
    specs: change.added + change.removed,
    text: names.is_of_one_series ? wordsOfOneSeries(change, words) : wordsOfTwo(change, words, names),
  };
}

const nouns = ['platform', 'os', 'target'];
const words_of_nouns = { platform: 'platform', os: 'operating system', target: 'target' };

function systemWords(ways, is_either) {
  const one = ways.map((way) => words_of_nouns[way]);
  const joined = (words) => (is_either ? words.join(' or ') : listed(words, nouns.length));
  return {
    preposition: 'for', another: `another ${joined(one)}`, others: `other ${joined(one.map((word) => `${word}s`))}`,
    noun: one.length === 1 ? one[0] : 'system',
  };
}

// Whether as many builds came as went, of each version.
function isEven(rows) {
  const balance = new Map();
  for (const row of rows) {
    const version = JSON.stringify([row.package, row.version]);
    balance.set(version, (balance.get(version) ?? 0) + (row.change === 'added' ? row.specs : -row.specs));
  }
  return [...balance.values()].every((difference) => difference === 0);
}

/// A clause for each way in which systems differ. `systems`: the rows of reports/engine/drift/system_changes.sql.
export function systemClauses(systems, names) {
  const ways = (row) => [...nouns.map((noun) => row[`differs_${noun}`]), row.is_either].join('');
  return distinct(systems.map(ways)).map((key) => {
    const rows = systems.filter((row) => ways(row) === key);
    const differing = nouns.filter((noun) => rows[0][`differs_${noun}`] === 1);
    const [gained, lost] = ['added', 'removed'].map((change) => rows.filter((row) => row.change === change));
    const values = (some) => distinct(some.map((row) => differing.map((noun) => row[noun] ?? '').join('-')));
    const change = {
      added: sum(gained, 'specs'), removed: sum(lost, 'specs'), gained: values(gained), lost: values(lost), is_even: isEven(rows),
    };
    return attributeClause(change, systemWords(differing, rows[0].is_either === 1), names);
  });
}
