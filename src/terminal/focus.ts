// A user without a mouse must be able to leave the terminal, and text must arrive that comes without a key press.

import type { Terminal } from '@xterm/xterm'

export interface KeyTarget {
  /** Tab means something here: there is a line to complete, or a program that takes every key. */
  readonly takesTab: boolean
  readonly takesEveryKey: boolean
}

/**
 * Tab leaves an empty line and Shift+Tab every line; F6 leaves a program that takes all other keys. Text of an emoji picker, dictation or a
 * pen comes without a key: with its screen reader mode on, xterm leaves it out. Returns a function that stops it.
 */
export function takeKeys(terminal: Terminal, target: KeyTarget): () => void {
  const { textarea } = terminal
  let isTaken = false
  const listening = terminal.onData(() => (isTaken = true))
  terminal.attachCustomKeyEventHandler(event => {
    // 229: the key goes to an input method, whose text xterm takes itself.
    if (event.type === 'keydown') isTaken = event.keyCode === 229
    return !leaves(event, target)
  })
  const onInput = (event: Event): void => {
    const isText = event instanceof InputEvent && event.inputType === 'insertText' && !event.isComposing
    if (isText && !isTaken && event.data !== null) terminal.input(event.data)
    isTaken = false
  }
  textarea?.addEventListener('input', onInput)
  return () => {
    listening.dispose()
    terminal.attachCustomKeyEventHandler(() => true)
    textarea?.removeEventListener('input', onInput)
  }
}

function leaves({ key, ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent, target: KeyTarget): boolean {
  if (ctrlKey || altKey || metaKey) return false
  if (target.takesEveryKey) return key === 'F6'
  return key === 'Tab' && (shiftKey || !target.takesTab)
}
