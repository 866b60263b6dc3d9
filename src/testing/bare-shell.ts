// What a shell made for a test says of itself. A test overrides what it is about.

import type { ShellCapabilities } from '../shell/shell.ts'

export const bareCapabilities: ShellCapabilities = {
  dialect: 'posix',
  splitStreams: false,
  ordered: true,
  exactBytes: true,
  streaming: false,
  stdin: 'none',
  kill: 'none',
  concurrent: false,
  sharesVfs: true,
  terminal: false,
  notes: [],
}
