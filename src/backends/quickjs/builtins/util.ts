// The module `util`. How values are shown is close to Node; long arrays and objects are broken into lines at other places.

export const utilModule: string = String.raw`(function (exports, require, module, internal) {
'use strict'
const { host } = internal
const custom = Symbol.for('nodejs.util.inspect.custom')
const lineLength = 72
const quoted = text => {
  const quote = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes('\x60') ? '\x60' : "'"
  const shown = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return quote + (quote === "'" ? shown.replaceAll("'", "\\'") : shown) + quote
}
const keyText = key => (typeof key === 'symbol' ? '[' + key.toString() + ']' : /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key))
function classOf(value) {
  for (let at = value; at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, 'constructor')
    if (found !== undefined && typeof found.value === 'function' && found.value.name !== '') return found.value.name
  }
  return undefined
}
function primitive(value, isNested) {
  switch (typeof value) {
    case 'string': return isNested ? quoted(value) : value
    case 'bigint': return value + 'n'
    case 'symbol': return value.toString()
    case 'number': return Object.is(value, -0) ? '-0' : String(value)
    default: return String(value)
  }
}
function functionText(value) {
  const kind = /^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : classOf(value) ?? 'Function'
  const parent = kind === 'class' ? Object.getPrototypeOf(value)?.name : ''
  return '[' + kind + (kind === 'class' ? ' ' : value.name ? ': ' : ' ') + (value.name || '(anonymous)') + (parent ? ' extends ' + parent : '') + ']'
}
function errorText(value) {
  const name = value.name ?? 'Error'
  const kind = classOf(value)
  let text = typeof value.stack === 'string' && value.stack !== '' ? value.stack : Error.prototype.toString.call(value)
  // The stack was made before the class could set its name.
  const head = value.message ? name + ': ' + value.message : name
  const at = text.indexOf('\n    at ')
  if (!text.startsWith(head)) text = head + (at === -1 ? '' : text.slice(at))
  if (kind !== undefined && name === 'Error' && kind !== 'Error') text = kind + text.slice(5)
  return text
}
function show(value, depth, options, seen) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return primitive(value, true)
  if (seen.includes(value)) return '[Circular *1]'
  const method = value[custom]
  if (typeof method === 'function' && method !== exports.inspect) {
    const shown = method.call(value, options.depth - depth, options, exports.inspect)
    return typeof shown === 'string' ? shown : show(shown, depth, options, seen)
  }
  const isArray = Array.isArray(value)
  const name = classOf(value)
  const tag = value[Symbol.toStringTag]
  let prefix = name === undefined ? '[Object: null prototype]' : name
  if (typeof tag === 'string' && tag !== '' && tag !== name) prefix += ' [' + tag + ']'
  let keys = Object.keys(value)
  if (options.showHidden) keys = Object.getOwnPropertyNames(value)
  keys.push(...Object.getOwnPropertySymbols(value).filter(key => Object.prototype.propertyIsEnumerable.call(value, key)))
  const items = []
  let [open, close] = ['{', '}']
  const inner = [...seen, value]
  const nested = child => show(child, depth + 1, options, inner)
  const isDeep = depth > options.depth
  const more = (count, what) => (count > 0 ? ['... ' + count + ' more ' + what + (count > 1 ? 's' : '')] : [])
  const limit = options.maxArrayLength ?? Infinity
  let isList = false
  if (isArray || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    if (Buffer.isBuffer(value)) return '<Buffer' + [...value.subarray(0, 50)].map(byte => ' ' + byte.toString(16).padStart(2, '0')).join('') + (value.length > 50 ? ' ... ' + (value.length - 50) + ' more bytes' : '') + '>'
    isList = true
    ;[open, close] = ['[', ']']
    prefix = isArray && name === 'Array' ? '' : prefix + '(' + value.length + ')'
    keys = keys.filter(key => typeof key === 'symbol' || !/^(?:0|[1-9]\d*)$/.test(key))
    if (isDeep && value.length > 0) return '[' + (prefix || 'Array') + ']'
    let at = 0
    while (at < value.length && items.length < limit) {
      if (!(at in value)) {
        let end = at
        while (end < value.length && !(end in value)) end += 1
        items.push('<' + (end - at) + ' empty item' + (end - at > 1 ? 's' : '') + '>')
        at = end
      } else items.push(nested(value[at++]))
    }
    items.push(...more(value.length - at, 'item'))
  } else if (value instanceof Map) {
    if (isDeep) return '[' + prefix + ']'
    prefix += '(' + value.size + ')'
    for (const [key, entry] of [...value].slice(0, limit)) items.push(nested(key) + ' => ' + nested(entry))
    items.push(...more(value.size - limit, 'item'))
  } else if (value instanceof Set) {
    if (isDeep) return '[' + prefix + ']'
    prefix += '(' + value.size + ')'
    for (const entry of [...value].slice(0, limit)) items.push(nested(entry))
    items.push(...more(value.size - limit, 'item'))
  } else if (value instanceof Error) {
    prefix = errorText(value)
    keys = keys.filter(key => key !== 'stack' && key !== 'message' && key !== 'name')
    if (Object.hasOwn(value, 'cause') && !keys.includes('cause')) keys.push('cause')
    if (Array.isArray(value.errors) && !keys.includes('errors')) keys.push('errors')
    if (keys.length === 0) return prefix.includes('\n') || depth === 0 ? prefix : '[' + prefix + ']'
  } else if (typeof value === 'function') {
    prefix = functionText(value)
    if (keys.length === 0) return prefix
  } else if (value instanceof Date) {
    prefix = Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
    if (keys.length === 0) return prefix
  } else if (value instanceof RegExp) {
    prefix = String(value)
    if (keys.length === 0) return prefix
  } else if (value instanceof Promise) {
    prefix = 'Promise'
    items.push('<promise>')
  } else if (value instanceof ArrayBuffer) {
    const bytes = [...new Uint8Array(value, 0, Math.min(50, value.byteLength))].map(byte => byte.toString(16).padStart(2, '0')).join(' ')
    items.push('[Uint8Contents]: <' + bytes + (value.byteLength > 50 ? ' ... ' + (value.byteLength - 50) + ' more bytes' : '') + '>', 'byteLength: ' + value.byteLength)
  } else if (value instanceof Number || value instanceof String || value instanceof Boolean) {
    prefix = '[' + name + ': ' + primitive(value.valueOf(), true) + ']'
    keys = keys.filter(key => !(value instanceof String) || typeof key === 'symbol' || !/^\d+$/.test(key))
    if (keys.length === 0) return prefix
  } else if (prefix === 'Object') prefix = ''
  if (isDeep && keys.length > 0) return '[' + (prefix || 'Object') + ']'
  for (const key of keys) {
    const property = Object.getOwnPropertyDescriptor(value, key)
    const shown = property?.get ? (property.set ? '[Getter/Setter]' : '[Getter]') : property?.set ? '[Setter]' : nested(value[key])
    items.push(Object.prototype.propertyIsEnumerable.call(value, key) ? keyText(key) + ': ' + shown : '[' + String(key) + ']: ' + shown)
  }
  const head = prefix === '' ? '' : prefix + ' '
  let text
  if (items.length === 0) text = head + open + close
  else {
    const isFlat = !items.some(item => item.includes('\n'))
    const total = items.reduce((sum, item) => sum + item.length + 2, 0)
    const indent = '  '
    if (isFlat && (options.compact === true || options.breakLength === Infinity || (total + head.length <= lineLength && !(isList && items.length > 6 && total > lineLength))))
      text = head + open + ' ' + items.join(', ') + ' ' + close
    else {
      let lines = items
      if (isList && isFlat && items.length > 6 && items.every(item => item.length <= 16)) {
        lines = []
        for (const item of items) {
          const last = lines.at(-1)
          if (last === undefined || last.length + item.length > lineLength) lines.push(item)
          else lines[lines.length - 1] = last + ', ' + item
        }
      }
      text = head + open + '\n' + lines.map(line => indent + line.replaceAll('\n', '\n' + indent)).join(',\n') + '\n' + close
    }
  }
  return text.includes('[Circular *1]') && seen.length === 0 ? '<ref *1> ' + text : text
}
function inspect(value, options, depth) {
  const given = typeof options === 'object' && options !== null ? options : { showHidden: options, depth }
  const all = { maxArrayLength: 100, breakLength: 80, ...given }
  all.depth = given.depth === null ? Infinity : given.depth ?? 2
  if (all.maxArrayLength === null) all.maxArrayLength = Infinity
  return show(value, 0, all, [])
}
inspect.custom = custom
inspect.defaultOptions = {}
function format(...args) {
  const [first] = args
  let rest = args
  let text = ''
  if (typeof first === 'string' && args.length > 1) {
    let at = 1
    text = first.replace(/%([sdifjoOc%])/g, (all, letter) => {
      if (letter === '%') return '%'
      if (at >= args.length) return all
      const value = args[at++]
      const number = parse => (typeof value === 'bigint' ? value + 'n' : typeof value === 'symbol' ? 'NaN' : primitive(parse(value), false))
      switch (letter) {
        case 's': return typeof value === 'object' && value !== null && !(Object.hasOwn(value, 'toString') || value instanceof Error) ? inspect(value, { depth: 0 }) : typeof value === 'function' ? inspect(value) : value instanceof Error ? errorText(value) : primitive(value, false)
        case 'd': return typeof value === 'object' && value !== null ? 'NaN' : number(Number)
        case 'i': return number(parseInt)
        case 'f': return number(parseFloat)
        case 'j': try { return JSON.stringify(value) } catch { return '[Circular]' }
        case 'c': return ''
        default: return inspect(value, letter === 'o' ? { showHidden: true, depth: 4 } : {})
      }
    })
    rest = args.slice(at)
  } else if (typeof first === 'string') {
    text = first
    rest = args.slice(1)
  }
  const shown = rest.map(value => (typeof value === 'string' ? value : inspect(value)))
  return [...(typeof first === 'string' ? [text] : []), ...shown].join(' ')
}
function isDeepEqual(left, right, isStrict, pairs = []) {
  if (isStrict ? Object.is(left, right) : left == right || (left !== left && right !== right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (isStrict && Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false
  if (Array.isArray(left) !== Array.isArray(right) || Object.prototype.toString.call(left) !== Object.prototype.toString.call(right)) return false
  if (pairs.some(([one, other]) => one === left && other === right)) return true
  const inner = [...pairs, [left, right]]
  const same = (one, other) => isDeepEqual(one, other, isStrict, inner)
  if (left instanceof Date) { if (left.getTime() !== right.getTime()) return false }
  else if (left instanceof RegExp) { if (String(left) !== String(right)) return false }
  else if (left instanceof Error) { if (left.message !== right.message || left.name !== right.name) return false }
  else if (left instanceof Number || left instanceof String || left instanceof Boolean) { if (!Object.is(left.valueOf(), right.valueOf())) return false }
  else if (left instanceof ArrayBuffer) return same(new Uint8Array(left), new Uint8Array(right))
  else if (left instanceof Set) {
    if (left.size !== right.size) return false
    const others = [...right]
    for (const value of left) {
      const at = others.findIndex(other => same(value, other))
      if (at === -1) return false
      others.splice(at, 1)
    }
  } else if (left instanceof Map) {
    if (left.size !== right.size) return false
    const others = [...right]
    for (const entry of left) {
      const at = others.findIndex(other => same(entry[0], other[0]) && same(entry[1], other[1]))
      if (at === -1) return false
      others.splice(at, 1)
    }
  }
  if ((Array.isArray(left) || ArrayBuffer.isView(left)) && left.length !== right.length) return false
  const [keys, others] = [Object.keys(left), Object.keys(right)]
  return keys.length === others.length && keys.every(key => Object.hasOwn(right, key) && same(left[key], right[key]))
}
function clone(value, known = new Map()) {
  if (typeof value === 'function' || typeof value === 'symbol') throw Object.assign(new Error(String(value) + ' could not be cloned.'), { name: 'DataCloneError' })
  if (typeof value !== 'object' || value === null) return value
  if (known.has(value)) return known.get(value)
  const keep = copy => { known.set(value, copy); return copy }
  if (value instanceof Date) return keep(new Date(value))
  if (value instanceof RegExp) return keep(new RegExp(value))
  if (value instanceof ArrayBuffer) return keep(value.slice(0))
  if (value instanceof DataView) return keep(new DataView(value.buffer.slice(0), value.byteOffset, value.byteLength))
  if (ArrayBuffer.isView(value)) return keep(new (Buffer.isBuffer(value) ? Uint8Array : value.constructor)(value))
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return keep(Object(value.valueOf()))
  if (value instanceof Map) { const copy = keep(new Map()); for (const [key, entry] of value) copy.set(clone(key, known), clone(entry, known)); return copy }
  if (value instanceof Set) { const copy = keep(new Set()); for (const entry of value) copy.add(clone(entry, known)); return copy }
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef) throw Object.assign(new Error('#<' + classOf(value) + '> could not be cloned.'), { name: 'DataCloneError' })
  if (value instanceof Error) { const copy = keep(new (globalThis[value.name] ?? Error)(value.message)); copy.stack = value.stack; if ('cause' in value) copy.cause = clone(value.cause, known); return copy }
  const copy = keep(Array.isArray(value) ? new Array(value.length) : {})
  for (const key of Object.keys(value)) copy[key] = clone(value[key], known)
  return copy
}
class Encoder {
  get encoding() { return 'utf-8' }
  encode(text = '') { return new Uint8Array(host.encode(String(text))) }
}
class Decoder {
  #rest = new Uint8Array()
  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
    if (!/^\s*utf-?8\s*$/i.test(label)) throw new RangeError('The encoding "' + label + '" is not available here; only utf-8 is.')
    Object.assign(this, { encoding: 'utf-8', fatal, ignoreBOM })
  }
  decode(data = new Uint8Array(), { stream = false } = {}) {
    const piece = new Uint8Array(internal.bytesOf(data))
    let bytes = new Uint8Array(this.#rest.length + piece.length)
    bytes.set(this.#rest)
    bytes.set(piece, this.#rest.length)
    this.#rest = new Uint8Array()
    if (stream) {
      // A character that is not complete waits for the next piece.
      let start = bytes.length - 1
      while (start > 0 && start > bytes.length - 4 && (bytes[start] & 0xc0) === 0x80) start -= 1
      const lead = bytes[start] ?? 0
      const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
      if (bytes.length - start < length) {
        this.#rest = bytes.slice(start)
        bytes = bytes.slice(0, start)
      }
    }
    const text = host.decode(bytes.buffer)
    if (this.fatal && text.includes('\ufffd')) {
      const again = new Uint8Array(host.encode(text))
      if (again.length !== bytes.length || again.some((byte, at) => byte !== bytes[at])) throw Object.assign(new TypeError('The encoded data was not valid for encoding utf-8'), { code: 'ERR_ENCODING_INVALID_ENCODED_DATA' })
    }
    return !this.ignoreBOM && text.startsWith('\ufeff') ? text.slice(1) : text
  }
}
const is = name => value => Object.prototype.toString.call(value) === '[object ' + name + ']'
Object.assign(exports, {
  inspect, format, TextEncoder: Encoder, TextDecoder: Decoder, structuredClone: value => clone(value),
  isDeepStrictEqual: (left, right) => isDeepEqual(left, right, true),
  promisify: action => (...args) => new Promise((resolve, reject) => action(...args, (error, value) => (error ? reject(error) : resolve(value)))),
  callbackify: action => (...args) => { const callback = args.pop(); action(...args).then(value => setImmediate(callback, null, value), error => setImmediate(callback, error)) },
  inherits: (child, parent) => { Object.defineProperty(child, 'super_', { value: parent, configurable: true, writable: true }); Object.setPrototypeOf(child.prototype, parent.prototype) },
  deprecate: action => action,
  stripVTControlCharacters: text => text.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, ''),
  types: {
    isDate: is('Date'), isRegExp: is('RegExp'), isMap: value => value instanceof Map, isSet: value => value instanceof Set,
    isPromise: value => value instanceof Promise, isNativeError: value => value instanceof Error,
    isTypedArray: value => ArrayBuffer.isView(value) && !(value instanceof DataView), isUint8Array: value => value instanceof Uint8Array,
    isArrayBuffer: value => value instanceof ArrayBuffer,
  },
})
internal.isDeepEqual = isDeepEqual
})`
