// What was rebuilt because of what, between two snapshots.
import { later } from '../dom/parts.js';
import { ask } from '../data/ask.js';
import { address } from '../shell/address.js';
import { picture } from './picture.js';

const link = (name) => address('package', name);

/// `pair` is {from, to, stack}.
export const whyGraph = (pair, signal) => later(ask('drift/why-graph', pair, signal), (data) => picture('drift/why-graph', data, { link }));
