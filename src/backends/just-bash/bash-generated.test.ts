// Scripts from a grammar (testing/bash-scripts), run by the machine's bash and by ours. A failure names its seed.
import { expect, it } from 'vitest'
import { generateScript, scriptFiles } from '../../testing/bash-scripts/generate.ts'
import { hasBash, runBash, runOurs, type Ran } from '../../testing/bash-scripts/run-both.ts'
import { seeds } from '../../testing/depth.ts'
import { whyNotAsked } from '../../testing/gnu/real-program.ts'
import { describeUnless } from '../../testing/suites.ts'

const whyNot = hasBash
  ? whyNotAsked('sort', ['--version'], /^sort \(GNU coreutils\) 9/) ||
    whyNotAsked('jq', ['--version'], /^jq-1\./) ||
    whyNotAsked('zip', ['-v'], /Zip 3/)
  : 'there is no bash 5.2 here'

/** bash 5.2 prints a substitution and parses it again, and cannot parse some of its own output. The scripts themselves are right. */
const cannotReadItself =
  /syntax error near unexpected token|bad substitution: no closing|unexpected EOF while looking for matching/

/** In its print of a compound assignment, an escaped tab becomes a blank, and of two blanks after a backslash one is lost. */
const changesItself = /\$\([^]*=\([^)]*\\[ \t]/

/**
 * Archives and diffs contain times, and compressed bytes differ between programs. In a substitution bash counts the lines of the text
 * that it printed itself.
 */
function comparable({ output, code, files }: Ran, script: string): Ran {
  const withoutLines = (text: string): string => {
    const kept = script.includes('$(') ? text.replace(/: line \d+: /g, ': ') : text
    // Whether a program still writes when the reader of its pipe has ended is a race in bash.
    return script.includes('PIPESTATUS') ? kept.replace(/\b141\b/g, '0') : kept
  }
  const kept = Object.entries(files).map(([name, text]) => [
    name,
    /\.(?:t?gz|tar|zip|diff)$/.test(name) ? '' : withoutLines(text),
  ])
  return { output: withoutLines(output), code, files: Object.fromEntries(kept) }
}

const total = seeds({ quick: 40, deep: 20_000 })
const sliceSize = 500
const slices = Array.from({ length: Math.ceil(total / sliceSize) }, (_, index) => index * sliceSize + 1)

describeUnless(whyNot, 'generated scripts', () => {
  it.each(slices)(
    'from seed %i on are answered as bash answers them',
    async first => {
      const last = Math.min(total, first + sliceSize - 1)
      let unreadable = 0
      for (let seed = first; seed <= last; seed++) {
        const script = generateScript(seed)
        const theirs = await runBash(script, scriptFiles)
        if (cannotReadItself.test(theirs.complaints) || changesItself.test(script)) {
          unreadable += 1
          continue
        }
        const ours = await runOurs(script, scriptFiles)
        expect({ seed, script, ...comparable(ours, script) }).toEqual({ seed, script, ...comparable(theirs, script) })
      }
      console.info(`seeds ${first} to ${last}: ${unreadable} scripts that bash could not read`)
      expect(unreadable).toBeLessThan(sliceSize / 50)
    },
    1_800_000,
  )
})
