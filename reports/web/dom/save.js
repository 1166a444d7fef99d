// Files that a reader keeps.
import { element } from './element.js';

/// Saves a text as a file of this name and media type.
export function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
