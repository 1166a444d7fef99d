// The page of a name that the ledger does not have: names that the reader may have meant.
import { element } from '../dom/element.js';
import { pageTitle } from '../dom/parts.js';
import { namesNear } from '../shell/search_names.js';

/// The entry of a name in a list; `note` says more of it.
export const nameItem = ({ text, note, href }) =>
  element('li', {}, element('a', { href }, text), note && element('span', { class: 'muted' }, ` ${note}`));

/// That there is no such thing, and the names that are nearest to it.
export function nearestNames(words, name) {
  const near = namesNear(name);
  return element('div', {}, element('p', {}, near.length > 0 ? `${words} Nearest: ` : words),
    element('ul', { class: 'names' }, near.map(nameItem)));
}

/// `kind` is what the address says that the name is: "package", "stack".
export const nearestPage = (kind, name) => [pageTitle(name), nearestNames(`The ledger has no ${kind} of this name.`, name)];
