import type { ShellCommandContext } from '../../../shell/commands.ts'

/** Ends when nobody reads on. */
export async function yes({ args, stdout, signal }: ShellCommandContext): Promise<number> {
  const line = `${args.length === 0 ? 'y' : args.join(' ')}\n`
  const part = line.repeat(Math.max(1, Math.floor(8192 / line.length)))
  while (!signal.aborted) {
    await stdout.write(part)
    // A file or a terminal takes everything at once; the thread is not only this command's.
    await new Promise<void>(resolve => setTimeout(resolve, 0))
  }
  return 143
}
