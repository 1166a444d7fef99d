// Targets, their order, and the sets of them that a spec allows (schema/specs/constraints/target_set.cpp).
import { answer, anyOf, no, unknown, yes } from './answer.js';

/// How code for one target suits another one, which is wanted. The better fit is the smaller. From `runs` up to `may_not_run` the
/// wanted target runs it: how many more targets the wanted one runs.
export const fits = { same: 0, runs: 1, may_not_run: 10000, other_family: 20000 };

/// The order of targets, from the rows of the view target_order: {target, runs, family}.
export class TargetOrder {
  constructor(rows) {
    this.known = new Map();
    for (const { target, runs, family } of rows) {
      if (!this.known.has(target)) this.known.set(target, { family, runs: new Set() });
      this.known.get(target).runs.add(runs);
    }
  }

  has(target) {
    return this.known.has(target);
  }

  /// Whether `target` runs code for `other`. Both are known.
  runs(target, other) {
    return this.known.get(target).runs.has(other);
  }

  /// Of a name that nobody knows nothing is claimed, but that it fits itself.
  fit(wanted, there) {
    if (wanted === there) return fits.same;
    if (!this.has(wanted) || !this.has(there)) return fits.may_not_run;
    if (this.known.get(wanted).family !== this.known.get(there).family) return fits.other_family;
    return this.runs(wanted, there) ? this.known.get(wanted).runs.size - this.known.get(there).runs.size : fits.may_not_run;
  }
}

/// The targets of "x86_64_v3:,zen2". A target is above another if code for the other runs on it.
export class TargetSet {
  constructor(text, order) {
    this.text = text;
    this.order = order;
    this.ranges = text.split(',').map((one) => this.readRange(one));
  }

  readRange(text) {
    const colon = text.indexOf(':');
    if (colon < 0) {
      if (text === '') throw new Error(`expected a target like x86_64_v3, found '${this.text}'`);
      return { is_one: true, from: text, to: '' };
    }
    const range = { is_one: false, from: text.slice(0, colon), to: text.slice(colon + 1) };
    for (const end of [range.from, range.to]) {
      if (end !== '' && !this.order.has(end)) {
        throw new Error(`expected a target that is known as the end of a range, like x86_64_v3, found '${end}'`);
      }
    }
    return range;
  }

  /// Unknown if the target would have to be compared with a range and nobody knows its place in the order.
  contains(target) {
    if (this.text === '*') return yes;
    return this.ranges.reduce((found, { is_one, from, to }) => {
      if (is_one) return anyOf(found, answer(target === from));
      if (!this.order.has(target)) return anyOf(found, from === '' && to === '' ? yes : unknown);
      const above = from === '' || this.order.runs(target, from);
      const below = to === '' || this.order.runs(to, target);
      return anyOf(found, answer(above && below));
    }, no);
  }

  /// How code for `target` suits the one of these targets that it suits best. The end of a range runs all that its other targets run.
  fit(target) {
    if (this.contains(target) === yes) return fits.same;
    const each = this.ranges.map(({ from, to }) => Math.max(fits.runs, this.order.fit(to === '' ? from : to, target)));
    return Math.min(fits.other_family, ...each);
  }
}
