// Measures every visible text against the ground it stands on, in the page itself, shadow roots included.

import type { Page } from '@playwright/test'

export interface WeakText {
  readonly text: string
  readonly ratio: number
}

/** Texts with less contrast than `atLeast` (WCAG 2 ratio; 4.5 for body text). Disabled controls are exempt, as in WCAG. */
export async function weakTexts(page: Page, atLeast: number): Promise<{ readonly measured: number; readonly weak: WeakText[] }> {
  return page.evaluate(limit => {
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    if (context === null) throw new Error('This browser draws no canvas.')
    const rgba = (color: string): [number, number, number, number] => {
      context.clearRect(0, 0, 1, 1)
      context.fillStyle = color
      context.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data
      return [red, green, blue, alpha]
    }
    const luminance = ([red, green, blue]: readonly number[]): number => {
      const linear = [red ?? 0, green ?? 0, blue ?? 0].map(value =>
        value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0)
    }
    const parentOf = (element: Element): Element | null => {
      if (element.assignedSlot !== null) return element.assignedSlot
      if (element.parentElement !== null) return element.parentElement
      const root = element.getRootNode()
      return root instanceof ShadowRoot ? root.host : null
    }
    const groundOf = (element: Element): readonly number[] => {
      for (let at: Element | null = element; at !== null; at = parentOf(at)) {
        const color = rgba(getComputedStyle(at).backgroundColor)
        if (color[3] === 255) return color
      }
      return [255, 255, 255]
    }
    const weak: { text: string; ratio: number }[] = []
    let measured = 0
    const visit = (root: ParentNode): void => {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot !== null) visit(element.shadowRoot)
        const text = Array.from(element.childNodes, node => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : ''))
          .join('')
          .trim()
        if (
          text === '' ||
          !element.checkVisibility() ||
          element.matches(':disabled, option, style, .hidden-text, .xterm-helpers *, .xterm-accessibility *')
        )
          continue
        const [one, other] = [luminance(rgba(getComputedStyle(element).color)), luminance(groundOf(element))]
        const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
        measured++
        if (ratio < limit) weak.push({ text: text.slice(0, 60), ratio: Math.round(ratio * 100) / 100 })
      }
    }
    visit(document)
    return { measured, weak }
  }, atLeast)
}
