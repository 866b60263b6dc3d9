// Runs the same command lines with our git and with real git, and compares output, exit code, kind of message on stderr, and the files
// afterwards. Prints the share of equal ones, weighted by how often agents run a command.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { node } from '../backends/node/index.ts'
import { collectOutput, inputOf } from '../shell/commands.ts'
import { seeds } from '../testing/depth.ts'
import { gitDates, plainGitEnvironment } from '../testing/git-environment.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import { boundaries } from '../testing/git-battery/boundaries.ts'
import { chosenHunks } from '../testing/git-battery/chosen-hunks.ts'
import { combinations } from '../testing/git-battery/combinations.ts'
import { combinationsApart, combinationsConflict } from '../testing/git-battery/combinations-conflict.ts'
import { conflictStates } from '../testing/git-battery/conflict-states.ts'
import { readingColors, readingConflictColors } from '../testing/git-battery/colors.ts'
import { corners } from '../testing/git-battery/corners.ts'
import { readingFormats, writingFormats } from '../testing/git-battery/formats.ts'
import { elsewhere } from '../testing/git-battery/elsewhere.ts'
import { historyTools } from '../testing/git-battery/history-tools.ts'
import { heededConflict, heededReading, heededRebases, heededWriting } from '../testing/git-battery/heeded-options.ts'
import { reading, readingConflict } from '../testing/git-battery/reading.ts'
import { readingHistory } from '../testing/git-battery/reading-history.ts'
import { readingOptions } from '../testing/git-battery/reading-options.ts'
import { comparingMerges, plumbing, plumbingConflict, writingPlumbing } from '../testing/git-battery/plumbing.ts'
import { looseFiles, otherRepositories, replacedDirectories } from '../testing/git-battery/other-repositories.ts'
import { readingOddPatterns, readingPatterns } from '../testing/git-battery/patterns.ts'
import { readingMail, writingMail } from '../testing/git-battery/mail.ts'
import { listingObjects } from '../testing/git-battery/listing-objects.ts'
import { markedEdits, overwriting, stagedInPlace, stashingStaged } from '../testing/git-battery/overwriting.ts'
import {
  oddShapes,
  oddShapesClean,
  readingOddShapes,
  submodules,
  submoduleStates,
  writingOddShapes,
  writingOddShapesClean,
} from '../testing/git-battery/odd-shapes.ts'
import { mergedHeads } from '../testing/git-battery/merged-heads.ts'
import { apart, conflict, history } from '../testing/git-battery/repositories.ts'
import {
  loggedSessions,
  readingSessions,
  readingTrailers,
  rebasedSessions,
  writingSessions,
} from '../testing/git-battery/sessions.ts'
import { prettyForms, touchedFiles } from '../testing/git-battery/pretty-forms.ts'
import { readingSettings, writingSettings } from '../testing/git-battery/settings.ts'
import { readingContained, remoteStates } from '../testing/git-battery/remote-states.ts'
import { rebasedRoots } from '../testing/git-battery/rebased-roots.ts'
import { replacements } from '../testing/git-battery/replacements.ts'
import { restoredConflicts } from '../testing/git-battery/restored-conflicts.ts'
import { conflictLayout, detachedNames, drawnGraphs, logLayout } from '../testing/git-battery/log-layout.ts'
import { readingShallow, shallow, writingShallow } from '../testing/git-battery/shallow.ts'
import { commandOf, shares } from '../testing/git-battery/shares.ts'
import { ambiguousRemotes, narrowWalks } from '../testing/git-battery/narrow-walks.ts'
import { quietConflict, quietReading, quietWriting } from '../testing/git-battery/quiet-faults.ts'
import { writing } from '../testing/git-battery/writing.ts'
import { writingConflict } from '../testing/git-battery/writing-conflict.ts'
import { writingEveryday } from '../testing/git-battery/writing-everyday.ts'
import { GitFiles } from './files.ts'
import { runGit } from './program.ts'
import { RepositoryCache } from './repository-cache.ts'

const start = 1_600_000_000
const now = start + 1000
const place = realpathSync(mkdtempSync(join(tmpdir(), 'anchorage-git-')))
const home = join(place, 'home')
const environment: Record<string, string> = {
  ...plainGitEnvironment(home),
  ...gitDates(now),
  TZ: 'UTC',
  LC_ALL: 'C',
  TERM: 'dumb',
  GIT_TEST_FSYNC: '0',
  GIT_TEST_DATE_NOW: String(now),
}
const vfs = createVfs(node('/', { durability: 'flush' }))

