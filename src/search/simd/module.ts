// The functions in WebAssembly, and their memory. It holds a text from 0 on, and the results from `foundOffset` on.

import { moduleBytes } from './functions.ts'

export interface SimdFunctions {
  readonly memory: { readonly buffer: ArrayBuffer }
  /** See pair-scan.ts. */
  readonly scan: (
    places: number,
    firstDistance: number,
    firstByte: number,
    firstMask: number,
    secondDistance: number,
    secondByte: number,
    secondMask: number,
  ) => number
  readonly countLines: (length: number) => number
  /** See gram-marks.ts. */
  readonly markGrams: (places: number, mask: number) => number
  readonly packMarks: (count: number) => number
  readonly halveSet: (bits: number) => number
  /** See line-facts.ts. */
  readonly noteLines: (length: number) => number
  /** See tile.ts. */
  readonly layTile: (words: number) => number
}

let made: SimdFunctions | false | undefined

/** `undefined` if WebAssembly cannot be compiled, or has no SIMD. */
export function simdFunctions(): SimdFunctions | undefined {
  made ??= compiled() ?? false
  return made === false ? undefined : made
}

interface Compiler {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (module: object) => { readonly exports: object }
}

function compiled(): SimdFunctions | undefined {
  const { WebAssembly: compiler } = globalThis as unknown as { readonly WebAssembly?: Compiler }
  if (compiler === undefined) return undefined
  try {
    return new compiler.Instance(new compiler.Module(moduleBytes())).exports as SimdFunctions
  } catch {
    // The page's policy or the server forbids it, the engine is too old, or the functions were left out of the bundle. The functions in JavaScript give the same results.
    return undefined
  }
}
