// `git submodule status`: which commit of each submodule is checked out. Other subcommands change or fetch repositories and are refused.

import { collectOutput, inputOf } from '../../shell/commands.ts'
import { decodeText } from '../../shell/byte-text.ts'
import { type CallOutput, GitCall } from '../call.ts'
import { fatal, GitFailure } from '../errors.ts'
import { type Options, parseOptions } from '../options.ts'
import { relativePath } from '../quote.ts'
import type { Repository } from '../repository.ts'
import { readConfigFile } from '../store/config.ts'
import { modes, type ObjectId, zeroId } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { submoduleHead } from '../work/submodule-head.ts'
import type { GitCommand } from './command.ts'

const usage =
  'git submodule [--quiet] [--cached]\n   or: git submodule [--quiet] status [--cached] [--recursive] [--] [<path>...]'
const refused: ReadonlySet<string> = new Set(
  'add init deinit update set-branch set-url summary foreach sync absorbgitdirs'.split(' '),
)
const maxDepth = 32

export const submodule: GitCommand = {
  name: 'submodule',
  summary: 'Inspect submodules',
  options: {
    rows: [{ names: ['q', 'quiet'] }, { names: ['cached'] }, { names: ['recursive'] }],
    usage,
  },
  async run(call, options) {
    const [name, ...rest] = options.words
    if (name !== undefined && refused.has(name))
      throw new GitFailure(`error: git submodule ${name} is not built into this git; only git submodule status is`, 129)
    if (name !== undefined && name !== 'status') throw new GitFailure(`usage: ${usage}`, 1)
    const repository = await call.repository()
    if (repository.isBare) throw fatal('this operation must be run in a work tree')
    await listSubmodules({ call, out: call.out, options, above: '', depth: 0 }, repository, [...rest, ...(options.paths ?? [])])
    return 0
  },
}

interface Listing {
  readonly call: GitCall
  /** Of the command, also for submodules of submodules. */
  readonly out: CallOutput
  readonly options: Options
  /** The path of the submodule that is listed, with a slash at its end. */
  readonly above: string
  readonly depth: number
}

async function listSubmodules(listing: Listing, repository: Repository, words: readonly string[]): Promise<void> {
  const { call, out, options, above, depth } = listing
  if (depth > maxDepth) throw fatal(`submodules are nested more than ${maxDepth} deep at '${above}'`)
  const pathspec = parsePathspec(repository, words)
  const index = await repository.readIndex()
  const missing = pathspec.unmatched(index.paths())[0]
  if (missing !== undefined) throw new GitFailure(`error: pathspec '${missing}' did not match any file(s) known to git`, 1)
  const names = await namesByPath(repository)
  let last = ''
  for (const entry of index.sorted()) {
    call.check()
    if (entry.mode !== modes.submodule || entry.path === last || !pathspec.matches(entry.path)) continue
    last = entry.path
    const shown = above + (depth === 0 ? relativePath(entry.path, repository.prefix) : entry.path)
    const tell = async (mark: string, oid: ObjectId, name: string = ''): Promise<void> => {
      if (!options.has('quiet')) await out.write(`${mark}${oid} ${shown}${name}\n`)
    }
    const name = names.get(entry.path)
    if (name === undefined) throw fatal(`no submodule mapping found in .gitmodules for path '${entry.path}'`)
    if (entry.stage !== 0) {
      await tell('U', zeroId)
      continue
    }
    const head = await submoduleHead(repository, entry.path)
    const isActive = repository.config().get(`submodule.${name}.active`) ?? repository.config().get(`submodule.${name}.url`)
    if (head === undefined || isActive === undefined || isActive === 'false') {
      await tell('-', entry.oid)
      continue
    }
    const inside = callIn(call, `${repository.root}/${entry.path}`)
    const oid = options.has('cached') ? entry.oid : head
    await tell(head === entry.oid ? ' ' : '+', oid, await nameOf(inside, oid))
    if (!options.has('recursive')) continue
    await listSubmodules({ ...listing, call: inside, above: `${shown}/`, depth: depth + 1 }, await inside.repository(), [])
  }
}

/** The names in `.gitmodules`, by path. */
async function namesByPath(repository: Repository): Promise<ReadonlyMap<string, string>> {
  const where = { home: undefined, gitDir: repository.gitDir, branch: undefined }
  const entries = await readConfigFile(repository.files, `${repository.root}/.gitmodules`, 'local', where)
  const names = new Map<string, string>()
  for (const { name, value } of entries) {
    const found = /^submodule\.(.*)\.path$/s.exec(name)?.[1]
    if (found !== undefined && value !== undefined) names.set(value.replace(/\/$/, ''), found)
  }
  return names
}

/** A call as if it were made in another directory. */
function callIn(call: GitCall, cwd: string): GitCall {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...env } = call.environment.env
  const nothing = collectOutput()
  return new GitCall({ ...call.environment, cwd, env }, { stdin: inputOf(new Uint8Array()), stdout: nothing, stderr: nothing })
}

/** A name for the commit, in parentheses: by a tag before it, else by any reference. */
async function nameOf(inside: GitCall, oid: ObjectId): Promise<string> {
  for (const words of [[oid], ['--tags', oid], ['--all', '--always', oid]]) {
    const { describeCommand } = await import('./describe.ts')
    const output = collectOutput()
    const quiet = inside.writingTo(output)
    try {
      await describeCommand.run(quiet, parseOptions(describeCommand.options, words), words)
    } catch (error) {
      if (error instanceof GitFailure) continue
      throw error
    }
    await quiet.out.flush()
    const name = decodeText(output.bytes()).trim()
    if (name !== '') return ` (${name})`
  }
  return ''
}
