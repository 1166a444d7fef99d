// What changed between two snapshots, in words: the sentence of `cacheledger diff` (reports/questions/diff/diff_sentence.cpp,
// reports/engine/drift/change_words.hpp).
import { count, show } from '../dom/element.js';
import { groupBy, sum } from '../data/ask.js';

// Numbers and lists in sentences, as the program writes them (schema/text/counted.hpp, reports/render/table/result_table.hpp).
/// The words that agree with a number: `one` for 1, else `several`.
export const wordsFor = (number, one, several = `${one}s`) => (number === 1 ? one : several);

/// "a, b and c"; where there are more than `most` by two or more, "a, b and 3 others".
export function listed(words, most) {
  if (words.length > most + 1) return `${words.slice(0, most).join(', ')} and ${words.length - most} others`;
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/// Distinct values, in the order of their characters.
const distinct = (values) => [...new Set(values)].sort();

/// A column with commas between its values, as a list.
const split = (text) => (text == null || text === '' ? [] : text.replace(/,$/, '').split(','));

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
  if (added === 0) return `${count(removed, 'build')} ${goneWords(change, words)}`;
  if (change.is_even) {
    const values = brackets(lost) === '' || brackets(gained) === '' ? '' : ` (${lost.join(', ')} -> ${gained.join(', ')})`;
    return `${count(added, 'build')} ${other}${values}`;
  }
  return `${count(added, 'new build')} ${other}${brackets(gained)}` +
    (removed > 0 ? `, ${show(removed)} gone${brackets(lost)}` : '');
}

function wordsOfTwo({ added, removed, gained, lost }, words, names) {
  const parts = [];
  const add = (specs, values, name) => {
    if (specs === 0) return;
    const what = parts.length > 0 ? show(specs)
      : `${count(specs, 'build')} ${words.preposition} ${values.length > 1 ? words.others : words.another}`;
    parts.push(`${what} only in ${name}${brackets(values)}`);
  };
  add(added, gained, names.to);
  add(removed, lost, names.from);
  return parts.join(', ');
}

