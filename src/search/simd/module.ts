// The functions in WebAssembly, and their memory. It holds a text from 0 on, and the results from `foundOffset` on.

import { moduleOf } from './assembler.ts'
import { gramMarks, markedBits } from './gram-marks.ts'
import { lineCount } from './line-count.ts'
import { pairScan } from './pair-scan.ts'

/** The maximum size of the text in the memory. Sixteen more bytes follow, which may be read but never count. */
export const maxTextBytes: number = 2 ** 19 - 16
const memoryPages = 9

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
  /** See line-count.ts. */
  readonly countLines: (length: number) => number
  /** See gram-marks.ts. */
  readonly markGrams: (places: number, mask: number) => number
  readonly packMarks: (count: number) => number
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
    const bytes = moduleOf(memoryPages, {
      scan: pairScan,
      countLines: lineCount,
      markGrams: gramMarks,
      packMarks: markedBits,
    })
    return new compiler.Instance(new compiler.Module(bytes)).exports as SimdFunctions
  } catch {
    // The page's policy or the server forbids it, or the engine is too old. The functions in JavaScript give the same results.
    return undefined
  }
}
