// The examples in doc comments and pages: each that imports the package is type-checked, and run unless it needs a page.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inDeepRun } from './depth.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Example {
  readonly from: string
  readonly code: string
}

const files = execFileSync('git', ['ls-files', 'src', 'docs', 'README.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

function inComments(path: string): readonly Example[] {
  return [...read(path).matchAll(/^( *)\* @example\n((?:\1\*.*\n)*?)(?=\1\*\/|\1\* @)/gm)].map(([, indent = '', lines = '']) => ({
    from: path,
    code: lines
      .split('\n')
      .map(line => line.slice(indent.length + 2))
      .filter(line => !line.startsWith('```'))
      .join('\n'),
  }))
}

function inPage(path: string): readonly Example[] {
  return [...read(path).matchAll(/^```(?:js|ts)\n([\s\S]*?)^```/gm)].map(([, code = '']) => ({ from: path, code }))
}

const examples = files
  .flatMap(path => (path.endsWith('.md') ? inPage(path) : path.endsWith('.ts') ? inComments(path) : []))
  .filter(({ code }) => /from 'anchorage/.test(code))
const needsPage = (code: string): boolean => /'anchorage\/(client|fs\/opfs|fs\/webcontainer|shell\/webcontainer)'/.test(code)

describe('examples', () => {
  let folder = ''
  const file = (index: number): string => join(folder, `example-${index}.ts`)

  beforeAll(async () => {
    folder = await mkdtemp(join(root, 'src/testing/.examples-'))
    await Promise.all(examples.map(({ code }, index) => writeFile(file(index), `${code}\nexport {}\n`)))
    await writeFile(join(folder, 'tsconfig.json'), tsconfig)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('are found', () => expect(examples.length).toBeGreaterThan(4))

  // The compiler reads the whole package once more, which the quick run leaves to the deep one.
  inDeepRun(() =>
    it('have the types of the package', () => {
      const compiler = join(root, 'node_modules/.bin/tsc')
      let problems = ''
      try {
        execFileSync(compiler, ['-p', folder], { encoding: 'utf8', stdio: 'pipe' })
      } catch (error) {
        problems = (error as { readonly stdout: string }).stdout.replaceAll(
          /example-(\d+)\.ts/g,
          (_, index) => `${examples[Number(index)]?.from}`,
        )
      }
      expect(problems).toBe('')
    }),
  )

  it.each(examples.map((example, index) => ({ ...example, index })).filter(({ code }) => !needsPage(code)))(
    'runs in $from ($index)',
    async ({ index }) => {
      await import(/* @vite-ignore */ file(index))
    },
  )
})

const tsconfig = JSON.stringify({
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    isolatedDeclarations: false,
    declaration: false,
    noUnusedLocals: false,
    noPropertyAccessFromIndexSignature: false,
  },
  include: ['*.ts'],
})
