// Command substitution, `$(…)`, and process substitution, `<(…)` and `>(…)`.

import { pathFrom } from '../physical-files.ts'
import { joinBytes } from '../../../core/bytes.ts'
import { decodeText } from '../../../shell/byte-text.ts'
import { mostInputBytes } from '../../../shell/input-limit.ts'
import type { Script } from '../syntax/tree.ts'
import { filesOf } from './command-files.ts'
import { createPipe, Description, outputFile } from './descriptors.ts'
import { runProcess, runScript, runText } from './calls.ts'
import { expandText, provideSubstitutions } from './expand.ts'
import { ShellError } from './flow.ts'
import type { Shell } from './shell.ts'
import { reasonOf } from '../errno.ts'

export function provideAll(): void {
  provideSubstitutions({ output: substituteCommand, process: substituteProcess })
}

async function substituteCommand(shell: Shell, script: Script): Promise<string> {
  const file = await fileOf(shell, script)
  const bytes = file ?? (await outputOf(shell, script))
  const text = decodeText(bytes.includes(0) ? bytes.filter(byte => byte !== 0) : bytes)
  let end = text.length
  while (text.charCodeAt(end - 1) === 10) end -= 1
  return end === text.length ? text : text.slice(0, end)
}

async function outputOf(shell: Shell, script: Script): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  const child = shell.fork()
  child.jobs.inherit(shell.jobs)
  child.traceDepth += 1
  if (!shell.hasShopt('inherit_errexit') && !shell.has('posix')) child.options.delete('errexit')
  const collector = outputFile(bytes => {
    if (bytes.length === 0) return
    parts.push(bytes.slice())
    size += bytes.length
    if (size > mostInputBytes) throw new ShellError(`command substitution: more than ${mostInputBytes} bytes`)
  }, 'pipe')
  await child.descriptors.set(1, new Description(collector))
  child.textDepth = 1
  shell.substitutionStatus = await runProcess(child, () => runLines(child, script))
  shell.status = shell.substitutionStatus
  shell.checkAlive()
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : joinBytes(parts, size)
}

/** The first command has the line of the command around the substitution, as in bash. */
function runLines(shell: Shell, script: Script): Promise<number> {
  const { firstLine = shell.line } = script
  shell.lineShift += shell.line - firstLine
  shell.line = firstLine
  shell.lastReadLine = firstLine
  const { withAliases } = script
  return withAliases === undefined ? runScript(shell, script) : runText(shell, withAliases.text, { line: withAliases.line })
}

/** Reads the file of `$(<file)`. */
async function fileOf(shell: Shell, { items }: Script): Promise<Uint8Array | undefined> {
  const [item] = items
  const [command] = item?.first.commands ?? []
  if (items.length !== 1 || item === undefined || item.rest.length > 0 || item.first.commands.length !== 1) return undefined
  if (command?.type !== 'simple' || command.words.length > 0 || command.assignments.length > 0) return undefined
  const [redirection] = command.redirections
  if (command.redirections.length !== 1 || redirection?.operator !== '<' || (redirection.fd ?? 0) !== 0) return undefined
  const name = await expandText(shell, redirection.target, 'word')
  try {
    const bytes = await filesOf(shell).readFile(pathFrom(shell.directory, name))
    shell.substitutionStatus = 0
    return bytes
  } catch (error) {
    await shell.complain(`${name}: ${reasonOf(error)}`)
    shell.substitutionStatus = 1
    return new Uint8Array()
  }
}

async function substituteProcess(shell: Shell, script: Script, direction: 'read' | 'write'): Promise<string> {
  const pipe = createPipe()
  const child = shell.fork()
  const isRead = direction === 'read'
  await child.descriptors.set(isRead ? 1 : 0, new Description(isRead ? pipe.writer : pipe.reader))
  const path = shell.run.namePath(new Description(isRead ? pipe.reader : pipe.writer))
  const ended = Promise.resolve().then(() => runProcess(child, () => runLines(child, script)))
  shell.run.inBackground(ended)
  shell.lastBackgroundPid = child.pid
  shell.openedProcesses.push({ path, ended, isAwaited: !isRead })
  return path
}

/** Closes the process substitutions of a command that has ended, and waits until the output to `>(…)` is processed. */
export async function endProcessSubstitutions(shell: Shell, from: number): Promise<void> {
  for (const { path, ended, isAwaited } of shell.openedProcesses.splice(from)) {
    const isHeld = await shell.run.forgetPath(path)
    if (isAwaited && !isHeld) await ended
  }
}
