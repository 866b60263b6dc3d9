// The terminal. It loads when its tab is first opened, because xterm and its style are half as large as the page.

import type { ShellSession, Vfs } from 'anchorage'
import { showShell, type OpenedFile, type ShellTerminal } from 'anchorage/terminal'
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import xtermStyle from '@xterm/xterm/css/xterm.css?inline'
import { paletteOf, prefersDark } from './palette.ts'
import { withSheets } from './strict-styles.ts'

/** Where the terminal works. Replaced when the workspace is opened again. */
export interface TerminalPlace {
  readonly open: (size: { readonly columns: number; readonly rows: number }) => Promise<ShellSession>
  readonly fs: Pick<Vfs, 'stat'>
  readonly root: string
  readonly shell: string
}

export interface Screen {
  enter(place: TerminalPlace): Promise<void>
  dispose(): void
}

/** Shows a terminal in `host`, an element of `root` whose style gives the colours. */
export async function openScreen(
  root: ShadowRoot,
  host: HTMLElement,
  place: TerminalPlace,
  onOpenFile: (file: OpenedFile) => void,
): Promise<Screen> {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(xtermStyle)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  const terminal = new Terminal({
    screenReaderMode: true,
    cursorBlink: false,
    fontFamily: getComputedStyle(host).fontFamily,
    fontSize: 12.5,
    lineHeight: 1.25,
    scrollback: 5_000,
    theme: paletteOf(host),
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  withSheets(root, () => terminal.open(host))
  fit.fit()
  const sessionOf = ({ open }: TerminalPlace): Promise<ShellSession> => open({ columns: terminal.cols, rows: terminal.rows })
  let current = place
  const files = { stat: (path: string) => current.fs.stat(path) }
  const close = (): void => {
    terminal.dispose()
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter(other => other !== sheet)
  }
  const session = await sessionOf(place).catch((error: unknown) => {
    close()
    throw error
  })
  const view: ShellTerminal = showShell(terminal, session, { root: place.root, files, onOpenFile, paletteColours: true })

  const resizing = new ResizeObserver(() => {
    if (host.clientWidth > 0 && host.clientHeight > 0) fit.fit()
  })
  resizing.observe(host)
  const recolour = (): void => {
    terminal.options.theme = paletteOf(host)
  }
  const theming = new MutationObserver(recolour)
  theming.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  prefersDark.addEventListener('change', recolour)

  return {
    async enter(next) {
      if (next === current) return
      current = next
      const session = await sessionOf(next)
      if (current === next) view.enter(session)
    },
    dispose() {
      resizing.disconnect()
      theming.disconnect()
      prefersDark.removeEventListener('change', recolour)
      view.dispose()
      close()
    },
  }
}
