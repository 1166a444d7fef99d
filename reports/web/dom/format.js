// How values are written for people. CSV and links have the values themselves.

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

export function show(value) {
  if (value == null) return '–';
  return typeof value === 'number' || typeof value === 'bigint' ? numbers.format(value) : String(value);
}

/// "1 build", "2 builds". A word that has its plural in itself ("builds that vary") is given both.
export function count(number, one, many = `${one}s`) {
  return `${show(number)} ${number === 1 ? one : many}`;
}

/// "2025-03-30T06:00:00Z" without what says nothing: "2025-03-30 06:00", "2025-03-30".
export function showTime(text) {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):(\d\d)Z$/.exec(text);
  if (!parts) return text;
  return parts[2] === '00:00' && parts[3] === '00' ? parts[1] : `${parts[1]} ${parts[2]}`;
}

export function showDuration(milliseconds) {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/// A column's name for people: "siblings_average" is "siblings average".
export const heading = (column) => column.replaceAll('_', ' ');
