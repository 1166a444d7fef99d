// What the site shows: the files of data about and reports (reports/site/FORMAT.md).
import { fileName, notLoaded } from './files.js';

const store = globalThis.CACHELEDGER;

export const about = store.about;
export const reports = new Map(store.reports.reports.map((report) => [report.name, report]));
export const steps = store.reports.steps;
export const queries = new Map(store.reports.queries.map((query) => [query.name, query]));

export const snapshotNamed = (name) => about.snapshots.find((snapshot) => snapshot.name === name);

export const snapshotsOf = (series) => about.snapshots.filter((snapshot) => snapshot.series === series);

/// The snapshot before this one in its series, or undefined.
export function snapshotBefore(name) {
  const here = snapshotNamed(name);
  const series = snapshotsOf(here?.series);
  return series[series.indexOf(here) - 1];
}

/// Loads a data file and gives its value. The file stays in the browser's cache, not in memory.
export function loadData(key, digest) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = fileName(key, digest);
    const end = () => {
      const value = store[key];
      delete store[key];
      script.remove();
      if (value === undefined) reject(new Error(notLoaded(fileName(key, digest))));
      else resolve(value);
    };
    script.onload = script.onerror = end;   // a file that is cut gives no value
    document.head.append(script);
  });
}
