// This is a separate file, so that a page that loads it does not load the other functions of the package.

export { createSHA256, createXXHash128 } from 'hash-wasm'
