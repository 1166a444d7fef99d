// What stands where the beginning of a hash is that of several builds, or of none.
import beside_sql from '../../../queries/build/beside.sql';
import { element } from '../../../dom/element.js';
import { count } from '../../../dom/format.js';
import { later, pageTitle } from '../../../dom/parts.js';
import { runSql } from '../../../data/ledger.js';
import { address } from '../../../shell/address.js';
import { hashOf } from '../../../shell/search_text.js';
import { hashLink, versioned } from './link.js';

export const most_found = 200;

/// The builds to choose from: rows of found.sql as objects.
export function choice(asked, builds) {
  const number = builds.length === most_found ? `The first ${count(most_found, 'build')}` : count(builds.length, 'build');
  const line = (build) => element('li', {}, hashLink(build.hash, `/${build.hash}`, { package: build.package }), ' ',
    element('b', {}, versioned(build)), ' ',
    element('span', { class: 'muted' }, [build.compiler && `%${build.compiler}`, build.target, build.variants].filter(Boolean).join(' ')),
    build.is_here ? null : ' ', build.is_here ? null : element('span', { class: 'chip' }, 'not in this snapshot'));
  return [
    pageTitle(`/${asked}`, `${number} whose hash begins with /${asked}. Type more of the hash, or choose one.`),
    element('section', { class: 'panel' }, element('ul', { class: 'builds' }, builds.map(line))),
  ];
}

function sharedBeginning(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) ++length;
  return a.slice(0, length);
}

/// Says so, and leads to the builds that begin with as much of it as any does.
export function nothingFound(asked, signal) {
  const nearest = later(runSql(beside_sql, { hash: asked }, signal), ({ rows }) => {
    const [longest] = rows.flat().filter((hash) => hash !== null).map((hash) => sharedBeginning(asked, hash))
      .sort((a, b) => b.length - a.length);
    return longest ? element('p', {}, 'Nearest: the builds that begin with ', hashLink(longest, `/${longest}`)) : null;
  });
  return [
    pageTitle('No such build', `No build of the ledger has a hash that begins with /${asked}.`),
    element('section', { class: 'panel' }, nearest,
      element('p', {}, hashOf(`/${asked}`) === null ? 'Look at '
        : [element('a', { href: address('search', '', { q: `/${asked}` }) }, 'Search for it'), ', or look at '],
      element('a', { href: address('') }, 'what the cache has'), '.')),
  ];
}
