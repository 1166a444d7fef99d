// The commands that make Spack install a build from the cache.
import source_sql from '../../../queries/build/source.sql';
import { element } from '../../../dom/element.js';
import { copyButton, later } from '../../../dom/parts.js';
import { runSql } from '../../../data/ledger.js';
import { about, snapshotNamed } from '../../../data/site.js';
import { isSafe, mirrorsOf, mirrorUrl } from './mirrors.js';

const unknown_url = 'URL';

const command = (text) => element('p', { class: 'install' }, element('code', {}, text), copyButton('Copy', text, { class: 'quiet' }));

/// `spack mirror add NAME URL` for one of the stacks, which the reader chooses. `stacks` may be empty.
export function mirrorLine(stacks, at, signal) {
  const snapshot = snapshotNamed(at);
  if (!snapshot) return null;
  const choice = element('select', { 'aria-label': 'Stack of the mirror' }, stacks.map((name) => element('option', { value: name }, name)));
  const place = element('div', {});
  const draw = (mirrors) => {
    const stack = stacks.length > 0 ? choice.value : null;
    const url = mirrorUrl(about.mirror, mirrors, stack, snapshot.tag);
    const name = stack ?? snapshot.tag;
    const known = url !== null && isSafe(url);
    const line = command(`spack mirror add ${isSafe(name) ? name : 'NAME'} ${known ? url : unknown_url}`);
    if (stacks.length > 1) line.prepend(element('label', { class: 'muted' }, 'Stack ', choice));
    const said = [!isSafe(name) && 'NAME is any name for it.',
      !known && `${unknown_url} stands for the mirror's URL, which this site does not know.`];
    if (said.some(Boolean)) line.append(element('span', { class: 'muted' }, said.filter(Boolean).join(' ')));
    place.replaceChildren(line);
  };
  const sources = about.mirror || snapshot.kind !== 'index' ? Promise.resolve([])
    : runSql(source_sql, { at }, signal).then(({ rows: [[source]] }) => mirrorsOf(source));
  return later(sources, (mirrors) => {
    choice.addEventListener('change', () => {
      draw(mirrors);
      choice.focus();
    });
    draw(mirrors);
    return place;
  });
}

/// The two commands for a build.
export function setUp(build, at, signal) {
  if (!at || !/^[a-z2-7]{32}$/.test(build.hash)) return null;
  if (build.external === 1) {
    return element('p', { class: 'muted set-up' }, 'It is external: it is not in a cache, and Spack uses it where it is.');
  }
  const stacks = (build.is_here && build.stacks?.split(',').filter(Boolean)) || [];
  return element('section', { class: 'panel set-up', 'aria-label': 'Set-up' },
    build.is_here ? mirrorLine(stacks, at, signal)
      : element('p', { class: 'muted' }, 'The snapshot in view does not have it; Spack may not find it in the cache.'),
    command(`spack install --cache-only /${build.hash}`));
}
