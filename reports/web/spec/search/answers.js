// Which builds have what a query asks, also of their dependencies (schema/ledger/search/matching_specs.cpp and dependents.cpp). Where the
// program goes from a dependency to all that needs it, this goes from the builds in question to what they need: a page asks of few.
import { groupBy } from '../../data/rows.js';
import { allOf, answer, no, unknown, yes } from '../reading/answer.js';
import { mayBeCompiler } from '../reading/query.js';
import { VersionSet } from '../reading/versions.js';
import { matchesCompiler, matchesLook, matchesNode } from '../matching/match.js';

/// The answer for each build: a map of spec_ids.
export async function answersOf(rows, query, builds) {
  const named = query.hash === '' ? null : new Set(await rows.specsWithHash(query.hash));
  const own = (build) => {
    const is_asked = (query.package === null || query.package === build.package) && (named === null || named.has(build.spec_id));
    return is_asked ? allOf(matchesLook(query, build), matchesNode(query, build)) : no;
  };
  const answers = new Map(builds.map((build) => [build.spec_id, own(build)]));
  for (const asked of query.dependencies) {
    const open = builds.filter((build) => answers.get(build.spec_id) !== no);
    for (const [id, one] of await dependencyAnswers(rows, asked, open)) answers.set(id, allOf(answers.get(id), one));
  }
  return answers;
}

/// The answer of each build to one dependency that is asked. The compiler that it shows answers, unless its node has the compilers
/// among its dependencies.
export async function dependencyAnswers(rows, asked, builds) {
  const answers = new Map();
  const open = [];
  for (const { spec_id, compiler, compiler_from } of builds) {
    const shown = mayBeCompiler(asked) ? matchesCompiler(asked, compiler) : unknown;
    const is_attribute = compiler_from === 'node' || compiler_from === 'annotation';
    if (shown === yes || compiler_from === null || (is_attribute && shown !== unknown)) answers.set(spec_id, shown);
    else open.push(spec_id);
  }
  if (open.length > 0) for (const [id, one] of await answersOfDependents(rows, asked, open)) answers.set(id, one);
  return answers;
}

const areIn = (words, list) => words.every((word) => list.split(',').includes(word));

function answerOfEdge({ deptypes, virtuals }, edge) {
  if (!areIn(deptypes, edge.deptypes)) return no;
  if (virtuals.length === 0) return yes;
  return edge.virtuals === null ? unknown : answer(areIn(virtuals, edge.virtuals));
}

// For "^mpi": whatever is used for it.
function providerOf(asked) {
  const spec = { ...asked.spec, package: null, version: new VersionSet() };
  return { ...asked, virtuals: [...asked.virtuals, asked.spec.package], spec };
}

function addAncestors(edges, ids) {
  const above = groupBy(edges, (edge) => edge.dependency_id);
  for (const id of ids) {   // a set gives what is added to it, too
    for (const { spec_id } of above.get(id) ?? []) ids.add(spec_id);
  }
}

async function answersOfDependents(rows, asked, ids) {
  const edges = [...(await rows.edges(ids, !asked.is_direct)).values()].flat();
  const is_virtual = asked.spec.package !== null && await rows.isVirtual(asked.spec.package);
  const wanted = is_virtual ? providerOf(asked) : asked;
  const may_be = edges.filter((edge) =>
    (wanted.spec.package ?? edge.package) === edge.package && answerOfEdge(wanted, edge) !== no);
  const builds = await rows.builds([...new Set(may_be.map((edge) => edge.dependency_id))]);
  const answers = await answersOf(rows, wanted.spec, builds);
  // Which versions of a virtual package another one provides is not known.
  const most = is_virtual && !asked.spec.version.allows_all ? unknown : yes;
  const [sure, unsure] = [new Set(), new Set()];
  for (const edge of may_be) {
    const one = allOf(answerOfEdge(wanted, edge), answers.get(edge.dependency_id), most);
    if (one !== no) (one === yes ? sure : unsure).add(edge.spec_id);
  }
  if (!asked.is_direct) {
    for (const edge of edges) if (!edge.is_described) unsure.add(edge.spec_id);
    addAncestors(edges, sure);
    addAncestors(edges, unsure);
  }
  return new Map(ids.map((id) => [id, sure.has(id) ? yes : unsure.has(id) ? unknown : no]));
}
