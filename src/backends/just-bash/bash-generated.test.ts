// Scripts from a grammar (testing/bash-scripts), run by the machine's bash and by ours. A failure names its seed.
import { isDeepStrictEqual } from 'node:util'
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

/** Defects of bash 5.2 itself, which are not imitated. A script counts as one of them only if the answers differ. */
const defects: readonly ((script: string, theirs: Ran & { readonly complaints: string }) => boolean)[] = [
  // It prints a substitution and parses it again, and cannot parse some of its own output.
  (script, { complaints }) =>
    script.includes('$(') &&
    /syntax error near unexpected token|bad substitution: no closing|unexpected EOF while looking for matching/.test(complaints),
  // In its print of a compound assignment, an escaped tab becomes a blank, and of two blanks after a backslash one is lost.
  script => /\$\([^]*=\([^)]*\\[ \t]/.test(script),
  // After `eval` of a text with an open quote it takes the first word of the next line for no keyword.
  (script, { complaints }) => script.includes('eval') && /: !: command not found$/m.test(complaints),
  // After a syntax error in a compound assignment it goes on with the next line of the same text.
  (_script, { complaints }) => /syntax error near unexpected token `\('\n[^\n]*`[^\n]*=\(/.test(complaints),
  // It complains of itself where a function is left by a redirected `eval` of a failure.
  (_script, { complaints, files }) => /pop_var_context: head of shell_variables/.test(complaints + Object.values(files).join()),
]

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
      let defective = 0
      for (let seed = first; seed <= last; seed++) {
        const script = generateScript(seed)
        const theirs = await runBash(script, scriptFiles)
        const ours = comparable(await runOurs(script, scriptFiles), script)
        const wanted = comparable(theirs, script)
        if (!isDeepStrictEqual(ours, wanted) && defects.some(isOne => isOne(script, theirs))) {
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
