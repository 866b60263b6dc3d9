// Where the engine's WebAssembly lies. The bundle that the package ships puts it here, compressed and as text, so that no bundler of a
// user has to find or copy a file. Empty when the sources run as they are: then the engine's package finds its own file.

/** Base64 of the gzipped module, or ''. */
export const compressedWasm: string = ''
