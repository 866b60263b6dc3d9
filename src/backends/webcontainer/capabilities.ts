// What a model should know about the shell of a WebContainer before it writes a command.

import type { VfsPath } from '../../core/path.ts'
import type { ShellCapabilities } from '../../shell/shell.ts'
import type { ShellFacts } from './probes.ts'

export interface CapabilityContext {
  readonly facts: ShellFacts
  readonly sharesVfs: boolean
  /** The directory of the workspace's files that processes see as `workdir`. */
  readonly base: VfsPath
  readonly workdir: string
}

export function containerCapabilities({ facts, sharesVfs, base, workdir }: CapabilityContext): ShellCapabilities {
  return {
    dialect: 'jsh',
    splitStreams: facts.isFramed,
    // Two pipes are read in parallel.
    ordered: !facts.isFramed,
    exactBytes: facts.isFramed,
    streaming: true,
    stdin: facts.isFramed ? 'eof' : 'tty',
    kill: 'soft',
    concurrent: true,
    sharesVfs,
    terminal: true,
    directory: { workspace: base, shell: workdir },
    notes: [
      `Commands run in a WebContainer: node, npm and npx are there, in a shell (jsh) that is only partly bash. Prefer \`node -e\` or a script file to shell tricks.`,
      `Inside the container the files are in ${workdir}; use relative paths in commands.`,
      ...facts.notes,
      ...(sharesVfs
        ? []
        : ['Files are copied into the container before a command and back after it; what it changes is seen when it has ended.']),
      'A busy loop cannot be killed: it lasts until the container is torn down.',
    ],
  }
}
