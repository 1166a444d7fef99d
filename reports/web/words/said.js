// The words of a comparison on a page: the sentence, why, and what else to know.
import { element } from '../dom/element.js';
import { show } from '../dom/format.js';
import { address } from '../shell/address.js';

// What the program says of its commands, and the pages that answer the same.
const commands = (pair) => [
  [`why ${pair.from} ${pair.to}`, 'all of them', address('report', 'drift/why', pair)],
  ['report drift/unobserved', 'the report of packages not observed', address('report', 'drift/unobserved', pair)],
  ...[pair.from, pair.to].map((at) => [`report audit/findings --at '${at}'`, 'all findings', address('report', 'audit/findings', { at })]),
];

// A sentence, in which a command is a link to the page that answers it.
function linked(text, pair) {
  const found = commands(pair).find(([command]) => text.includes(command));
  if (!found) return text;
  const [command, words, href] = found;
  const at = text.indexOf(command);
  return [text.slice(0, at), element('a', { href }, words), text.slice(at + command.length)];
}

const most_clauses = 5;

// Of a long sentence the first clauses, which concern most builds; the others open.
function sentencePart(sentence) {
  const clauses = sentence.split('; ');
  if (clauses.length <= most_clauses + 1) return element('p', { class: 'sentence' }, sentence);
  return [
    element('p', { class: 'sentence' }, `${clauses.slice(0, most_clauses).join('; ')}; ...`),
    element('details', {}, element('summary', {}, `${show(clauses.length - most_clauses)} smaller changes, and the totals`),
      element('p', {}, clauses.slice(most_clauses).join('; '))),
  ];
}

/// `words` is what wordsOf() gives of the pair.
export function said({ sentence, gone, reasons, unknown, remarks }, pair) {
  const others = remarks.filter((remark) => remark !== reasons);
  return element('div', { class: 'words' },
    sentencePart(sentence),
    [gone, reasons, unknown].filter(Boolean).map((text) => element('p', {}, linked(text, pair))),
    others.length > 0 && element('ul', { class: 'muted' }, others.map((text) => element('li', {}, linked(text, pair)))));
}
