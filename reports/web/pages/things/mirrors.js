// Where the mirror of a snapshot is, as far as that is known.

/// What could mean something to a shell is not put into a command.
export const isSafe = (word) => /^[\w@%+=:,./~-]+$/.test(word) && !word.startsWith('-');

// Where Spack keeps the index below the URL of a mirror (docs/formats.md, "Where indexes lie").
const places = /\/(?:build_cache(?:\/index\.json)?|v3\/manifests\/index(?:\/.*)?)$/;

/// The mirrors that a snapshot of indexes was read from: [{label, url}], the label of a stack or null. `source` is the column of the
/// view snapshots. Of an index that lies elsewhere it is not known where its mirror is.
export function mirrorsOf(source) {
  return source.split(' ').map((word) => /^(?:([^=/]*)=)?(https?:\/\/.+?)\/?$/.exec(word)).filter(Boolean)
    .map(([, label, url]) => ({ label: label ?? null, url: url.replace(places, '') }))
    .filter(({ url }) => !/\.(?:json|gz|txt|lock)$/.test(url));
}

/// The URL for a stack, or for all (`stack` null) of a tag; null if it is not known. `pattern` is that of the site, with {tag} and
/// {stack}, or null.
export function mirrorUrl(pattern, mirrors, stack, tag) {
  if (!pattern) return (mirrors.find(({ label }) => label === stack) ?? mirrors.find(({ label }) => label === null))?.url ?? null;
  if (pattern.includes('{stack}') && stack === null) return null;
  return pattern.replaceAll('{tag}', () => tag).replaceAll('{stack}', () => stack ?? '');
}
