// `git apply`.

import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { matchesWildcard, compileWildcard } from '../../search/wildmatch.ts'
import type { GitCall } from '../call.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'
import { type FilePatch, parsePatch, reversePatch } from '../patch/parse-patch.ts'
import { patchNumstat, patchStat, patchSummary } from '../patch/patch-summary.ts'
import { problemsOf, tellProblems, whitespaceRules } from '../diff/whitespace.ts'
import { Patcher } from '../patch/patcher.ts'
import { quoteFor } from '../quote.ts'
import type { GitCommand } from './command.ts'

export const apply: GitCommand = {
  name: 'apply',
  summary: 'Apply a patch to files and/or to the index',
  options: {
    rows: [
      { names: ['check'] },
      { names: ['stat'] },
      { names: ['numstat'] },
      { names: ['summary'] },
      { names: ['apply'] },
      { names: ['index'] },
      { names: ['cached'] },
      { names: ['3', '3way'], key: '3way' },
      { names: ['R', 'reverse'] },
      { names: ['reject'] },
      { names: ['N', 'intent-to-add'] },
      { names: ['p'], argument: { name: 'num' } },
      { names: ['C'], argument: { name: 'n' } },
      { names: ['unidiff-zero'] },
      { names: ['recount'] },
      { names: ['directory'], argument: { name: 'root' } },
      { names: ['include'], key: 'filter', argument: { name: 'path' } },
      { names: ['exclude'], argument: { name: 'path' } },
      { names: ['whitespace'], argument: { name: 'action' } },
      { names: ['ignore-whitespace', 'ignore-space-change'], key: 'ignore-whitespace' },
      { names: ['allow-empty'] },
      { names: ['v', 'verbose'] },
      { names: ['q', 'quiet'] },
      { names: ['binary', 'allow-binary-replacement', 'unsafe-paths'], isIgnored: true },
      { names: ['no-add'], refuses: 'leaving out added lines is not built into this git' },
      { names: ['inaccurate-eof'], refuses: 'it is not built into this git' },
      { names: ['allow-overlap'], refuses: 'hunks that overlap are not built into this git' },
      { names: ['build-fake-ancestor'], argument: { name: 'file' }, refuses: 'it is not built into this git' },
      { names: ['z'], refuses: 'names that end in NUL are not built into git apply here' },
    ],
    usage: 'git apply [<options>] [<patch>...]',
  },
  async run(call, options) {
    const repository = await call.findRepository()
    const target = options.has('cached') ? 'cached' : options.has('index') || options.has('3way') ? 'index' : 'files'
    if (options.has('3way') && options.has('reject')) throw fatal("options '--reject' and '--3way' cannot be used together")
    if (target !== 'files' && repository === undefined)
      throw fatal(`'--${options.has('3way') ? '3way' : target}' outside a repository`)
    const inputs = await readPatches(call, options)
    const patches = inputs.flatMap(({ patches: own }) => own)
    if (patches.length === 0) return 0
    const config = await call.config()
    const quote = quoteFor(config)
    const whitespace = options.value('whitespace') ?? 'warn'
    if (whitespace === 'fix' || whitespace === 'strip')
      throw new GitFailure('error: --whitespace=fix: correcting white space is not built into this git', 129)
    const onlyTells = options.has('stat') || options.has('numstat') || options.has('summary')
    const isDry = options.has('check') || onlyTells
    const problems =
      ['nowarn', 'warn', 'error', 'error-all'].includes(whitespace) && !options.has('reverse')
        ? inputs.flatMap(({ name, patches: own }) => problemsOf(name, own, whitespaceRules(config)))
        : []
    if (whitespace !== 'nowarn' && (!isDry || options.has('apply') || options.has('check')))
      await tellProblems(call, problems, whitespace)
    let exitCode = 0
    if (!onlyTells || options.has('check') || options.has('apply')) {
      const index = await repository?.readIndex()
      const patcher = new Patcher(call, repository, index, patches, {
        target,
        threeWay: options.has('3way'),
        rejects: options.has('reject'),
        intendsToAdd: options.has('intent-to-add') && target === 'files' && repository !== undefined,
        isVerbose: options.has('verbose') || (options.has('reject') && !options.has('quiet')),
        context: options.number('C'),
        allowsNoContext: options.has('unidiff-zero'),
        ignoresSpaces: options.has('ignore-whitespace'),
      })
      exitCode = await patcher.run(isDry && !options.has('apply'))
    }
    if (options.has('stat')) await call.out.write(patchStat(patches, quote))
    if (options.has('numstat')) await call.out.write(patchNumstat(patches, quote))
    if (options.has('summary')) await call.out.write(patchSummary(patches, quote))
    return exitCode
  },
}

interface PatchInput {
  readonly name: string
  readonly patches: readonly FilePatch[]
}

async function readPatches(call: GitCall, options: Options): Promise<readonly PatchInput[]> {
  const { files, cwd } = call.environment
  const strip = options.number('p') ?? 1
  const names = options.all.length > 0 ? options.all : ['-']
  const inputs: PatchInput[] = []
  for (const name of names) {
    const place = name.startsWith('/') ? name : `${cwd}/${name}`
    const bytes = name === '-' ? await call.inputBytes() : await files.read(place)
    if (bytes === undefined) throw failure(`can't open patch '${name}': No such file or directory`, 128)
    const parsed = parsePatch(decodeText(bytes), { strip, recounts: options.has('recount') })
    if (parsed.length === 0 && !options.has('allow-empty'))
      throw failure('No valid patches in input (allow with "--allow-empty")', 128)
    inputs.push({ name: name === '-' ? '<stdin>' : name, patches: await wanted(call, options, parsed) })
  }
  return options.has('reverse') ? inputs.map(({ name, patches }) => ({ name, patches: patches.map(reversePatch) })) : inputs
}

/** Names are prefixed with `--directory`; then excluded names, and those outside of the working directory, are left out. */
async function wanted(call: GitCall, options: Options, patches: readonly FilePatch[]): Promise<readonly FilePatch[]> {
  const root = (options.value('directory') ?? '').replace(/\/+$/, '')
  const at = (path: string | undefined): string | undefined => (path === undefined || root === '' ? path : `${root}/${path}`)
  const prefix = (await call.findRepository())?.prefix ?? ''
  const rules = options.given.flatMap(({ key, value }) =>
    (key === 'filter' || key === 'exclude') && value !== undefined
      ? [{ isIncluded: key === 'filter', pattern: compileWildcard(encodeText(value), false) }]
      : [],
  )
  const isWanted = (path: string): boolean => {
    if (!path.startsWith(prefix)) return false
    const rule = rules.find(({ pattern }) => matchesWildcard(pattern, encodeText(path)))
    return rule?.isIncluded ?? !rules.some(({ isIncluded }) => isIncluded)
  }
  return patches
    .map(patch => ({ ...patch, oldPath: at(patch.oldPath), newPath: at(patch.newPath) }))
    .filter(({ oldPath, newPath }) => isWanted(newPath ?? oldPath ?? ''))
}
