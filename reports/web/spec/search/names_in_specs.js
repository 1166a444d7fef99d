// Names of the ledger that a spec can ask for. Others would be read as something else: 'zen4,zen5' as two targets, 'a b' as no target.
import { parseCompiler } from '../reading/compilers.js';
import { parseSpec } from '../reading/parse.js';
import { emptyQuery, queryText } from '../reading/query.js';
import { SpecError } from '../reading/scanner.js';
import { TargetOrder } from '../reading/targets.js';

const no_order = new TargetOrder([]);

function parsed(text) {
  try {
    return parseSpec(text, no_order);
  } catch (error) {
    if (error instanceof SpecError) return emptyQuery();
    throw error;
  }
}

/// The spec that asks for the builds of a target; null if none can.
export function specOfTarget(name) {
  const text = `target=${name}`;
  const { target, ...rest } = parsed(text);
  return target?.text === name && target.ranges.length === 1 && target.ranges[0].is_one && name !== '*'
    && queryText({ ...rest, target: null }) === '*' ? text : null;
}

const isOne = ({ range }) => !range || range.is_exact || range.from === range.to;

/// The same for a compiler: "gcc@13.2.0".
export function specOfCompiler(name) {
  const text = `%${name}`;
  const query = parsed(text);
  const [dependency] = query.dependencies;
  if (!dependency || queryText({ ...query, dependencies: [] }) !== '*') return null;
  const { version, ...rest } = dependency.spec;
  const { name: wanted, version: wanted_version } = parseCompiler(name);
  const is_alone = query.dependencies.length === 1 && queryText({ ...rest, version: emptyQuery().version }) === wanted;
  const is_one = wanted_version === null ? version.allows_all : version.items.length === 1 && isOne(version.items[0]);
  return is_alone && is_one ? text : null;
}
