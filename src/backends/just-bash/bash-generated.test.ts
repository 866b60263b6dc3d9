// Scripts that a grammar makes (testing/bash-scripts), run by the machine's bash and by ours. A failure names its seed.
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

/** bash 5.2 writes a substitution down and reads it again, and cannot read some of what it wrote. The scripts themselves are right. */
const cannotReadItself =
  /syntax error near unexpected token|bad substitution: no closing|unexpected EOF while looking for matching/

/** Archives and diffs hold times, and a packer's bytes are its own. */
function comparable({ output, code, files }: Ran): Ran {
  const kept = Object.entries(files).map(([name, text]) => [name, /\.(?:t?gz|tar|zip|diff)$/.test(name) ? '' : text])
  return { output, code, files: Object.fromEntries(kept) }
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
        if (cannotReadItself.test(theirs.complaints)) {
          unreadable += 1
          continue
        }
        const ours = await runOurs(script, scriptFiles)
        expect({ seed, script, ...comparable(ours) }).toEqual({ seed, script, ...comparable(theirs) })
      }
      console.info(`seeds ${first} to ${last}: ${unreadable} scripts that bash could not read`)
      expect(unreadable).toBeLessThan(sliceSize / 50)
    },
    1_800_000,
  )
})
