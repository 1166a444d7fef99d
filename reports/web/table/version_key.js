// The sort key of a version, as the program makes it: schema/specs/spelling/version_order.cpp says what its parts mean. The order of the
// characters of keys is Spack's order of versions.

const above_numbers = ['stable', 'nightly', 'trunk', 'head', 'master', 'main', 'develop'];
const stages = ['alpha', 'beta', 'rc', 'final'];
const final = stages.length - 1;

const isNumber = (segment) => /^\d/.test(segment);

function numberKey(digits) {
  const shown = digits.replace(/^0+(?=\d)/, '');
  const more = shown.length - 1;
  return 'Z'.repeat(Math.floor(more / 25)) + String.fromCharCode(65 + more % 25) + shown;
}

function segmentKey(segment) {
  if (isNumber(segment)) return numberKey(segment);
  const place = above_numbers.indexOf(segment);
  return place >= 0 ? `_${place + 1}` : `$${segment}.`;
}

// Takes the stage from the end of the segments; at least one other stays.
function takeStage(segments) {
  const is_numbered = segments.length > 0 && isNumber(segments.at(-1));
  const length = is_numbered ? 2 : 1;
  const place = segments.length > length ? stages.indexOf(segments.at(-length)) : -1;
  if (place < 0) return `!${final}`;
  const number = is_numbered ? numberKey(segments.at(-1)) : '';
  segments.length -= length;
  return `!${place}${number}`;
}

function releaseKey(version) {
  const segments = version.match(/\d+|[A-Za-z]+/g) ?? [];
  const stage = takeStage(segments);
  return segments.map(segmentKey).join('') + stage;
}

// {ref, version} of "git.main=1.2", "main=1.2" and of a commit; null for other versions.
function gitVersion(version) {
  if (!version.startsWith('git.') && !/^[0-9a-f]{40}$/.test(version) && version.indexOf('=', 1) < 0) return null;
  const text = version.replace(/^git\./, '');
  const equals = text.indexOf('=');
  if (equals < 0) return { ref: text, version: null };
  const is_range = text.indexOf(':', equals) >= 0;
  return { ref: text.slice(0, equals), version: is_range ? null : text.slice(equals + 1) };
}

export function versionKey(version) {
  const git = gitVersion(version);
  if (!git) return `${releaseKey(version)}!${version}`;
  const key = git.version === null ? `~=${git.ref}!` : `${releaseKey(git.version)}=${git.ref}!`;
  return `${key}${version}`;
}

export function compilerKey(compiler) {
  const at = compiler.indexOf('@');
  return at < 0 ? `${compiler}!` : `${compiler.slice(0, at)}!${versionKey(compiler.slice(at + 1))}`;
}