interface Result {
  readonly stdout: string
  readonly stderr: string
  readonly code: number
}

/** Splits words as a shell does; quotes keep blanks. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'/g,
      (_, double?: string, single?: string) => double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? '',
    ),
  )
}

/** A line may end in `<<< 'text'`, which is the command's stdin. */
function callOf(line: string): { readonly words: readonly string[]; readonly input: Buffer } {
  const [whole, text = ''] = / <<< '([^']*)'$/.exec(line) ?? ['']
  const input = text
    .replaceAll(String.raw`\n`, '\n')
    .replaceAll(String.raw`\t`, '\t')
    .replaceAll(String.raw`\0`, '\0')
  return { words: wordsOf(line.slice(0, line.length - whole.length)), input: Buffer.from(input, 'latin1') }
}

const nothing = Buffer.alloc(0)

function real(directory: string, words: readonly string[], input: Buffer = nothing): Result {
  const { stdout, stderr, status } = spawnSync('git', words, { cwd: directory, env: environment, encoding: 'latin1', input })
  return { stdout, stderr, code: status ?? -1 }
}

async function ours(
  directory: string,
  words: readonly string[],
  cache: RepositoryCache,
  input: Uint8Array = nothing,
): Promise<Result> {
  const [stdout, stderr] = [collectOutput(), collectOutput()]
  const code = await runGit(
    words,
    {
      files: new GitFiles(vfs),
      cwd: directory,
      env: environment,
      clock: () => now * 1000,
      signal: new AbortController().signal,
      settings: [],
      cache,
      exec: async ([program = '', ...args]) => {
        const told = spawnSync(program, args, { cwd: directory, env: environment })
        await stdout.write(told.stdout)
        await stderr.write(told.stderr)
        return told.status ?? -1
      },
    },
    { stdin: inputOf(input), stdout, stderr },
  )
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
  return { stdout: text(stdout.bytes()), stderr: text(stderr.bytes()), code }
}

/** `fatal`, `error`, `warning`, `usage`, another text, or nothing. */
function kindOf(stderr: string): string {
  const lines = stderr.split('\n').filter(line => line !== '' && !line.startsWith('hint:'))
  return /^(fatal|error|warning|usage):/.exec(lines.at(0) ?? '')?.[1] ?? (lines.length > 0 ? 'text' : 'nothing')
}

