// A page that allows no inline style (`style-src 'self'`) cannot show xterm as it comes. It fills <style> elements, for which constructed
// style sheets stand in here, and sets style attributes for colours beyond the 256 of the palette, which are given the nearest of these.

/**
 * Runs `open`, which makes its elements at once, with a document whose <style> elements fill sheets of `root`. Xterm's own option for
 * another document (`documentOverride`, 6.0.0) does not reach all of its parts.
 */
export function withSheets(root: ShadowRoot, open: () => void): void {
  document.createElement = (tag: string): HTMLElement =>
    tag === 'style' ? sheetElement(root) : Document.prototype.createElement.call(document, tag)
  try {
    open()
  } finally {
    Reflect.deleteProperty(document, 'createElement')
  }
}

/** An element without meaning whose text is a style sheet until it is removed. */
function sheetElement(root: ShadowRoot): HTMLElement {
  const element = Document.prototype.createElement.call(document, 'data')
  const sheet = new CSSStyleSheet()
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  const remove = element.remove.bind(element)
  element.hidden = true
  element.remove = () => {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter(other => other !== sheet)
    remove()
  }
  // The style text stays out of the page, where it would be read out.
  Object.defineProperty(element, 'textContent', {
    get: () => '',
    set(text: string) {
      sheet.replaceSync(text)
    },
  })
  return element
}
