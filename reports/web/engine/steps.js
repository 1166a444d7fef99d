// What several reports over one pair of snapshots read: it is worked out once, in temporary tables and views that hide those of the
// ledger. A question that asks for no steps reads the ledger's own, so the views are taken away for it, and put back later.
import { runSteps } from './run.js';

const done = new Map();   // from the text of a step to the values that it was run with
let hidden = [];          // the statements that make the views again

// Values of the parameters that the text names.
const valuesFor = (text, given) =>
  JSON.stringify([...new Set(text.match(/:[a-z_]+/g))].map((name) => [name, given[name.slice(1)] ?? null]));

function views({ db }) {
  return db.selectObjects("SELECT name, sql FROM temp.sqlite_schema WHERE type = 'view'");
}

/// Takes the views away.
export function hideSteps(ledger) {
  for (const { name, sql } of views(ledger)) {
    hidden.push(sql.replace(/^CREATE( TEMP)? VIEW/, 'CREATE TEMP VIEW'));
    ledger.db.exec(`DROP VIEW temp."${name}"`);
  }
}

/// Runs the steps that have not been run with these values. A step reads what those before it made.
export function prepareSteps(ledger, steps, given) {
  for (const sql of hidden.splice(0)) ledger.db.exec(sql);
  let is_new = false;
  for (const [place, text] of steps.entries()) {
    const values = valuesFor(text, given);
    if (!is_new && done.get(text) === values) continue;
    is_new = true;
    // What is made of older steps is void.
    for (const other of done.keys()) if (!steps.slice(0, place).includes(other)) done.delete(other);
    runSteps(ledger, text, given);
    done.set(text, values);
  }
}
