// Stacks that only one of two snapshots has, in words (reports/engine/drift/change_words.hpp).
import { counted, distinct, grouped, listed, wordsFor } from './numbers.js';

export const most_stacks_named = 3;

// `rows`: those of reports/engine/drift/stack_changes.sql, one for each build and stack.
function loneStacks(rows, change) {
  const mine = rows.filter((row) => row.change === change);
  const builds = [...new Map(mine.map((row) => [row.spec_id, row])).values()];
  const count = (holds) => builds.filter(holds).length;
  return {
    names: distinct(mine.map((row) => row.stack)), builds: builds.length, stay: count((row) => row.stays === 1),
    others: count((row) => row.stays !== 1), in_none: count((row) => row.in_none === 1),
  };
}

// "Stack ml is", "Stacks e4s and ml are".
const subject = ({ names }) => `Stack${names.length === 1 ? '' : 's'} ${listed(names, most_stacks_named)} ${wordsFor(names.length, 'is', 'are')}`;

// "2 builds"; where more may be in the stack, "2 of these builds".
const builds = (number, is_of_all) => (is_of_all ? counted(number, 'build') : `${grouped(number)} of these builds`);

function goneSentence(stacks, is_of_all) {
  const { stay, others, in_none } = stacks;
  const is_one = stacks.names.length === 1;
  const was = wordsFor(others, 'was', 'were');
  if (stay === 0 && !is_of_all) return `${subject(stacks)} gone: ${builds(others, false)} ${was} removed.`;
  if (stay === 0) {
    return `${subject(stacks)} gone: ${is_one ? 'its' : 'their'} ${others === 1 ? 'only build' : counted(others, 'build')} ${was} removed.`;
  }
  let text = `${subject(stacks)} gone: ${builds(stay, is_of_all)} left ${is_one ? 'it' : 'them'}`;
  if (in_none > 0 && in_none === stay) text += ` and ${wordsFor(stay, 'is', 'are')} now in no stack`;
  else if (in_none > 0) text += `, ${grouped(in_none)} ${wordsFor(in_none, 'is', 'are')} now in no stack`;
  return `${text}${others > 0 ? `; ${grouped(others)} more ${was} removed` : ''}.`;
}

function newSentence(stacks, is_of_all) {
  const { stay, others } = stacks;
  const was = wordsFor(others, 'was', 'were');
  if (stay === 0 && !is_of_all) return `${subject(stacks)} new: ${builds(others, false)} ${was} added.`;
  if (stay === 0) return `${subject(stacks)} new, with ${counted(others, 'new build')}.`;
  return `${subject(stacks)} new: ${builds(stay, is_of_all)} joined ${stacks.names.length === 1 ? 'it' : 'them'}` +
    `${others > 0 ? `; ${grouped(others)} more ${was} added` : ''}.`;
}

/// A sentence on the stacks that are gone, and one on those that are new; '' if there are none.
export function stackSentences(rows, names, is_of_all) {
  const [gone, added] = ['gone', 'new'].map((change) => loneStacks(rows, change));
  const onlyIn = (stacks, name) => `${subject(stacks)} only in ${name} (${builds(stacks.builds, is_of_all)}).`;
  return [
    gone.names.length > 0 && (names.is_of_one_series ? goneSentence(gone, is_of_all) : onlyIn(gone, names.from)),
    added.names.length > 0 && (names.is_of_one_series ? newSentence(added, is_of_all) : onlyIn(added, names.to)),
  ].filter(Boolean).join(' ');
}
