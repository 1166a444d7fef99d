// What the search for a spec asks the ledger: by keys, and each thing once.
import build_hashes_sql from '../../queries/search/build_hashes.sql';
import builds_sql from '../../queries/search/builds_by_id.sql';
import edges_sql from '../../queries/search/edges.sql';
import hash_specs_sql from '../../queries/search/hash_specs.sql';
import looks_sql from '../../queries/search/looks.sql';
import present_sql from '../../queries/search/present.sql';
import targets_sql from '../../queries/search/targets.sql';
import virtual_sql from '../../queries/search/virtual.sql';
import { objects } from '../../data/ask.js';
import { runReport } from '../../data/ledger.js';
import { groupBy } from '../../data/rows.js';
import { withDependencies } from '../../data/walk.js';
import { TargetOrder } from '../reading/targets.js';

let order = null;   // of targets; it is the same in all ledgers of a program

export class LedgerRows {
  constructor(at, signal) {
    Object.assign(this, { at, signal, known_builds: new Map(), known: new Map() });
  }

  /// The rows of a query, as objects. runSql() would cut them.
  async ask(sql, given = {}) {
    return objects(await runReport([], sql, given, this.signal));
  }

  /// The order of targets, which specs are read by.
  async targetOrder() {
    order ??= new TargetOrder(await this.ask(targets_sql));
    return order;
  }

  /// The looks of the packages that match a pattern.
  looks(pattern, with_variants) {
    return this.ask(looks_sql, { package: pattern, with_variants: Number(with_variants) });
  }

  /// The specs of the snapshot with these looks: {spec_id, look_id}.
  present(look_ids) {
    return this.ask(present_sql, { at: this.at, looks: JSON.stringify(look_ids) });
  }

  /// The ids of the specs that a hash names, or its beginning, ascending.
  async specsWithHash(hash) {
    return (await this.ask(hash_specs_sql, { hash })).map((row) => row.spec_id);
  }

  /// Those of the builds whose packages match a pattern.
  async ofPackages(builds, pattern) {
    if (pattern === '*') return builds;
    const looks = new Set((await this.looks(pattern, false)).map((look) => look.look_id));
    return builds.filter((build) => looks.has(build.look_id));
  }

  buildHashes(hash) {
    return this.ask(build_hashes_sql, { hash });
  }

  /// Specs in words.
  async builds(spec_ids) {
    const missing = spec_ids.filter((id) => !this.known_builds.has(id));
    if (missing.length > 0) {
      for (const build of await this.ask(builds_sql, { specs: JSON.stringify(missing) })) this.known_builds.set(build.spec_id, build);
    }
    return spec_ids.map((id) => this.known_builds.get(id));
  }

  /// What these specs need, by spec_id; `deep`: also what that needs: 'none', 'runtime' (to link or to run), or 'all'.
  edges(spec_ids, deep) {
    return this.once(`edges ${deep} ${JSON.stringify(spec_ids)}`, async () => {
      const specs = JSON.stringify(await withDependencies(spec_ids, deep, this.signal));
      return groupBy(await this.ask(edges_sql, { specs }), (edge) => edge.spec_id);
    });
  }

  isVirtual(name) {
    return this.once(`virtual ${name}`, async () => (await this.ask(virtual_sql, { package: name }))[0].is_virtual === 1);
  }

  once(key, make) {
    if (!this.known.has(key)) this.known.set(key, make());
    return this.known.get(key);
  }
}
