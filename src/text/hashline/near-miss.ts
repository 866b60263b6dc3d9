// Detects lines that are almost operations. As body text they would put an instruction into the file and lose the edit, so they are
// refused, and the error shows the line to write instead: most refused scripts are one character away.

import { parseOperation, shortTrimmed } from './operation.ts'

export interface NearMiss {
  readonly problem: string
  /** The line or lines that were probably meant. */
  readonly corrected: string
}

/** The error of a line that is not an operation but was probably meant as one. */
export function findNearMiss(line: string): NearMiss | undefined {
  const text = shortTrimmed(line)
  if (text === undefined || !/^(?:replace|delete|insert)\b/i.test(text)) return undefined
  return (
    wrongCase(text) ?? colonAfterDelete(text) ?? bodyOnSameLine(text) ?? missingPlace(text) ?? wordLines(text) ?? badNumbers(text)
  )
}

function wrongCase(text: string): NearMiss | undefined {
  const lower = text.toLowerCase()
  if (lower === text || parseOperation(lower) === undefined) return undefined
  return { problem: 'operations are written in lower case', corrected: lower }
}

function colonAfterDelete(text: string): NearMiss | undefined {
  const head = /^(delete\b[^:]*):/i.exec(text)?.[1]?.trimEnd().toLowerCase()
  if (head === undefined || parseOperation(head) === undefined) return undefined
  return { problem: '`delete` takes no colon and no body', corrected: head }
}

function bodyOnSameLine(text: string): NearMiss | undefined {
  const match = /^((?:replace|insert)\b[^:]*):\s*(\S.*)$/i.exec(text)
  const head = match?.[1]?.trimEnd().toLowerCase()
  const body = match?.[2]
  if (head === undefined || body === undefined || parseOperation(`${head}:`) === undefined) return undefined
  return { problem: 'the body starts on the next line', corrected: `${head}:\n${body.startsWith('+') ? '' : '+'}${body}` }
}

function missingPlace(text: string): NearMiss | undefined {
  const number = /^insert\s+(?:at\s+|line\s+)*(\d+)\s*:?$/i.exec(text)?.[1]
  return number === undefined ? undefined : { problem: '`insert` needs a place', corrected: `insert after ${number}:` }
}

function wordLines(text: string): NearMiss | undefined {
  const without = text
    .toLowerCase()
    .replace(/\s+lines?(?=\s+\d)/, '')
    .replace(/(?<=\d)\s+(?:to|through)\s+(?=\d)/, '..')
  if (without === text || parseOperation(without) === undefined) return undefined
  return { problem: 'an operation names its lines by number only', corrected: without }
}

function badNumbers(text: string): NearMiss | undefined {
  if (!/^(?:replace|delete|insert\s+(?:before|after))\s+(?:block\s+)?[\d.…\s,-]*\d[\d.…\s,-]*:?$/i.test(text)) return undefined
  const verb = text.slice(0, text.search(/\d/)).trim().toLowerCase()
  const isSingle = verb.startsWith('insert') || verb.endsWith('block')
  const corrected = `${verb} ${isSingle ? 'N' : 'N..M'}${verb.startsWith('delete') ? '' : ':'}`
  return { problem: 'line numbers count from 1, without leading zeros, and a range is N..M', corrected }
}
