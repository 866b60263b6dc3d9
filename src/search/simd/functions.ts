// The module of all functions in WebAssembly, as bytes.

import { moduleOf } from './assembler.ts'
import { gramMarks, halvedSet, markedBits } from './gram-marks.ts'
import { lineCount } from './line-count.ts'
import { lineFacts } from './line-facts.ts'
import { pairScan } from './pair-scan.ts'
import { layTile } from './tile.ts'

const memoryPages = 9

export function moduleBytes(): Uint8Array<ArrayBuffer> {
  return moduleOf(memoryPages, {
    scan: pairScan,
    countLines: lineCount,
    markGrams: gramMarks,
    packMarks: markedBits,
    halveSet: halvedSet,
    noteLines: lineFacts,
    layTile,
  })
}
