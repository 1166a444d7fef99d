// Where packages are built, where they are not, and what is built twice.
import { element } from '../dom/element.js';
import { pageTitle } from '../dom/parts.js';
import { address } from '../shell/address.js';
import { reportPanel } from './report_panel.js';

export function coverage({ at, signal }) {
  return [
    pageTitle('Coverage', element('code', {}, at), ' · ',
      element('a', { href: address('matrix') }, 'every package and stack in one picture →')),
    reportPanel('coverage/systems', { at }, signal, { height: 320 }),
    reportPanel('coverage/gaps', { at }, signal),
    reportPanel('coverage/redundancy', { at }, signal),
    reportPanel('coverage/packages', { at }, signal),
  ];
}
