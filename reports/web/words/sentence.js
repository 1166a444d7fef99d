// What changed between two snapshots, in words: the sentence of `cacheledger diff` (reports/questions/diff/diff_sentence.cpp).
import { attributeClause, systemClauses } from './attributes.js';
import { movesClause } from './moves.js';
import { sum } from '../data/rows.js';
import { counted, distinct, grouped, split, wordsFor } from './numbers.js';
import { stackSentences } from './stacks.js';

function noChange(diff) {
  if (diff.unobserved.length > 0) return 'No change in the packages that both observed.';
  if (diff.from_specs === 0 && diff.to_specs === 0 && !diff.is_of_stacks) return 'No change: both are empty.';
  if (diff.compared_from === 0) return 'No change: neither has such a build.';
  return `No change: both have the same ${diff.compared_from === 1 ? 'build' : counted(diff.compared_from, 'build')}.`;
}

// "23 builds before, 29 after."
function totals({ names, compared_from, compared_to, unobserved }) {
  const of = unobserved.length > 0 ? ', counting the packages that both observed' : '';
  return names.is_of_one_series ? `${counted(compared_from, 'build')} before, ${grouped(compared_to)} after${of}.`
    : `${counted(compared_from, 'build')} in ${names.from}, ${grouped(compared_to)} in ${names.to}${of}.`;
}

// "3 new packages (223 builds)", "1 version gone (2 builds)".
function namedClauses(diff, cause) {
  const { names, counts } = diff;
  const { added, removed } = diff.causes[cause];
  const [gained, lost] = [counts[`${cause}-added`], counts[`${cause}-removed`]];
  const clause = (specs, what) => ({ specs, text: `${what} (${counted(specs, 'build')})` });
  return names.is_of_one_series
    ? [clause(added, counted(gained, `new ${cause}`)), clause(removed, `${counted(lost, cause)} gone`)]
    : [clause(added, `${counted(gained, cause)} only in ${names.to}`), clause(removed, `${counted(lost, cause)} only in ${names.from}`)];
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
  const copies = (specs, adjective) => `${grouped(specs)} ${adjective} ${wordsFor(specs, 'copy', 'copies')}`;
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
  const which = added !== removed || all === 1 ? counted(specs, 'build')
    : specs === all ? `all ${counted(all, 'build')}` : `${grouped(specs)} of ${counted(all, 'build')}`;
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

/// `diff` is what diff.js gathers.
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
