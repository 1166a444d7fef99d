// Builds that joined stacks or left them, in words (reports/questions/diff/diff_sentence.cpp).
import { counted, distinct, grouped, listed, wordsFor } from './numbers.js';
import { most_stacks_named } from './stacks.js';

// "the stack ml", "the stacks e4s and ml", "5 stacks".
function names({ stacks }) {
  if (stacks.length > most_stacks_named) return `${stacks.length} stacks`;
  return `the stack${stacks.length === 1 ? '' : 's'} ${listed(stacks, most_stacks_named)}`;
}

// Which of the builds that left stacks are in none now.
function stacklessText(diff, left) {
  const specs = diff.stackless;
  if (specs === 0 || diff.stacks.length > 0) return '';
  const are = wordsFor(specs, 'is', 'are');
  return specs === left.builds ? ` and ${are} now in no stack` : ` (${grouped(specs)} ${are} now in no stack)`;
}

function text(diff, joined, left, specs) {
  if (!diff.names.is_of_one_series) return `${counted(specs, 'build')} of both ${wordsFor(specs, 'is', 'are')} in different stacks`;
  if (joined.builds === specs && left.builds === specs) return `${counted(specs, 'build')} moved from ${names(left)} to ${names(joined)}`;
  return [
    joined.builds > 0 && `${counted(joined.builds, 'build')} joined ${names(joined)}`,
    left.builds > 0 && `${counted(left.builds, 'build')} left ${names(left)}${stacklessText(diff, left)}`,
  ].filter(Boolean).join(', ');
}

/// {specs, text} of the moves, without those that the stacks explain which are gone or new.
export function movesClause(diff) {
  const said = new Set(diff.stacks.map((row) => row.stack));
  const rows = diff.moves.filter((row) => !said.has(row.stack));
  const of = (kind) => {
    const some = rows.filter((row) => row.kind === kind);
    return { builds: new Set(some.map((row) => row.hash)).size, stacks: distinct(some.map((row) => row.stack)) };
  };
  const specs = new Set(rows.map((row) => row.hash)).size;
  return { specs, text: text(diff, of('stack-joined'), of('stack-left'), specs) };
}
