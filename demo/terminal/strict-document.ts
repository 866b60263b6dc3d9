// A page that allows no inline style (`style-src 'self'`) cannot show xterm as it comes: it fills <style> elements and sets style
// attributes. Constructed style sheets and the properties of `element.style` are allowed, so its document hands out elements that use those.

/** For xterm's option `documentOverride`: what its elements would put inline goes to sheets of `root`. */
export function strictDocument(root: ShadowRoot): Document {
  return new Proxy(document, {
    get(target, name) {
      if (name === 'createElement') return (tag: string): HTMLElement => createElement(root, tag)
      // Read on the document itself: its accessors refuse to work on a proxy.
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function createElement(root: ShadowRoot, tag: string): HTMLElement {
  if (tag === 'style') return sheetElement(root)
  const element = document.createElement(tag)
  const setAttribute = element.setAttribute.bind(element)
  element.setAttribute = (name, value) => {
    if (name === 'style') element.style.cssText = value
    else setAttribute(name, value)
  }
  return element
}

/** An element without meaning whose text is a style sheet as long as it is in the page. */
function sheetElement(root: ShadowRoot): HTMLElement {
  const element = document.createElement('data')
  element.hidden = true
  const sheet = new CSSStyleSheet()
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  const remove = element.remove.bind(element)
  element.remove = () => {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter(other => other !== sheet)
    remove()
  }
  // The text itself stays out of the page: it would be read aloud, and found by whoever looks for the terminal's text.
  Object.defineProperty(element, 'textContent', { get: () => '', set: (text: string) => sheet.replaceSync(text) })
  return element
}
