// What is odd: findings of the ingester, pages that contradict themselves, what the cache lists and cannot serve.
import { element } from '../dom/element.js';
import { pageTitle } from '../dom/parts.js';
import { reportPanel } from './report_panel.js';

export function findings({ at, signal }) {
  return [
    pageTitle('Findings', element('code', {}, at)),
    reportPanel('audit/findings', { at }, signal),
    reportPanel('audit/meta', { at }, signal),
    reportPanel('audit/closure', { at }, signal),
    reportPanel('audit/hashes', { at }, signal),
  ];
}
