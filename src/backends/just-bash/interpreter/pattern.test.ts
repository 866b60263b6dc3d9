// Patterns with several stars, held against a matcher that tries everything, and on texts where trying everything never ends.

import { describe, expect, it } from 'vitest'

import { seeds } from '../../../testing/depth.ts'
import { forSeeds } from '../../../testing/random.ts'
import { createVfs } from '../../../vfs/create-vfs.ts'
import { memory } from '../../memory/index.ts'
import { tableOf } from '../commands/own-commands.ts'
import { compilePattern } from './pattern.ts'
import { runScriptRequest } from './run-script.ts'

/** Whether `pattern` of letters, `?` and `*` matches the whole of `text`. */
function matches(pattern: string, text: string): boolean {
  const [first] = pattern
  if (first === undefined) return text === ''
  if (first === '*') return matches(pattern.slice(1), text) || (text !== '' && matches(pattern, text.slice(1)))
  return text !== '' && (first === '?' || first === text.charAt(0)) && matches(pattern.slice(1), text.slice(1))
}

it('finds what trying everything finds', async () => {
  await forSeeds(seeds({ quick: 300, deep: 20_000 }), random => {
    const some = (letters: readonly string[], most: number): string =>
      Array.from({ length: random.below(most + 1) }, () => random.pick(letters)).join('')
    const pattern = some(['a', 'b', '?', '*', '*'], 8)
    const text = some(['a', 'b', 'c', '\n'], 10)
    expect([pattern, text, compilePattern(pattern).test(text)]).toEqual([pattern, text, matches(pattern, text)])
  })
})

async function printed(script: string): Promise<string> {
  let output = ''
  await runScriptRequest({
    script,
    env: { HOME: '/w', LANG: 'C.UTF-8' },
    files: createVfs(memory({ '/w/a': '' })),
    cwd: '/w',
    commands: tableOf([]),
    hasOwnPrograms: false,
    signal: new AbortController().signal,
    isStopped: () => false,
    onOutput: (_channel, bytes) => {
      output += new TextDecoder().decode(bytes)
    },
  })
  return output
}

describe('a text of 20,000 letters', () => {
  it.each([
    ['[[ $x == *a*a*a*a*b ]]; echo $?', '1'],
    ['case $x in *a*a*a*a*b) echo yes;; *a*a*a*a*) echo no;; esac', 'no'],
    ['y=${x//a*b/}; echo ${#y}', '20000'],
    ['y=${x/a*a*b/}; echo ${#y}', '20000'],
    ['y=${x/%a*a*b/}; echo ${#y}', '20000'],
    ['y=${x%%*a*b}; echo ${#y}', '20000'],
    ['y=${x%a*b}; echo ${#y}', '20000'],
    ['y=${x%a*a*a}; echo ${#y}', '19997'],
    ['y=${x#*a*a*b}; echo ${#y}', '20000'],
    ['y=${x#*a*a*a}; echo ${#y}', '19997'],
    ['y=${x##*a*a*b}; echo ${#y}', '20000'],
  ])('%s ends', async (script, wanted) => {
    expect(await printed(`printf -v x %20000s ''; x=\${x// /a}; ${script}`)).toBe(`${wanted}\n`)
  })
})
