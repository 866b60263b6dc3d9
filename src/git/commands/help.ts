// `git help`, and the message about a command that does not exist.

import type { GitCall } from '../call.ts'
import { GitFailure } from '../errors.ts'
import { usage } from './program-usage.ts'
import { commandTable } from './table.ts'

/** Commands of git that are not built here. */
const notBuilt = (
  'bugreport bundle check-mailmap checkout-index citool column commit-graph credential daemon diagnose difftool fast-export fast-import ' +
  'fetch-pack filter-branch fmt-merge-msg for-each-repo get-tar-commit-id gui hook imap-send init-db index-pack instaweb mailinfo mailsplit ' +
  'maintenance merge-index merge-octopus merge-one-file merge-ours merge-recursive merge-resolve merge-subtree mergetool mktag ' +
  'multi-pack-index pack-objects pack-redundant patch-id prune-packed quiltimport range-diff receive-pack repack request-pull rerere ' +
  'send-email send-pack shell show-branch show-index sparse-checkout stripspace subtree unpack-file unpack-objects update-server-info ' +
  'upload-archive upload-pack verify-commit verify-pack verify-tag'
).split(' ')

/** A beginning of these is taken for an abbreviation. */
const common: ReadonlySet<string> = new Set(
  'add bisect branch clone commit diff fetch grep init log merge mv pull push rebase reset restore rm show status switch tag'.split(
    ' ',
  ),
)
/** From this distance on, names are not similar. */
const similarityFloor = 7

/** Without a command, the list of all; a call without any arguments fails. */
export async function help(call: GitCall, name: string | undefined, isBare: boolean, findsGuides: boolean): Promise<number> {
  if (name === undefined || name.startsWith('-')) {
    // Together: one after the other, a page would wait for the network as often as there are commands.
    const commands = await Promise.all(Object.values(commandTable).map(load => load()))
    const rows = commands.map(({ name: shown, summary }) => `   ${shown.padEnd(15)} ${summary}`)
    await call.out.write(`${usage}\nCommands of this git:\n${rows.join('\n')}\n`)
    return isBare ? 1 : 0
  }
  const load = Object.hasOwn(commandTable, name) ? commandTable[name] : undefined
  const alias = load === undefined ? (await call.config()).get(`alias.${name}`) : undefined
  if (load !== undefined) await call.print(`usage: ${(await load()).options.usage}`)
  else if (alias !== undefined) await call.print(`'${name}' is aliased to '${alias}'`)
  else if (notBuilt.includes(name)) throw new GitFailure(`git: '${name}' is not built into this git. See 'git --help'.`, 1)
  else if (!findsGuides) return help(call, await meantCommand(call, name), false, findsGuides)
  else throw new GitFailure(`No manual entry for git${common.has(name) ? '-' : ''}${name}`, 16)
  return 0
}

/** The command that `help.autocorrect` takes for the one that does not exist. Otherwise throws git's message. */
export async function meantCommand(call: GitCall, name: string): Promise<string> {
  if (notBuilt.includes(name)) throw new GitFailure(`git: '${name}' is not built into this git. See 'git --help'.`, 1)
  const config = await call.config()
  const told = `git: '${name}' is not a git command. See 'git --help'.`
  const setting = config.get('help.autocorrect') ?? 'never'
  const wait = setting === 'immediate' ? -1 : ['never', 'prompt'].includes(setting) ? 0 : (config.number('help.autocorrect') ?? 0)
  if (wait === 0 && config.has('help.autocorrect') && setting !== '0') throw new GitFailure(told, 1)
  const aliases = config.entries.flatMap(({ name }) => (name.startsWith('alias.') ? [name.slice('alias.'.length)] : []))
  const rows = [...new Set([...Object.keys(commandTable), ...notBuilt, ...aliases, 'help', 'version'])].sort().map(candidate => {
    const isBeginning = common.has(candidate) && candidate.startsWith(name)
    return { candidate, distance: isBeginning ? 0 : distanceOf(name, candidate) + 1 }
  })
  const best = Math.min(...rows.filter(({ distance }) => distance > 0).map(({ distance }) => distance))
  const similar = [...rows.filter(({ distance }) => distance === 0), ...rows.filter(({ distance }) => distance === best)]
  if (best >= similarityFloor) throw new GitFailure(told, 1)
  const [only, second] = similar
  if (wait !== 0 && only !== undefined && second === undefined) {
    const when = wait < 0 ? 'under the assumption' : `in ${(wait / 10).toFixed(1)} seconds, assuming`
    await call.warn(
      `WARNING: You called a Git command named '${name}', which does not exist.\nContinuing ${when} that you meant '${only.candidate}'.`,
    )
    return only.candidate
  }
  const head = similar.length === 1 ? 'The most similar command is' : 'The most similar commands are'
  throw new GitFailure(`${told}\n\n${head}\n${similar.map(({ candidate }) => `\t${candidate}`).join('\n')}`, 1)
}

/** What it costs to change one word into the other: nothing to swap neighbours, 1 to insert, 2 to replace, 3 to delete. */
function distanceOf(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let at = 0; at < from.length; at++) {
    const next = [3 * (at + 1)]
    for (let other = 0; other < to.length; other++) {
      const isSwapped = at > 0 && other > 0 && from[at - 1] === to[other] && from[at] === to[other - 1]
      next.push(
        Math.min(
          (row[other] ?? 0) + (from[at] === to[other] ? 0 : 2),
          isSwapped ? (before[other - 1] ?? 0) : Number.POSITIVE_INFINITY,
          (row[other + 1] ?? 0) + 3,
          (next[other] ?? 0) + 1,
        ),
      )
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}
