// What the text of a question asks: a spec, or a pattern for packages with a spec behind it (src/commands/questions/specs_command.cpp).
import { emptyQuery, queryText, asksEverything } from '../reading/query.js';
import { parseAsBefore10, parseSpec } from '../reading/parse.js';
import { SpecError } from '../reading/scanner.js';

/// A question that has no answer: what is wrong is the message, in the program's words.
export class AskError extends Error {}

const isDagHash = (text) => /^[a-z2-7]{32}$/.test(text);
const isPattern = (text) => /[*?[]/.test(text);

function readSpec(text, order) {
  if (isDagHash(text)) return { ...emptyQuery(), hash: text };
  try {
    return parseSpec(text, order);
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    throw new AskError(isPattern(/^[^ @+~%^=/]*/.exec(text)[0])
      ? `'${text}': expected the name of one package; the command specs, and --package of diff, why and reports take a pattern`
      : error.message);
  }
}

// Where the pattern for names of packages ends that begins the text; 0 for "os=rhel8". Any other text is a pattern as a whole.
function endOfPattern(text) {
  let end = 0;
  while (end < text.length) {
    if (text[end] === '[') end = text.indexOf(']', end) < 0 ? text.length - 1 : text.indexOf(']', end);
    else if (!/[A-Za-z0-9\-_.*?\]]/.test(text[end])) break;
    ++end;
  }
  const rest = text.slice(end);
  if (rest.startsWith('=') || rest.startsWith(':=')) return 0;
  return rest !== '' && ' @+~%^/'.includes(rest[0]) ? end : text.length;
}

/// {pattern, query, before}: `before` is what Spack before 1.0 took the text for; null if that is the same. Throws AskError.
export function readAsked(text, order) {
  const word = text.slice(0, endOfPattern(text));
  const [pattern, rest] = isPattern(word) ? [word, text.slice(word.length)] : ['*', text];
  if (isPattern(word) && rest === '') return { pattern, query: emptyQuery(), before: null };
  return { pattern, query: readSpec(rest, order), before: parseAsBefore10(rest, order) };
}

/// The question in one spelling: "py-* +mpi"; empty if all builds are asked.
export function askedWords({ pattern, query }) {
  const text = asksEverything(query) ? '' : queryText(query);
  return pattern === '*' ? text : [pattern, text].filter(Boolean).join(' ');
}
