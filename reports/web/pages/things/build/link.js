// How a build is named, and the link to its page.
import { element } from '../../../dom/element.js';
import { address } from '../../../shell/address.js';

/// "hdf5@1.14.3"; the package alone where the version is not known.
export const versioned = (build) => (build.version == null ? build.package : `${build.package}@${build.version}`);

export const shortHash = (hash) => `/${hash.slice(0, 7)}`;

/// A link to the page of a build. A hash that two packages claim needs the package, too.
export const hashLink = (hash, text = shortHash(hash), given = {}) =>
  element('a', { class: 'hash', href: address('build', hash, given) }, text);
