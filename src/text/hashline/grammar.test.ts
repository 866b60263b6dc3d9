import { describe, expect, it } from 'vitest'
import { ToolError } from '../../core/errors.ts'
import { seeds } from '../../testing/depth.ts'
import { createRandom, forSeeds, type Random } from '../../testing/random.ts'
import { hashlineExamples, hashlineGrammar, hashlinePrompt } from './grammar.ts'
import { hashlineRules } from './rules.ts'
import { formatOperation, type Operation } from './hunk.ts'
import { parseScript } from './parse.ts'

/** The grammar has no recursion, so it is one regular expression. This parses the part of Lark's notation that it uses. */
function expressionOf(grammar: string): RegExp {
  const rules = new Map(
    grammar
      .trimEnd()
      .split('\n')
      .map(rule => [rule.slice(0, rule.indexOf(':')), rule.slice(rule.indexOf(':') + 1).trim()] as const),
  )
  const expand = (name: string, depth: number): string => {
    const rule = rules.get(name)
    if (rule === undefined || depth > 10) throw new Error(`no rule ${name}`)
    const parts = rule.matchAll(/"([^"]*)"|\/((?:\\.|\[(?:\\.|[^\]])*\]|[^/])+)\/|([A-Za-z_]+)|([()|+*?])|\s+|(.)/g)
    let expression = ''
    for (const [, literal, pattern, reference, sign, rest] of parts) {
      if (rest !== undefined) throw new Error(`cannot read ${rest} in ${name}`)
      if (literal !== undefined) expression += literal.replaceAll('.', '\\.')
      else if (pattern !== undefined) expression += `(?:${pattern})`
      else if (reference !== undefined) expression += expand(reference, depth + 1)
      else if (sign !== undefined) expression += sign
    }
    return `(?:${expression})`
  }
  return new RegExp(`^${expand('start', 0)}$`)
}

const strict = expressionOf(hashlineGrammar)

function randomScript(random: Random): string {
  const texts = ['', 'a', '[b#1234]', 'delete 3', '- x', '+y', '*** Abort', '  z', '42', '@@ -1 +1 @@', '1:x', '# c', 'é😀']
  const rows = (): string => Array.from({ length: 1 + random.below(3) }, () => `+${random.pick(texts)}\n`).join('')
  const operation = (): string => {
    const line = 1 + random.below(99)
    const end = line + random.below(4)
    const operations: readonly Operation[] = [
      { kind: 'replace', start: line, end },
      { kind: 'delete', start: line, end },
      { kind: 'insert', at: { place: 'before', line } },
      { kind: 'insert', at: { place: 'after', line } },
      { kind: 'insert', at: { place: 'head' } },
      { kind: 'insert', at: { place: 'tail' } },
      { kind: 'replace-block', line },
      { kind: 'delete-block', line },
      { kind: 'insert-after-block', line },
    ]
    const chosen = random.pick(operations)
    return `${formatOperation(chosen)}\n${chosen.kind.startsWith('delete') ? '' : rows()}`
  }
  const paths = ['a.ts', 'src/[id]/page.tsx', 'with space.md', '/abs/x#y', '[slug].ts']
  return Array.from({ length: 1 + random.below(3) }, (_, index) => {
    const hunks = Array.from({ length: 1 + random.below(3) }, operation).join('')
    return `[${random.pick(paths)}${index}#${random.pick(['00AA', '9F3C'])}]\n${hunks}`
  }).join('')
}

describe('the grammar and the parser agree', () => {
  it('on every script that operations are written as', async () => {
    await forSeeds(seeds({ quick: 60, deep: 5000 }), random => {
      const script = randomScript(random)
      expect(script).toMatch(strict)
      expect(parseScript(script).warnings).toEqual([])
    })
  })

  it('on scripts with small changes: what the grammar accepts is parsed, without a warning', () => {
    const counts = { accepted: 0, refused: 0 }
    const pieces = ['\n', '+', ':', '0', '9', '..', ' ', '[', ']', '#', 'block ', 'delete 3..4\n', '\r', '-', 'A']
    for (let seed = 1; seed <= 20_000; seed++) {
      const random = createRandom(seed)
      // By code points, because half of one is invalid by itself.
      const script = Array.from(randomScript(random))
      const at = random.below(script.length)
      const mutated = [...script.slice(0, at), random.pick([...pieces, '']), ...script.slice(at + random.below(3))].join('')
      if (!strict.test(mutated)) {
        counts.refused++
        continue
      }
      counts.accepted++
      try {
        const parsed = parseScript(mutated)
        expect({ seed, mutated, warnings: parsed.sections.flatMap(section => section.warnings) }).toEqual({
          seed,
          mutated,
          warnings: [],
        })
      } catch (error) {
        if (!(error instanceof ToolError)) throw error
        expect(['edit-reversed-range', 'edit-range-too-large', 'edit-conflicting-tags'], `seed ${seed}: ${mutated}`).toContain(
          error.code,
        )
      }
    }
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(2000)
  })
})

describe('the prompt', () => {
  it.each(hashlineExamples)('example: $task', ({ script }) => {
    expect(script).toMatch(strict)
    const { sections, warnings } = parseScript(script)
    expect(warnings).toEqual([])
    expect(sections.flatMap(section => section.warnings)).toEqual([])
    expect(hashlinePrompt).toContain(script)
  })

  it('shows every operation, in its list and in an example', () => {
    const written = hashlineExamples.flatMap(({ script }) => script.split('\n').filter(line => /^[a-z]/.test(line)))
    const forms = new Set(
      written.map(line =>
        line
          .replaceAll(/\d+(?=\.\.)/g, 'N')
          .replace(/(?<=\.\.)\d+/, 'M')
          .replace(/\d+/, 'N'),
      ),
    )
    expect(forms.size).toBe(9)
    const listed = new Set(hashlineRules.split('\n').map(line => line.split('  ')[0]))
    for (const form of forms) expect(listed).toContain(form)
  })
})
