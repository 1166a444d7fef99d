// Base64 as bytes. Not every browser has a function for it.

export function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; ++index) bytes[index] = characters.charCodeAt(index);
  return bytes;
}
