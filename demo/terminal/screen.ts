// The terminal. It loads when its tab is first opened, because xterm and its style are half as large as the page.

import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import xtermStyle from '@xterm/xterm/css/xterm.css?inline'
import { paletteOf, prefersDark } from './palette.ts'
import { ShellSession, type TerminalPlace } from './shell-session.ts'
import { withSheets } from './strict-styles.ts'

export interface Screen {
  enter(place: TerminalPlace): void
  focus(): void
  dispose(): void
}

/** Shows a terminal in `host`, an element of `root` whose style gives the colours. */
export function openScreen(root: ShadowRoot, host: HTMLElement, place: TerminalPlace): Screen {
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
  terminal.textarea?.setAttribute('aria-label', 'Terminal. Tab leaves it.')
  takeKeys(terminal)
  fit.fit()
  const session = new ShellSession(terminal, place)

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
    enter: next => session.enter(next),
    focus: () => terminal.focus(),
    dispose() {
      resizing.disconnect()
      theming.disconnect()
      prefersDark.removeEventListener('change', recolour)
      terminal.dispose()
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter(other => other !== sheet)
    },
  }
}

/**
 * Lets Tab leave the terminal, and text in that comes without a key press: from an emoji picker, dictation or a pen. With its screen reader
 * mode on, xterm leaves that out; everything else it takes itself.
 */
function takeKeys(terminal: Terminal): void {
  const { textarea } = terminal
  let isTaken = false
  terminal.onData(() => (isTaken = true))
  terminal.attachCustomKeyEventHandler(event => {
    // 229: the key goes to an input method, whose text xterm takes itself.
    if (event.type === 'keydown') isTaken = event.keyCode === 229
    return !leavesTerminal(event)
  })
  textarea?.addEventListener('input', event => {
    const isText = event instanceof InputEvent && event.inputType === 'insertText' && !event.isComposing
    if (isText && !isTaken && event.data !== null) terminal.input(event.data)
    isTaken = false
  })
}

/** Tab moves the focus on, as everywhere in the page. */
function leavesTerminal(event: KeyboardEvent): boolean {
  return event.key === 'Tab' && !event.ctrlKey && !event.altKey && !event.metaKey
}
