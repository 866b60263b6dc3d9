// An invalid reference is worse than none: everything that a comment or a page refers to must be in this repository.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(path => /\.(ts|mjs|md|html|css)$/.test(path) && existsSync(join(root, path)))
const exists = (path: string): boolean => existsSync(join(root, path))

/** Words that refer to documents outside the repository. Built in pieces, so that this file does not contain them. */
const outside = new RegExp([String.fromCharCode(0xa7), 'seed' + ' 00\\d', '\\bDES' + 'IGN\\b', '\\bspec' + '/\\w'].join('|'))

interface Reference {
  readonly from: string
  readonly to: string
}

function linksOf(path: string): readonly Reference[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => ({
    from: path,
    to: normalize(join(dirname(path), target)),
  }))
}

/** Pages that comments and texts name, such as `docs/filesystem.md`. */
function pagesOf(path: string): readonly Reference[] {
  return [...readFileSync(join(root, path), 'utf8').matchAll(/(?<![\w/.])docs\/[\w/-]+\.md/g)].map(([page]) => ({
    from: path,
    to: page,
  }))
}

/** Files and folders that a page names between backticks, such as `session/locks.ts`, from the root or from `src`. */
function pathsOf(path: string): readonly Reference[] {
  return [...readFileSync(join(root, path), 'utf8').matchAll(/`((?:[\w.@-]+\/)+[\w.-]*)`/g)]
    .map(([, named = '']) => ({ from: path, to: named.replace(/\/$/, '') }))
    .filter(
      ({ to }) => exists(`src/${to.split('/')[0]}`) || ['src', 'docs', 'demo', 'e2e', '.ci'].includes(to.split('/')[0] ?? ''),
    )
}

const pages = tracked.filter(path => path.endsWith('.md'))
const missing = (references: readonly Reference[]): readonly Reference[] =>
  references.filter(({ to }) => !exists(to) && !exists(`src/${to}`) && !exists(`src/${to}.ts`))

describe('references', () => {
  it('finds files to read', () => expect(pages.length).toBeGreaterThan(20))
  it('lead to links that are there', () => expect(missing(pages.flatMap(linksOf))).toEqual([]))
  it('lead to pages that are there', () =>
    expect(missing(tracked.filter(path => !/(\.test|examples)\.ts$/.test(path)).flatMap(pagesOf))).toEqual([]))
  it('name files that are there', () =>
    expect(
      missing(['ARCHITECTURE.md', 'CONTRIBUTING.md', ...pages.filter(path => path.startsWith('docs/'))].flatMap(pathsOf)),
    ).toEqual([]))
  it('to the packages that we depend on are complete', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object }
    const table = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('## What the direct dependencies are for')[1] ?? ''
    const firstCells = [...table.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell)
    const named = firstCells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
    const families = [...new Set(Object.keys(dependencies).map(name => name.replace(/^@lezer\/.*/, '@lezer/*')))]
    expect(named.toSorted()).toEqual(families.toSorted())
  })
  it('begin at a short page', () =>
    expect(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(150))
  it('to decisions are numbered without gaps', () => {
    const decisions = tracked.filter(path => path.startsWith('docs/decisions/')).toSorted()
    const titles = decisions.map(path => readFileSync(join(root, path), 'utf8').split('\n')[0] ?? '')
    expect(decisions.map(path => Number(/\/(\d{3})-/.exec(path)?.[1]))).toEqual(decisions.map((_, index) => index + 1))
    expect(titles.filter((title, index) => !title.startsWith(`# ${index + 1}. `))).toEqual([])
  })
  it('stay within the repository', () => {
    const found = tracked.flatMap(path =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => (outside.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    )
    expect(found).toEqual([])
  })
})
