// The engine's WebAssembly. The shipped bundle contains it here, compressed and as text, so that a user's bundler
// need not find or copy a file. Empty in the sources: then the engine's package finds its own file.

/** Base64 of the gzipped module, or ''. */
export const compressedWasm: string = ''
