// What the binaries take, and what it costs to store rebuilt ones again.
import { element } from '../dom/element.js';
import { later, pageTitle } from '../dom/parts.js';
import { ask, objects } from '../data/ask.js';
import { about, snapshotBefore } from '../data/site.js';
import { picturePanel } from './report_panel.js';

const unknown = 'The ledger knows no size of these builds: mirrors of build caches say the sizes of their binaries, pages do not.';

// One sentence where no size is known, in place of bars without a length.
function sized(at, signal, make) {
  return later(ask('sizes/stacks', { at }, signal), (data) =>
    (objects(data).some(({ bytes }) => bytes !== null) ? make() : element('p', { class: 'muted' }, unknown)));
}

export function sizes({ at, signal }) {
  const before = snapshotBefore(at)?.name ?? (at === about.to ? about.from : null);
  const pair = { from: before, to: at };
  return [
    pageTitle('Sizes', element('code', {}, at)),
    sized(at, signal, () => [
      picturePanel('sizes/stacks', { at }, signal),
      picturePanel('sizes/packages', { at }, signal),
      before && picturePanel('sizes/drift', pair, signal),
      before && picturePanel('sizes/rebuilt', pair, signal),
    ]),
  ];
}
