// A separate file, so that a page that loads it leaves out the other functions of the package.

export { createSHA256, createXXHash128 } from 'hash-wasm'
