// What the text of a question asks: a spec, or a pattern for packages with a spec behind it (src/commands/questions/specs_command.cpp).
import { emptyQuery, queryText, asksEverything } from '../reading/query.js';
import { parseSpec } from '../reading/parse.js';
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

/// {pattern, query}. Throws AskError.
export function readAsked(text, order) {
  const pattern = text.slice(0, endOfPattern(text));
  if (!isPattern(pattern)) return { pattern: '*', query: readSpec(text, order) };
  const rest = text.slice(pattern.length);
  return { pattern, query: rest === '' ? emptyQuery() : readSpec(rest, order) };
}

/// The question in one spelling: "py-* +mpi"; empty if all builds are asked.
export function askedWords({ pattern, query }) {
  const text = asksEverything(query) ? '' : queryText(query);
  return pattern === '*' ? text : [pattern, text].filter(Boolean).join(' ');
}
