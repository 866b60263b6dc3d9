// A command of the shell's port for an interpreter that has its input, and wants its output, in one piece.

import { encodeText } from '../../../shell/byte-text.ts'
import { collectOutput, inputOf, readAll, type ShellCommandDefinition } from '../../../shell/commands.ts'
import type { FileStat, ShellFiles } from '../../../shell/files.ts'
import type { JustBashFs, JustBashStat } from '../../../vfs/facades/just-bash.ts'
import { latin1Bytes, latin1Text } from '../encoding.ts'
import type { CommandContext, CommandResult } from './command.ts'

export async function streamed(
  command: ShellCommandDefinition,
  args: readonly string[],
  context: CommandContext,
): Promise<CommandResult> {
  const [stdout, stderr] = [collectOutput(), collectOutput()]
  const exitCode = await command.run({
    args,
    cwd: context.cwd,
    env: context.env,
    stdin: inputOf(latin1Bytes(context.stdin)),
    stdout,
    stderr,
    files: shellFiles(context.fs),
    signal: context.signal,
    exec: async ([file = '', ...rest], options = {}) => {
      const stdin = options.stdin === undefined ? undefined : latin1Text(await readAll(options.stdin))
      const result = await context.exec(file, rest, options.signal, stdin)
      const bytes = result.stdoutKind === 'bytes' ? latin1Bytes(result.stdout) : encodeText(result.stdout)
      await (options.stdout ?? stdout).write(bytes)
      await (options.stderr ?? stderr).write(result.stderr)
      return result.exitCode
    },
  })
  return { stdout: latin1Text(stdout.bytes()), stdoutKind: 'bytes', stderr: new TextDecoder().decode(stderr.bytes()), exitCode }
}

function shellFiles(fs: JustBashFs): ShellFiles {
  return {
    readFile: async (path, range) => (await fs.readFileBuffer(path)).subarray(range?.start, range?.end),
    writeFile: async (path, data, options = {}) => {
      await (options.append === true ? fs.appendFile(path, data) : fs.writeFile(path, data))
      if (options.mode !== undefined) await fs.chmod(path, options.mode)
    },
    stat: async path => statOf(await fs.stat(path)),
    lstat: async path => statOf(await fs.lstat(path)),
    exists: path => fs.exists(path),
    readdir: async path => (await fs.readdirWithFileTypes(path)).map(entry => ({ name: entry.name, kind: kindOf(entry) })),
    mkdir: (path, options) => fs.mkdir(path, options),
    rm: (path, options) => fs.rm(path, options),
    rename: (from, to) => fs.mv(from, to),
    link: (existing, path) => fs.link(existing, path),
    symlink: (target, path) => fs.symlink(target, path),
    readlink: path => fs.readlink(path),
    realpath: path => fs.realpath(path),
    chmod: (path, mode) => fs.chmod(path, mode),
    utimes: (path, mtimeMs) => fs.utimes(path, new Date(mtimeMs), new Date(mtimeMs)),
  }
}

function kindOf({
  isDirectory,
  isSymbolicLink,
}: {
  readonly isDirectory: boolean
  readonly isSymbolicLink: boolean
}): FileStat['kind'] {
  return isDirectory ? 'directory' : isSymbolicLink ? 'symlink' : 'file'
}

function statOf(stat: JustBashStat): FileStat {
  const mtimeMs = stat.mtime.getTime()
  return { kind: kindOf(stat), sizeBytes: stat.size, mode: stat.mode, mtimeMs, ctimeMs: mtimeMs, ino: stat.ino, nlink: 1 }
}
