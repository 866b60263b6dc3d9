// The module of all functions in WebAssembly, as bytes.

import { moduleOf } from './assembler.ts'
import { gramMarks, markedBits } from './gram-marks.ts'
import { lineCount } from './line-count.ts'
import { pairScan } from './pair-scan.ts'

const memoryPages = 9

export function moduleBytes(): Uint8Array<ArrayBuffer> {
  return moduleOf(memoryPages, { scan: pairScan, countLines: lineCount, markGrams: gramMarks, packMarks: markedBits })
}