/// {specs, text}. `change`: {added, removed, gained, lost, is_even}; `words`: how the attribute is called; `names`: the two snapshots.
function attributeClause(change, words, names) {
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
const isEven = (rows) => [...groupBy(rows, (row) => JSON.stringify([row.package, row.version])).values()].every((list) =>
  list.reduce((balance, row) => balance + (row.change === 'added' ? row.specs : -row.specs), 0) === 0);

/// A clause for each way in which systems differ. `systems`: the rows of reports/engine/drift/system_changes.sql.
function systemClauses(systems, names) {
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

const most_stacks_named = 3;

// `rows`: those of reports/engine/drift/stack_changes.sql, one for each build and stack.
function loneStacks(rows, change) {
  const mine = rows.filter((row) => row.change === change);
  const builds = [...new Map(mine.map((row) => [row.spec_id, row])).values()];
  const number = (holds) => builds.filter(holds).length;
  return {
    names: distinct(mine.map((row) => row.stack)), builds: builds.length, stay: number((row) => row.stays === 1),
    others: number((row) => row.stays !== 1), in_none: number((row) => row.in_none === 1),
  };
}

// "Stack ml is", "Stacks e4s and ml are".
const subject = ({ names }) => `Stack${names.length === 1 ? '' : 's'} ${listed(names, most_stacks_named)} ${wordsFor(names.length, 'is', 'are')}`;

// "2 builds"; where more may be in the stack, "2 of these builds".
const buildsIn = (number, is_of_all) => (is_of_all ? count(number, 'build') : `${show(number)} of these builds`);

function goneSentence(stacks, is_of_all) {
  const { stay, others, in_none } = stacks;
  const is_one = stacks.names.length === 1;
  const was = wordsFor(others, 'was', 'were');
  if (stay === 0 && !is_of_all) return `${subject(stacks)} gone: ${buildsIn(others, false)} ${was} removed.`;
  if (stay === 0) {
    return `${subject(stacks)} gone: ${is_one ? 'its' : 'their'} ${others === 1 ? 'only build' : count(others, 'build')} ${was} removed.`;
  }
  let text = `${subject(stacks)} gone: ${buildsIn(stay, is_of_all)} left ${is_one ? 'it' : 'them'}`;
  if (in_none > 0 && in_none === stay) text += ` and ${wordsFor(stay, 'is', 'are')} now in no stack`;
  else if (in_none > 0) text += `, ${show(in_none)} ${wordsFor(in_none, 'is', 'are')} now in no stack`;
  return `${text}${others > 0 ? `; ${show(others)} more ${was} removed` : ''}.`;
}

function newSentence(stacks, is_of_all) {
  const { stay, others } = stacks;
  const was = wordsFor(others, 'was', 'were');
  if (stay === 0 && !is_of_all) return `${subject(stacks)} new: ${buildsIn(others, false)} ${was} added.`;
  if (stay === 0) return `${subject(stacks)} new, with ${count(others, 'new build')}.`;
  return `${subject(stacks)} new: ${buildsIn(stay, is_of_all)} joined ${stacks.names.length === 1 ? 'it' : 'them'}` +
    `${others > 0 ? `; ${show(others)} more ${was} added` : ''}.`;
}

/// A sentence on the stacks that are gone, and one on those that are new; '' if there are none.
function stackSentences(rows, names, is_of_all) {
  const [gone, added] = ['gone', 'new'].map((change) => loneStacks(rows, change));
  const onlyIn = (stacks, name) => `${subject(stacks)} only in ${name} (${buildsIn(stacks.builds, is_of_all)}).`;
  return [
    gone.names.length > 0 && (names.is_of_one_series ? goneSentence(gone, is_of_all) : onlyIn(gone, names.from)),
    added.names.length > 0 && (names.is_of_one_series ? newSentence(added, is_of_all) : onlyIn(added, names.to)),
  ].filter(Boolean).join(' ');
}

// "the stack ml", "the stacks e4s and ml", "5 stacks".
function stackNames({ stacks }) {
  if (stacks.length > most_stacks_named) return `${stacks.length} stacks`;
  return `the stack${stacks.length === 1 ? '' : 's'} ${listed(stacks, most_stacks_named)}`;
}

// Which of the builds that left stacks are in none now.
function stacklessText(diff, left) {
  const specs = diff.stackless;
  if (specs === 0 || diff.stacks.length > 0) return '';
  const are = wordsFor(specs, 'is', 'are');
  return specs === left.builds ? ` and ${are} now in no stack` : ` (${show(specs)} ${are} now in no stack)`;
}

function movesText(diff, joined, left, specs) {
  if (!diff.names.is_of_one_series) return `${count(specs, 'build')} of both ${wordsFor(specs, 'is', 'are')} in different stacks`;
  if (joined.builds === specs && left.builds === specs) return `${count(specs, 'build')} moved from ${stackNames(left)} to ${stackNames(joined)}`;
  return [
    joined.builds > 0 && `${count(joined.builds, 'build')} joined ${stackNames(joined)}`,
    left.builds > 0 && `${count(left.builds, 'build')} left ${stackNames(left)}${stacklessText(diff, left)}`,
  ].filter(Boolean).join(', ');
}

/// {specs, text} of the moves, without those that the stacks explain which are gone or new.
function movesClause(diff) {
  const said = new Set(diff.stacks.map((row) => row.stack));
  const rows = diff.moves.filter((row) => !said.has(row.stack));
  const of = (kind) => {
    const some = rows.filter((row) => row.kind === kind);
    return { builds: new Set(some.map((row) => row.hash)).size, stacks: distinct(some.map((row) => row.stack)) };
  };
  const specs = new Set(rows.map((row) => row.hash)).size;
  return { specs, text: movesText(diff, of('stack-joined'), of('stack-left'), specs) };
}

function noChange(diff) {
  if (diff.unobserved.length > 0) return 'No change in the packages that both observed.';
  if (diff.from_specs === 0 && diff.to_specs === 0 && !diff.is_of_stacks) return 'No change: both are empty.';
  if (diff.compared_from === 0) return 'No change: neither has such a build.';
  return `No change: both have the same ${diff.compared_from === 1 ? 'build' : count(diff.compared_from, 'build')}.`;
}

// "23 builds before, 29 after."
function totals({ names, compared_from, compared_to, unobserved }) {
  const of = unobserved.length > 0 ? ', counting the packages that both observed' : '';
  return names.is_of_one_series ? `${count(compared_from, 'build')} before, ${show(compared_to)} after${of}.`
    : `${count(compared_from, 'build')} in ${names.from}, ${show(compared_to)} in ${names.to}${of}.`;
}

// "3 new packages (223 builds)", "1 version gone (2 builds)".
function namedClauses(diff, cause) {
  const { names, counts } = diff;
  const { added, removed } = diff.causes[cause];
  const [gained, lost] = [counts[`${cause}-added`], counts[`${cause}-removed`]];
  const clause = (specs, what) => ({ specs, text: `${what} (${count(specs, 'build')})` });
  return names.is_of_one_series
    ? [clause(added, count(gained, `new ${cause}`)), clause(removed, `${count(lost, cause)} gone`)]
    : [clause(added, `${count(gained, cause)} only in ${names.to}`), clause(removed, `${count(lost, cause)} only in ${names.from}`)];
}

// From the rows of a report, with the columns added and removed, and gained and lost if they give values.
function changeClauses(rows, words, names) {
  if (rows.length === 0) return [];
  const values = (column) => distinct(rows.flatMap((row) => split(row[column])));
  const change = {
    added: sum(rows, 'added'), removed: sum(rows, 'removed'), gained: values('gained'), lost: values('lost'),
    is_even: rows.every((row) => row.added === row.removed),
  };
  return [attributeClause(change, words, names)];
}

function copiesClauses({ causes: { copies: { added: more, removed: fewer } }, names }) {
  const copies = (specs, adjective) => `${show(specs)} ${adjective} ${wordsFor(specs, 'copy', 'copies')}`;
  if (!names.is_of_one_series) {
    return [{ specs: more, text: `${copies(more, 'more')} in ${names.to}` }, { specs: fewer, text: `${copies(fewer, 'more')} in ${names.from}` }];
  }
  return [
    { specs: more, text: `${copies(more, 'more')} of ${wordsFor(more, 'a build that was', 'builds that were')} there` },
    { specs: fewer, text: `${copies(fewer, 'fewer')} of ${wordsFor(fewer, 'a build that is', 'builds that are')} still there` },
  ];
}

// "31 of 32 builds were rebuilt: same version and options, new hash".
function rebuiltClause({ causes, compared_from: all, names }, is_alone) {
  const { added, removed } = causes.rebuilt;
  const specs = Math.max(added, removed);
  const which = added !== removed || all === 1 ? count(specs, 'build')
    : specs === all ? `all ${count(all, 'build')}` : `${show(specs)} of ${count(all, 'build')}`;
  if (!names.is_of_one_series) {
    return { specs, text: `${which} of ${names.from} ${wordsFor(specs, 'looks', 'look')} the same in ${names.to}, with ` +
      wordsFor(specs, 'another hash', 'other hashes') };
  }
  const meaning = 'same version and options, new hash';
  const rebuilt = `${which} ${wordsFor(specs, 'was', 'were')} rebuilt`;
  return { specs, text: is_alone ? `${rebuilt}: ${meaning}` : `${rebuilt} (${meaning})` };
}

// All changes but those of stacks that only one snapshot has.
function changesText(diff) {
  const { names, counts } = diff;
  const there = (clauses) => clauses.filter((clause) => clause.specs > 0);
  const clauses = [
    ...there(namedClauses(diff, 'package')), ...there(namedClauses(diff, 'version')), ...systemClauses(diff.systems, names),
    ...changeClauses(diff.compilers, { preposition: 'with', another: 'another compiler', others: 'other compilers', noun: 'compiler' }, names),
    ...changeClauses(diff.variants, { preposition: 'with', another: 'other variants', others: 'other variants', noun: '' }, names),
    ...there(copiesClauses(diff)), ...there([movesClause(diff)]),
  ];
  clauses.push(...there([rebuiltClause(diff, clauses.length === 0)]));
  clauses.sort((a, b) => b.specs - a.specs);
  if (counts['spec-added'] === 0 && counts['spec-removed'] === 0) {
    clauses.push({ text: `no build was added or removed${diff.unobserved.length > 0 ? ' in the packages that both observed' : ''}` });
  }
  return clauses.map((clause) => clause.text).join('; ');
}

/// `diff` is what words.js gathers.
export function sentenceOf(diff) {
  const { names, counts } = diff;
  if (diff.is_empty) return noChange(diff);
  const parts = [stackSentences(diff.stacks, names, diff.is_of_all)];
  const changes = changesText(diff);
  if (changes !== '') {
    const is_more = diff.moves.length > 0 || !names.is_of_one_series || counts.rebuilt > 0;
    const only = is_more ? '' : counts['spec-removed'] === 0 ? 'Only additions: ' : counts['spec-added'] === 0 ? 'Only removals: ' : '';
    const rest = `${only}${changes}.`;
    parts.push(rest[0].toUpperCase() + rest.slice(1));
  }
  if (diff.compared_from !== diff.compared_to) parts.push(totals(diff));
  return parts.filter((part) => part !== '').join(' ');
}
