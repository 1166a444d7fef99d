// The words of a comparison on a page: the sentence, why, and what else to know.
import { element } from '../dom/element.js';

/// `words` is what wordsOf() gives.
export function said({ sentence, gone, reasons, unknown, remarks }) {
  const others = remarks.filter((remark) => remark !== reasons);
  return element('div', { class: 'words' },
    element('p', { class: 'sentence' }, sentence),
    [gone, reasons, unknown].filter(Boolean).map((text) => element('p', {}, text)),
    others.length > 0 && element('ul', { class: 'muted' }, others.map((text) => element('li', {}, text))));
}
