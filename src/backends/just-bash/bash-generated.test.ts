// Scripts from a grammar (testing/bash-scripts), run by the machine's bash and by ours. A failure names its seed.
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { generateScript, scriptFiles } from '../../testing/bash-scripts/generate.ts'
import { comparable, defectOf } from '../../testing/bash-scripts/defects.ts'
import { hasBash, runBash, runOurs } from '../../testing/bash-scripts/run-both.ts'
import { seeds } from '../../testing/depth.ts'
import { whyNotAsked } from '../../testing/gnu/real-program.ts'
import { describeUnless } from '../../testing/suites.ts'

const whyNot = hasBash
  ? whyNotAsked('sort', ['--version'], /^sort \(GNU coreutils\) 9/) ||
    whyNotAsked('jq', ['--version'], /^jq-1\./) ||
    whyNotAsked('zip', ['-v'], /Zip 3/)
  : 'there is no bash 5.2 here'

const total = seeds({ quick: 20, deep: 20_000 })
const sliceSize = 500
const slices = Array.from({ length: Math.ceil(total / sliceSize) }, (_, index) => index * sliceSize + 1)

describeUnless(whyNot, 'generated scripts', () => {
  it.each(slices)(
    'from seed %i on are answered as bash answers them',
    async first => {
      const last = Math.min(total, first + sliceSize - 1)
      let defective = 0
      for (let seed = first; seed <= last; seed++) {
        const script = generateScript(seed)
        const theirs = await runBash(script, scriptFiles)
        const ours = comparable(await runOurs(script, scriptFiles), script)
        const wanted = comparable(theirs, script)
        if (!isDeepStrictEqual(ours, wanted) && defectOf(script, theirs) !== undefined) {
          defective += 1
          continue
        }
        expect({ seed, script, ...ours }).toEqual({ seed, script, ...wanted })
      }
      console.info(`seeds ${first} to ${last}: ${defective} scripts with a defect of bash`)
      expect(defective).toBeLessThan(sliceSize / 50)
    },
    1_800_000,
  )
})
