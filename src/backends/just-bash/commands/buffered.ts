// Adapts commands that work on whole inputs, as byte strings (one character per byte), to the interface of streaming commands.

import { collectOutput, inputOf, readAll, type ShellCommandContext } from '../../../shell/commands.ts'
import type { ShellFiles } from '../../../shell/files.ts'
import { pathFrom } from '../physical-files.ts'
import { bytesToText, textToBytes } from '../../../vfs/facades/byte-encodings.ts'
import type { CommandFiles, CommandStat } from './text-files.ts'
import type { FileKind, FileStat } from '../../../shell/files.ts'
import { bytesOf, hasOnlyBytes, latin1Bytes, latin1Text } from '../encoding.ts'
import type { CommandContext, CommandResult, OwnCommand } from './command.ts'
import { byteTextInParts, paceOf, partsOf } from './pace.ts'

export async function runBuffered(name: string, run: OwnCommand['run'], context: ShellCommandContext): Promise<number> {
  const result = await run(context.args, await bufferedContext(name, context))
  await context.stderr.write(bytesOf(result.stderr, 'text', 'stderr'))
  await writeResult(result, context)
  return result.exitCode
}

/** Writes the output in parts, whichever kind it declares. */
async function writeResult(
  { stdout, stdoutKind }: Pick<CommandResult, 'stdout' | 'stdoutKind'>,
  { stdout: output, signal }: ShellCommandContext,
): Promise<void> {
  if (stdout === '') return
  const isBytes = stdoutKind === 'bytes' && hasOnlyBytes(stdout)
  const pace = paceOf(signal)
  for (const part of partsOf(stdout)) {
    await output.write(isBytes ? latin1Bytes(part) : bytesOf(part, 'text', 'stdout'))
    if (pace.isDue(part.length)) await pace.rest()
  }
}

async function bufferedContext(name: string, context: ShellCommandContext): Promise<CommandContext> {
  let given: Promise<string> | undefined
  const readGiven = async (): Promise<string> => byteTextInParts(await readAll(context.stdin), paceOf(context.signal))
  return {
    fs: textFiles(context.files),
    cwd: context.cwd,
    env: context.env,
    print: async bytes => writeResult({ stdout: bytes, stdoutKind: 'bytes' }, context),
    complain: async message => context.stderr.write(bytesOf(message, 'text', 'stderr')),
    stdinPath: context.stdin.path,
    readStdin: () => (given ??= readGiven()),
    signal: context.signal,
    async exec(file, args, signal, execStdin) {
      const [stdout, stderr] = [collectOutput(), collectOutput()]
      if (context.exec === undefined) throw new Error('unreachable: these commands run beside the interpreter')
      const exitCode = await context.exec([file, ...args], {
        ...(execStdin === undefined ? {} : { stdin: inputOf(latin1Bytes(execStdin)) }),
        stdout,
        stderr,
        ...(signal === undefined ? {} : { signal }),
      })
      return { stdout: latin1Text(stdout.bytes()), stdoutKind: 'bytes', stderr: latin1Text(stderr.bytes()), exitCode }
    },
  }
}

/** Adapts the filesystem to the interface of these commands. */
export function textFiles(files: ShellFiles): CommandFiles {
  const encodingOf = (options: Parameters<CommandFiles['readFile']>[1]): Parameters<typeof bytesToText>[1] =>
    (typeof options === 'string' ? options : options?.encoding) ?? 'utf8'
  const bytes = (content: string | Uint8Array, options: Parameters<CommandFiles['writeFile']>[2]): Uint8Array =>
    typeof content === 'string' ? textToBytes(content, encodingOf(options)) : content
  return {
    readFile: async (path, options) => bytesToText(await files.readFile(path), encodingOf(options)),
    readFileBuffer: async path => files.readFile(path),
    writeFile: async (path, content, options) => {
      await files.writeFile(path, bytes(content, options))
    },
    exists: async path => files.exists(path),
    stat: async path => statOf(await files.stat(path)),
    lstat: async path => statOf(await files.lstat(path)),
    mkdir: async (path, options) => files.mkdir(path, options),
    readdir: async path => (await files.readdir(path)).map(({ name }) => name),
    readdirWithFileTypes: async path => (await files.readdir(path)).map(({ name, kind }) => ({ name, ...flagsOf(kind) })),
    rename: async (from, to) => files.rename(from, to),
    rm: async (path, options = {}) => {
      const isEmptyDirectory = options.recursive !== true && (await kindOf(files, path)) === 'directory'
      return files.rm(path, isEmptyDirectory ? { emptyDirectory: true } : options)
    },
    resolvePath: pathFrom,
    chmod: async (path, mode) => files.chmod(path, mode),
    symlink: async (target, path) => files.symlink(target, path),
    link: async (existing, path) => files.link(existing, path),
    readlink: async path => files.readlink(path),
    realpath: async path => files.realpath(path),
    utimes: async (path, atime, mtime) => files.utimes(path, mtime.getTime(), atime.getTime()),
  }
}

async function kindOf(files: ShellFiles, path: string): Promise<FileKind | undefined> {
  try {
    return (await files.lstat(path)).kind
  } catch {
    // The operation itself reports the error.
    return undefined
  }
}

function flagsOf(kind: FileKind): { readonly isFile: boolean; readonly isDirectory: boolean; readonly isSymbolicLink: boolean } {
  return { isFile: kind === 'file', isDirectory: kind === 'directory', isSymbolicLink: kind === 'symlink' }
}

function statOf({ kind, mode, sizeBytes, mtimeMs, ctimeMs, atimeMs, ino, nlink, device, isPipe }: FileStat): CommandStat {
  const [mtime, ctime, atime] = [new Date(mtimeMs), new Date(ctimeMs), new Date(atimeMs ?? mtimeMs)]
  const isFile = kind === 'file' && device === undefined
  return { ...flagsOf(kind), isFile, mode, size: sizeBytes, mtime, ctime, atime, dev: 1, ino, nlink, device, isPipe }
}
