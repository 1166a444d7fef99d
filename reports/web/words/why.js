// Why builds were rebuilt, in one sentence (reports/questions/why/why.cpp).
import { sum } from '../data/rows.js';
import { counted, grouped, wordsFor } from './numbers.js';
import { reasonClause, reasonPhrase } from './reasons.js';

const most_groups_named = 3;
const most_reasons_named = 2;

// "35 rebuilt", "49 with another compiler", "1 more copy"; alone it names builds.
function wordsOf({ cause, asked, explained }, is_alone) {
  const number = explained === asked ? grouped(explained) : `${grouped(explained)} of ${grouped(asked)}`;
  if (cause === 'compiler') return `${number}${is_alone ? wordsFor(asked, ' build', ' builds') : ''} with another compiler`;
  return cause === 'copies' ? `${number} more ${wordsFor(asked, 'copy', 'copies')}` : `${number} rebuilt`;
}

// "51 rebuilt", "85 new hashes (35 rebuilt, 49 with another compiler, 1 more copy)".
function countExplained(causes, all) {
  const explained = causes.filter((cause) => cause.explained > 0);
  const parts = explained.map((cause) => wordsOf(cause, explained.length === 1));
  if (parts.length === 0) return all === 0 ? 'nothing was rebuilt' : `${grouped(all)} rebuilt`;
  return parts.length === 1 ? parts[0] : `${grouped(all)} new hashes (${parts.join(', ')})`;
}

// The phrase of each reason. Reasons may differ in what the phrases leave out: these have their hash.
function distinctPhrases(reasons) {
  const phrases = reasons.map((reason) => reasonPhrase(reason));
  const text = ({ kind, name, one }) => JSON.stringify([kind, name, one]);
  const times = new Map();
  for (const phrase of phrases) times.set(text(phrase), (times.get(text(phrase)) ?? 0) + 1);
  return phrases.map((phrase, index) => (times.get(text(phrase)) === 1 ? phrase
    : { ...phrase, name: `${phrase.name} (/${reasons[index].hash.slice(0, 7)})` }));
}

// The first few reasons, those that explain most builds first; those that explain the same builds, together.
function firstGroups(reasons) {
  const phrases = distinctPhrases(reasons);
  const order = reasons.map((_, index) => index).sort((a, b) => reasons[b].specs - reasons[a].specs);
  const groups = new Map();
  for (const index of order) {
    const { set, specs } = reasons[index];
    const group = groups.get(set);
    if (group ? group.phrases.length === most_reasons_named : groups.size === most_groups_named) continue;
    if (group) group.phrases.push(phrases[index]);
    else groups.set(set, { specs, phrases: [phrases[index]] });
  }
  return [...groups.values()];
}

// Each explained build has a reason, so the sets add up to all of them only if no two share one.
function sharesSpecs(reasons, all) {
  const sets = new Map();
  for (const { set, specs } of reasons) if (!sets.has(set)) sets.set(set, specs);
  return [...sets.values()].reduce((total, specs) => total + specs, 0) > all;
}

/// The sentence; null if nothing is explained. `rows`: those of drift/why; `causes` and `sets`: those of the two files in
/// reports/questions/why.
export function whySentence({ from, to, rows, causes, sets }) {
  const set_of = new Map(sets.map(({ hash, same_as }) => [hash, same_as]));
  const reasons = rows.filter((row) => row.class !== 'pushed' && row.class !== 'unknown')
    .map((row) => ({ ...row, set: set_of.get(row.hash) }));
  if (reasons.length === 0) return null;
  const all = sum(causes, 'explained');
  const groups = firstGroups(reasons);
  let text = countExplained(causes, all);
  if (groups.length === 1 && groups[0].specs === all) {
    text += `, because ${reasonClause(groups[0].phrases)}`;
  } else {
    text += `: ${groups.map(({ specs, phrases }) => `${grouped(specs)} because ${reasonClause(phrases)}`).join('; ')}` +
      (sharesSpecs(reasons, all) ? ' (some for several reasons)' : '');
  }
  const more = reasons.length - groups.reduce((named, group) => named + group.phrases.length, 0);
  return `${text}${more > 0 ? `; ${counted(more, 'more reason')} (why ${from} ${to})` : ''}.`;
}
