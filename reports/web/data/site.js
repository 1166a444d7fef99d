// What the site shows: data/about.js and data/reports.js (reports/site/FORMAT.md).

const store = (globalThis.CACHELEDGER ??= {});

export const about = store.about;
export const reports = new Map(store.reports.reports.map((report) => [report.name, report]));
export const steps = store.reports.steps;
export const queries = new Map(store.reports.queries.map((query) => [query.name, query]));

export const snapshotNamed = (name) => about.snapshots.find((snapshot) => snapshot.name === name);

/// The snapshot before this one in its series, or undefined.
export function snapshotBefore(name) {
  const here = snapshotNamed(name);
  const series = about.snapshots.filter((snapshot) => snapshot.series === here?.series);
  return series[series.indexOf(here) - 1];
}

/// Loads a data file and gives its value. The file stays in the browser's cache, not in memory.
export function loadData(key) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `data/${key}.js`;
    script.onload = () => {
      const value = store[key];
      delete store[key];
      script.remove();
      resolve(value);
    };
    script.onerror = () => reject(new Error(`data/${key}.js is missing`));
    document.head.append(script);
  });
}
