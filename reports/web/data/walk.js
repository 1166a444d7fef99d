// Follows dependencies from build to build. Each round asks the ledger once, for all that the round before found.
import down_sql from '../queries/walk/down.sql';
import up_sql from '../queries/walk/up.sql';
import { runReport } from './ledger.js';

const ids = async (sql, given, spec_ids, signal) =>
  (await runReport([], sql, { ...given, specs: JSON.stringify(spec_ids) }, signal)).rows.map(([spec_id]) => spec_id);

async function reached(direct, starts) {
  const met = new Set(starts);
  for (let round = [...met]; round.length > 0;) {
    round = (await direct(round)).filter((spec_id) => !met.has(spec_id));
    for (const spec_id of round) met.add(spec_id);
  }
  return [...met];
}

/// The builds, and all that they need: to link or to run if `deep` is 'runtime', for anything if it is 'all', nothing if it is 'none'.
export const withDependencies = (spec_ids, deep, signal) => reached((round) => ids(down_sql, { deep }, round, signal), spec_ids);

/// What needs the builds directly, to build, link or run.
export const directDependents = (spec_ids, signal) => ids(up_sql, {}, spec_ids, signal);

/// The builds, and all that needs them to build, link or run.
export const withDependents = (spec_ids, signal) => reached((round) => directDependents(round, signal), spec_ids);
