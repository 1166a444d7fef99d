// The page of a name that the ledger does not have: names that the reader may have meant.
import { element } from '../dom/element.js';
import { pageTitle } from '../dom/parts.js';
import { namesNear } from '../shell/search_names.js';

/// `kind` is what the address says that the name is: "package", "stack".
export function nearestPage(kind, name) {
  const near = namesNear(name);
  return [
    pageTitle(name),
    element('p', {}, `The ledger has no ${kind} of this name.${near.length > 0 ? ' Nearest:' : ''}`),
    element('ul', { class: 'names' }, near.map(({ text, href }) => element('li', {}, element('a', { href }, text)))),
  ];
}
