// What gzip packed, as a Response: text() and arrayBuffer() give it.

export const unpack = (bytes) => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
