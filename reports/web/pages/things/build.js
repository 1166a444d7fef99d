// One build: what it is, when it was there, what it needs and what needs it, and what is like it.
import attributes_sql from '../../queries/build/attributes.sql';
import found_sql from '../../queries/build/found.sql';
import siblings_sql from '../../queries/build/siblings.sql';
import { element } from '../../dom/element.js';
import { copyButton, later, pageTitle, panel } from '../../dom/parts.js';
import { objects } from '../../data/ask.js';
import { runSql } from '../../data/ledger.js';
import { address } from '../../shell/address.js';
import { dependencyPanel, dependentPanel } from '../../tree/panels.js';
import { attributeList, variantChips } from './build/attributes.js';
import { choice, most_found, nothingFound } from './build/choice.js';
import { versioned } from './build/link.js';
import { nearestPanel } from './build/nearest.js';
import { setUp } from './build/set_up.js';
import { timePanel } from './build/times.js';

function title(build, at) {
  return pageTitle(versioned(build),
    element('code', {}, `/${build.hash}`), ' ', copyButton('Copy', `/${build.hash}`, { class: 'quiet small' }), ' · ',
    element('a', { href: address('package', build.package) }, `all builds of ${build.package}`),
    at && [' · ', element('code', {}, at), build.is_here ? ' has it' : ' does not have it']);
}

function whole(spec_id, build, at, signal) {
  const node = { spec_id, at, signal };
  const attributes = panel('What it is', null, attributeList(build),
    later(runSql(siblings_sql, { spec_id, at }, signal), (data) => variantChips(build, objects(data))));
  const times = timePanel(spec_id, build, signal);
  const trees = [dependencyPanel(build, node), dependentPanel(build, node)];
  const nearest = nearestPanel(spec_id, build, at, signal);   // asked last: it takes most of the time
  return [
    title(build, at),
    setUp(build, at, signal),
    element('div', { class: 'columns' }, attributes, element('div', {}, times, nearest)),
    element('div', { class: 'columns' }, trees),
  ];
}

export function buildPage({ at, name, given, signal }) {
  const asked = name.trim().replace(/^\//, '');
  if (asked === '') return [pageTitle('Builds', 'The address of a build ends in its hash, or in the beginning of its hash.')];
  const found = runSql(found_sql, { beginning: asked, at, most: most_found }, signal).then((data) => {
    const builds = objects(data).filter((one) => !given.has('package') || one.package === given.get('package'));
    const exact = builds.filter((one) => one.hash === asked);
    return exact.length > 0 ? exact : builds;
  });
  const page = found.then(async (builds) => {
    if (builds.length === 0) return nothingFound(asked, signal);
    if (builds.length > 1) return choice(asked, builds);
    const [{ spec_id }] = builds;
    const [build] = objects(await runSql(attributes_sql, { spec_id, at }, signal));
    return whole(spec_id, build, at, signal);
  });
  return [later(page, (elements) => {
    // The router names the window before the build is known.
    document.title = `${elements[0].querySelector('h1').textContent} · cacheledger`;
    return elements;
  })];
}
