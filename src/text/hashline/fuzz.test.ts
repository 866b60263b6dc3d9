// Scripts that no model would write. For every input, the parser returns hunks or its own kind of error, and quickly.

import { expect, it } from 'vitest'
import { ToolError } from '../../core/errors.ts'
import { documentOf, textOf } from '../../core/text.ts'
import { seeds } from '../../testing/depth.ts'
import { createRandom, type Random } from '../../testing/random.ts'
import { applyHunks } from './apply.ts'
import { parseScript, type HashlineScript } from './parse.ts'
import { previewScript } from './preview.ts'

const scriptCount = seeds({ quick: 2_000, deep: 100_000 })

const pieces: readonly string[] = [
  ...[
    '[a.ts#1A2B]',
    '[b c.ts#00ff]',
    '[a.ts]',
    '[a.ts#12G4]',
    '[#1234]',
    '[',
    ']',
    '#',
    '[]',
    "['q'#AAAA]",
    '[*** Update File: x#0000]',
  ],
  ...['replace ', 'delete ', 'insert ', 'block ', 'before ', 'after ', 'head', 'tail', 'Replace ', 'REPLACE', 'lines '],
  ...['1', '2..3', '3-2', '1 2', '1…4', '0', '007', '99999999999999999999', '1..100001', '2...3', '..', ':', ' : ', '5'],
  ...['+', '+x', '++', '+[a.ts#1A2B]', '-', '- item', 'x', '12:copied', '*3:hit', ' 4:near', '>>> 5:x', '1: "a",', '# comment'],
  ...['*** Begin Patch', '*** End Patch', '*** Abort', '*** Update File: a', '*** Move to: b', '@@', '@@ -1,2 +1,2 @@'],
  ...[
    '\n',
    '\n',
    '\n',
    '\n',
    '\r\n',
    '\r',
    '\0',
    '\uFEFF',
    '\u2028',
    '\uD800',
    '\uDC00',
    '😀',
    ' ',
    '\t',
    '\u00A0',
    '\\',
    '"',
    '`',
    '$1',
    '{',
    '}',
  ],
]

const lines: readonly string[] = [
  ...['replace 2..3:\n+x\n', 'replace 5\n+v\n', 'delete 4\n', 'delete 1-2\n', 'insert before 3:\n+w\n', 'insert after 1:\n+y\n'],
  ...[
    'insert tail:\n+\n',
    'insert head:\nbare\n',
    'delete block 2\n',
    'replace block 1:\n+u\n',
    '+z\n',
    '[b.ts#00FF]\n',
    '\n',
    '# c\n',
  ],
]

/** Most are invalid from the first line on; some are scripts with a few errors, which get further. */
function randomScript(random: Random): string {
  if (random.chance(0.5)) return Array.from({ length: random.below(40) }, () => rubbish(random)).join('')
  let script = `[a.ts#1A2B]\n${Array.from({ length: 1 + random.below(6) }, () => random.pick(lines)).join('')}`
  for (let faults = random.below(4); faults > 0; faults--) {
    const at = random.below(script.length + 1)
    script = script.slice(0, at) + (random.chance(0.5) ? rubbish(random) : '') + script.slice(at + random.below(3))
  }
  return script
}

function rubbish(random: Random): string {
  return random.chance(0.05) ? String.fromCharCode(random.below(0x10000)) : random.pick(pieces)
}

const file = documentOf('one {\n  two\n  three\n}\nfive\n')
const fileText = textOf(file)

it(`${scriptCount} random scripts: hunks or a ToolError, and nothing half done`, () => {
  const counts = { parsed: 0, applied: 0, refused: 0 }
  let seed = 1
  try {
    for (; seed <= scriptCount; seed++) {
      const script = randomScript(createRandom(seed))
      fuzzOne(script, counts)
    }
  } catch (error) {
    throw new Error(`seed ${seed}: ${JSON.stringify(randomScript(createRandom(seed)))}`, { cause: error })
  }
  console.log(`fuzz: seeds 1 to ${scriptCount}: ${JSON.stringify(counts)}`)
  expect(Math.min(counts.parsed, counts.applied, counts.refused)).toBeGreaterThan(scriptCount / 100)
}, 3_600_000)

function fuzzOne(script: string, counts: { parsed: number; applied: number; refused: number }): void {
  let parsed: HashlineScript
  try {
    parsed = parseScript(script)
  } catch (error) {
    checkRefusal(error, script)
    counts.refused++
    previewScript(script, () => file)
    return
  }
  counts.parsed++
  expect(parsed.sections.length).toBeGreaterThan(0)
  for (const { hunks, tag, path } of parsed.sections) {
    if (hunks.length === 0 || path.trim() === '' || !/^[0-9A-F]{4}$/.test(tag)) throw new Error('a section without substance')
    for (const hunk of hunks) {
      if ('rows' in hunk && (hunk.rows.length === 0 || hunk.rows.some(row => /[\r\n\0]/.test(row))))
        throw new Error('a row is no line')
    }
    try {
      const applied = applyHunks(file, hunks)
      if (applied.changed !== (textOf(applied.document) !== fileText)) throw new Error('changed is not said rightly')
      counts.applied++
    } catch (error) {
      checkRefusal(error, script)
    }
  }
  if (textOf(file) !== fileText) throw new Error('the document itself was changed')
}

function checkRefusal(error: unknown, script: string): void {
  if (!(error instanceof ToolError) || !error.code.startsWith('edit-')) throw error
  const scriptLine = error.details['scriptLine']
  const lineCount = script.split('\n').length
  if (error.nextStep === undefined) throw new Error(`no next step: ${error.message}`, { cause: error })
  if (scriptLine !== undefined && !(Number(scriptLine) >= 1 && Number(scriptLine) <= lineCount)) {
    throw new Error(`line ${JSON.stringify(scriptLine)} of ${lineCount}`, { cause: error })
  }
}