function build(name: string, script: string): string {
  const directory = join(place, name)
  mkdirSync(directory)
  const at = `at() { export GIT_AUTHOR_DATE="$((${start} + $1)) +0000" GIT_COMMITTER_DATE="$((${start} + $1)) +0000"; }; at 0\n`
  execFileSync('bash', ['-ec', at + script], { cwd: directory, env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  return directory
}

/** Everything in a repository: references, logs, index, files. */
function stateOf(directory: string): string {
  const ask = (...words: string[]): string => real(directory, words).stdout
  const logs = ['HEAD', 'refs/heads/main'].map(name => {
    try {
      return readFileSync(join(directory, '.git/logs', name), 'latin1')
    } catch {
      return `${name} has no log`
    }
  })
  const files: string[] = []
  const list = (path: string): void => {
    for (const entry of readdirSync(join(directory, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = join(path, entry.name)
      if (entry.name === '.git' || name.endsWith('.git')) continue
      if (entry.isDirectory()) {
        files.push(`${name}/`)
        list(name)
      } else if (entry.isSymbolicLink()) files.push(`${name} -> ${readlinkSync(join(directory, name))}`)
      else files.push(`${name} ${readFileSync(join(directory, name), 'latin1')}`)
    }
  }
  list('.')
  const config = (() => {
    try {
      return readFileSync(join(directory, '.git/config'), 'latin1')
    } catch {
      return ''
    }
  })()
  return [
    ask('for-each-ref'),
    ask('symbolic-ref', '-q', 'HEAD'),
    ask('rev-parse', 'HEAD'),
    ask('ls-files', '-s'),
    ask('status', '--porcelain'),
    config,
    ...logs,
    ...files,
  ].join('\n')
}

interface Outcome {
  readonly line: string
  readonly isEqual: boolean
  readonly why: string
}

const outcomes: Outcome[] = []

function compare(line: string, theirs: Result, own: Result): Outcome {
  const clean = (text: string, directory: string): string => text.replaceAll(directory, '')
  const [a, b] = [clean(theirs.stdout, place), clean(own.stdout, place)]
  const why = [
    a === b.replaceAll('/w-ours', '/w-real') ? '' : `stdout\n--- git\n${a.slice(0, 700)}\n--- ours\n${b.slice(0, 700)}`,
    theirs.code === own.code ? '' : `exit ${theirs.code} and ${own.code}`,
    kindOf(theirs.stderr) === kindOf(own.stderr)
      ? ''
      : `stderr ${JSON.stringify(theirs.stderr.slice(0, 200))} and ${JSON.stringify(own.stderr.slice(0, 200))}`,
  ].filter(Boolean)
  return { line, isEqual: why.length === 0, why: why.join('\n') }
}

/** Percentage of equal command lines; each command counts by its weight. */
function weighted(rows: readonly Outcome[]): number {
  const groups = new Map<string, { equal: number; all: number }>()
  for (const { line, isEqual } of rows) {
    const group = groups.get(commandOf(line)) ?? { equal: 0, all: 0 }
    group.all++
    if (isEqual) group.equal++
    groups.set(commandOf(line), group)
  }
  let total = 0
  let equal = 0
  for (const [name, group] of groups) {
    const share = shares[name] ?? 0.1
    total += share
    equal += (share * group.equal) / group.all
  }
  return (100 * equal) / total
}

/** What agents run most. */
const everyday = /^(?:status|diff|log|show|branch)(?: -\w+)?$/

/** The quick run takes every nth line and the everyday ones; the deep run takes all, or its share. */
function sample<T>(rows: readonly T[], step: number): readonly T[] {
  const chosen = process.env['GIT_BATTERY']
  if (chosen === 'all') return rows
  if (chosen !== undefined && chosen !== '') return rows.filter(row => new RegExp(chosen).test(String(row)))
  const count = seeds({ quick: Math.ceil(rows.length / step / 3), deep: rows.length })
  return rows.filter((row, index) => index % Math.ceil(rows.length / count) === 0 || everyday.test(String(row)))
}

describe('the battery', () => {
  let main = ''
  let merging = ''
  let branches = ''
  let odd = ''
  let oddClean = ''
  let nested = ''
  let cut = ''

  beforeAll(() => {
    mkdirSync(home)
    writeFileSync(join(home, '.gitconfig'), '[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = true\n')
    main = build('main', history)
    merging = build('merging', conflict)
    branches = build('branches', apart)
    odd = build('odd', oddShapes)
    oddClean = build('odd-clean', oddShapesClean)
    nested = build('nested', submodules)
    cut = build('shallow', shallow)
  })

  afterAll(() => {
    rmSync(place, { recursive: true, force: true })
  })

  it('reads as git reads', async () => {
    for (const [directory, rows] of [
      [
        main,
        sample(
          [
            ...readingHistory,
            ...reading,
            ...readingOptions,
            ...plumbing,
            ...comparingMerges,
            ...heededReading,
            ...looseFiles,
            ...listingObjects,
            ...boundaries,
            ...combinations,
            ...readingMail,
            ...readingSettings,
            ...prettyForms,
            ...readingColors,
            ...readingFormats,
            ...readingPatterns,
            ...readingContained,
            ...readingSessions,
            ...readingTrailers,
            ...logLayout,
            ...narrowWalks,
            ...quietReading,
          ],
          64,
        ),
      ],
      [
        merging,
        sample(
          [
            ...readingConflict,
            ...plumbingConflict,
            ...heededConflict,
            ...readingConflictColors,
            ...combinationsConflict,
            ...conflictLayout,
            ...quietConflict,
          ],
          32,
        ),
      ],
      [odd, sample([...readingOddShapes, ...readingOddPatterns], 48)],
      [branches, sample(combinationsApart, 28)],
      [cut, sample(readingShallow, 64)],
    ] as const) {
      const cache = new RepositoryCache()
      for (const line of rows) {
        const { words, input } = callOf(line)
        const theirs = real(directory, words, input)
        outcomes.push(
          compare(
            line,
            theirs,
            await ours(directory, words, cache, input).catch((error: unknown) => ({
              stdout: '',
              stderr: String(error instanceof Error ? error.stack : error),
              code: -1,
            })),
          ),
        )
      }
    }
    if (process.env['GIT_BATTERY'] === undefined) expect(outcomes.length).toBeGreaterThan(20)
  }, 3_600_000)

  it('writes as git writes', async () => {
    const lines = [
      ...sample(
        [
          ...writing,
          ...writingPlumbing,
          ...writingEveryday,
          ...heededWriting,
          ...historyTools,
          ...otherRepositories,
          ...replacements,
          ...writingMail,
          ...writingSettings,
          ...writingFormats,
          ...detachedNames,
          ...writingSessions,
          ...mergedHeads,
          ...rebasedSessions,
          ...loggedSessions,
        ],
        160,
      ).map(line => [main, line] as const),
      ...sample(
        [
          ...overwriting,
          ...markedEdits,
          ...stagedInPlace,
          ...stashingStaged,
          ...heededRebases,
          ...replacedDirectories,
          ...elsewhere,
          ...remoteStates,
          ...drawnGraphs,
          ...ambiguousRemotes,
          ...chosenHunks,
          ...rebasedRoots,
          ...touchedFiles,
          ...corners,
          ...quietWriting,
        ],
        80,
      ).map(line => [branches, line] as const),
      ...sample(writingConflict, 32).map(line => [merging, line] as const),
      ...sample(conflictStates, 28).map(line => [merging, line] as const),
      ...sample(restoredConflicts, 28).map(line => [merging, line] as const),
      ...sample(writingOddShapes, 32).map(line => [odd, line] as const),
      ...sample(submoduleStates, 28).map(line => [nested, line] as const),
      ...sample(writingOddShapesClean, 36).map(line => [oddClean, line] as const),
      ...sample(writingShallow, 36).map(line => [cut, line] as const),
    ]
    for (const [origin, line] of lines) {
      const pair: Result[] = []
      const states: string[] = []
      for (const name of ['w-real', 'w-ours']) {
        const directory = join(place, name)
        rmSync(directory, { recursive: true, force: true })
        rmSync(home, { recursive: true, force: true })
        mkdirSync(home)
        writeFileSync(join(home, '.gitconfig'), '[init]\n\tdefaultBranch = main\n')
        execFileSync('cp', ['-a', origin, directory])
        let result: Result = { stdout: '', stderr: '', code: 0 }
        const cache = new RepositoryCache()
        for (const part of line.split(' ; ')) {
          if (part.startsWith('!')) {
            execFileSync('bash', ['-ec', part.slice(1)], { cwd: directory, env: environment })
            continue
          }
          const { words, input } = callOf(part)
          const next =
            name === 'w-real'
              ? real(directory, words, input)
              : await ours(directory, words, cache, input).catch((error: unknown) => ({
                  stdout: '',
                  stderr: String(error instanceof Error ? error.stack : error),
                  code: -1,
                }))
          result = { stdout: result.stdout + next.stdout, stderr: result.stderr + next.stderr, code: next.code }
        }
        pair.push(result)
        const fsck = real(directory, ['fsck', '--strict'])
        states.push(`${stateOf(directory)}\n${fsck.code === 0 ? '' : `fsck: ${fsck.stderr}`}`.replaceAll(name, 'w'))
      }
      const [theirs, own] = pair
      if (theirs === undefined || own === undefined) continue
      const outcome = compare(line, theirs, own)
      const [a = '', b = ''] = states
      const isSame = a === b
      outcomes.push({
        line,
        isEqual: outcome.isEqual && isSame,
        why: outcome.why + (isSame ? '' : `\nstate: ${firstDifference(a, b)}`),
      })
    }
  }, 3_600_000)

  it('agrees for 97 of 100, weighted by what agents run', () => {
    const share = weighted(outcomes)
    const different = outcomes.filter(({ isEqual }) => !isEqual)
    console.log(`git battery: ${outcomes.length - different.length} of ${outcomes.length} equal, ${share.toFixed(1)} % weighted`)
    for (const { line, why } of different)
      console.log(`differs: git ${line}\n${process.env['GIT_BATTERY'] === undefined ? '' : why}`)
    expect(share).toBeGreaterThanOrEqual(97)
  })
})

function firstDifference(a: string, b: string): string {
  const [left, right] = [a.split('\n'), b.split('\n')]
  const at = left.findIndex((line, index) => line !== right[index])
  return `${JSON.stringify(left.slice(Math.max(0, at - 1), at + 3))}\n  and ${JSON.stringify(right.slice(Math.max(0, at - 1), at + 3))}`
}
