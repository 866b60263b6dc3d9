// The entry `anchorage/terminal`: a session of the shell in a terminal of xterm.js, which the host creates.

import { checkOptions } from '../core/argument.ts'
import { checkMember } from '../core/errors.ts'
import type { Terminal } from '@xterm/xterm'
import type { ShellSession } from '../shell/session.ts'
import { FileLinks, type LinkFiles, type OpenedFile } from './file-links.ts'
import { takeKeys } from './focus.ts'
import { SessionView } from './session-view.ts'

export type { LinkFiles, OpenedFile } from './file-links.ts'

/** How a session is shown in a terminal. */
export interface ShellTerminalOptions {
  /** Shown as `~`. Default: no directory is. */
  readonly root?: string | undefined
  /** The files that are looked up for links: `workspace.fs`. */
  readonly files?: LinkFiles | undefined
  /** Called when the user opens a link to a file: `src/a.ts:12:5` in any output. Without it and `files` there are no links. */
  readonly onOpenFile?: ((file: OpenedFile) => void) | undefined
  /** The first line; default the name of the shell and its keys. An empty text shows nothing. */
  readonly greeting?: string | undefined
  /** Reduces colours of 24 bits to the 256 of the palette: xterm needs inline styles for others, and a strict page forbids them. */
  readonly paletteColours?: boolean | undefined
  /** What a screen reader says; default how to leave the terminal. */
  readonly label?: string | undefined
}

/** A session that is shown in a terminal. */
export interface ShellTerminal {
  /** Continues with another session. What was typed stays in the history. */
  enter(session: ShellSession): void
  focus(): void
  /** Stops listening to the terminal. Neither the terminal nor the session is closed. */
  dispose(): void
}

/**
 * Shows `session` in `terminal`, which must be open in the page. With a session of `input: 'lines'` it edits the lines: history, completion
 * by Tab, several lines, paste, Ctrl+C and Ctrl+D, and what is typed while a command runs is the command's input. With `input: 'keys'` every
 * key goes to the shell.
 *
 * ```ts
 * const shell = await workspace.shell.open({ actor: { kind: 'person' }, columns: terminal.cols, rows: terminal.rows })
 * const view = showShell(terminal, shell, { root: workspace.root, files: workspace.fs, onOpenFile: ({ path, line }) => openEditor(path, line) })
 * ```
 */
export function showShell(terminal: Terminal, session: ShellSession, options: ShellTerminalOptions = {}): ShellTerminal {
  checkMember('showShell', terminal, 'onData', 'a Terminal of xterm.js')
  checkMember('showShell', session, 'run', 'await workspace.shell.open()')
  checkOptions('showShell', options, { root: 1, files: 1, onOpenFile: 1, greeting: 1, paletteColours: 1, label: 1 })
  const view = new SessionView(terminal, session, options)
  const stopKeys = takeKeys(terminal, view)
  const { files, onOpenFile } = options
  const links =
    files === undefined || onOpenFile === undefined
      ? undefined
      : terminal.registerLinkProvider(new FileLinks(terminal, files, () => view.cwd, onOpenFile))
  return {
    enter: next => view.enter(next),
    focus: () => terminal.focus(),
    dispose() {
      stopKeys()
      links?.dispose()
      view.dispose()
    },
  }
}
