// The module `buffer`, in its most used parts.

export const bufferModule: string = String.raw`(function (exports, require, module, internal) {
'use strict'
const { host } = internal
const unknown = encoding => { throw Object.assign(new TypeError('Unknown encoding: ' + encoding), { code: 'ERR_UNKNOWN_ENCODING' }) }
const nameOf = encoding => {
  const name = String(encoding ?? 'utf8').toLowerCase()
  return name === 'utf-8' ? 'utf8' : name === 'binary' ? 'latin1' : name === 'ucs2' || name === 'ucs-2' || name === 'utf-16le' ? 'utf16le' : name
}
const characters = bytes => {
  const parts = []
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode.apply(null, bytes.subarray(at, at + 8192)))
  return parts.join('')
}
function encode(text, encoding) {
  switch (nameOf(encoding)) {
    case 'utf8': return new Uint8Array(host.encode(text))
    case 'latin1':
    case 'ascii': return Uint8Array.from(text, character => character.charCodeAt(0) & 255)
    case 'hex': {
      const pairs = /^(?:[0-9a-f]{2})*/i.exec(text)[0]
      return Uint8Array.from({ length: pairs.length / 2 }, (_, at) => parseInt(pairs.slice(at * 2, at * 2 + 2), 16))
    }
    case 'base64':
    case 'base64url': {
      const plain = text.replace(/=.*$/s, '').replace(/[^A-Za-z0-9+/_-]/g, '').replaceAll('-', '+').replaceAll('_', '/')
      const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain
      return Uint8Array.from(atob(whole + '='.repeat((4 - (whole.length % 4)) % 4)), character => character.charCodeAt(0))
    }
    case 'utf16le': {
      const bytes = new Uint8Array(text.length * 2)
      for (let at = 0; at < text.length; at++) { bytes[at * 2] = text.charCodeAt(at) & 255; bytes[at * 2 + 1] = text.charCodeAt(at) >> 8 }
      return bytes
    }
    default: return unknown(encoding)
  }
}
class Buffer extends Uint8Array {
  static get [Symbol.species]() { return Uint8Array }
  toString(encoding, start = 0, end = this.length) {
    const bytes = Uint8Array.prototype.subarray.call(this, start, end)
    switch (nameOf(encoding)) {
      case 'utf8': return host.decode(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
      case 'latin1': return characters(bytes)
      case 'ascii': return characters(bytes.map(byte => byte & 127))
      case 'hex': return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
      case 'base64': return btoa(characters(bytes))
      case 'base64url': return btoa(characters(bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
      case 'utf16le': { const units = []; for (let at = 0; at + 1 < bytes.length; at += 2) units.push(String.fromCharCode(bytes[at] | (bytes[at + 1] << 8))); return units.join('') }
      default: return unknown(encoding)
    }
  }
  toLocaleString(encoding) { return this.toString(encoding) }
  toJSON() { return { type: 'Buffer', data: Array.from(this) } }
  equals(other) { return this.length === other.length && this.every((byte, at) => byte === other[at]) }
  compare(other) { return Buffer.compare(this, other) }
  subarray(start = 0, end = this.length) { const part = Uint8Array.prototype.subarray.call(this, start, end); return new Buffer(part.buffer, part.byteOffset, part.byteLength) }
  slice(start, end) { return this.subarray(start, end) }
  copy(target, targetStart = 0, start = 0, end = this.length) { const part = this.subarray(start, Math.min(end, start + target.length - targetStart)); target.set(part, targetStart); return part.length }
  write(text, offset = 0, length, encoding) {
    if (typeof offset === 'string') { encoding = offset; offset = 0; length = undefined }
    else if (typeof length === 'string') { encoding = length; length = undefined }
    const bytes = encode(text, encoding).subarray(0, Math.min(length ?? Infinity, this.length - offset))
    this.set(bytes, offset)
    return bytes.length
  }
  fill(value, start = 0, end = this.length, encoding) {
    if (typeof value === 'number') { Uint8Array.prototype.fill.call(this, value, start, end); return this }
    const bytes = typeof value === 'string' ? encode(value, typeof start === 'string' ? start : encoding) : value
    const [first, last] = [typeof start === 'string' ? 0 : start, typeof end === 'string' ? this.length : end]
    for (let at = first; at < last; at++) this[at] = bytes.length === 0 ? 0 : bytes[(at - first) % bytes.length]
    return this
  }
  indexOf(value, start = 0, encoding) {
    if (typeof value === 'number') return Uint8Array.prototype.indexOf.call(this, value & 255, start)
    const wanted = typeof value === 'string' ? encode(value, encoding) : value
    for (let at = start < 0 ? Math.max(0, this.length + start) : start; at + wanted.length <= this.length; at++) if (wanted.every((byte, offset) => byte === this[at + offset])) return at
    return -1
  }
  lastIndexOf(value) {
    if (typeof value === 'number') return Uint8Array.prototype.lastIndexOf.call(this, value & 255)
    const wanted = typeof value === 'string' ? encode(value) : value
    for (let at = this.length - wanted.length; at >= 0; at--) if (wanted.every((byte, offset) => byte === this[at + offset])) return at
    return -1
  }
  includes(value, start, encoding) { return this.indexOf(value, start, encoding) !== -1 }
}
const views = { UInt8: 'Uint8', Int8: 'Int8', UInt16: 'Uint16', Int16: 'Int16', UInt32: 'Uint32', Int32: 'Int32', Float: 'Float32', Double: 'Float64', BigInt64: 'BigInt64', BigUInt64: 'BigUint64' }
for (const [name, kind] of Object.entries(views))
  for (const order of name.endsWith('8') ? [''] : ['LE', 'BE']) {
    const bytes = Number(/\d+/.exec(kind)[0]) / 8
    const view = (buffer, offset) => {
      if (offset + bytes > buffer.length || offset < 0) throw Object.assign(new RangeError('Attempt to access memory outside buffer bounds'), { code: 'ERR_BUFFER_OUT_OF_BOUNDS' })
      return new DataView(buffer.buffer, buffer.byteOffset)
    }
    const read = function (offset = 0) { return view(this, offset)['get' + kind](offset, order === 'LE') }
    const write = function (value, offset = 0) { view(this, offset)['set' + kind](offset, value, order === 'LE'); return offset + bytes }
    for (const spelled of [name, name.replace('UInt', 'Uint')]) {
      internal.hide(Buffer.prototype, 'read' + spelled + order, read)
      internal.hide(Buffer.prototype, 'write' + spelled + order, write)
    }
  }
const wrap = bytes => new Buffer(bytes.buffer, bytes.byteOffset, bytes.byteLength)
Object.assign(Buffer, {
  from: (value, encoding, length) => {
    if (typeof value === 'string') return wrap(encode(value, encoding))
    if (value instanceof ArrayBuffer) return new Buffer(value, encoding, length)
    if (value?.type === 'Buffer' && Array.isArray(value.data)) return wrap(Uint8Array.from(value.data))
    if (value === null || typeof value !== 'object') throw Object.assign(new TypeError('The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array'), { code: 'ERR_INVALID_ARG_TYPE' })
    return wrap(Uint8Array.from(value))
  },
  alloc: (size, fill, encoding) => { const buffer = new Buffer(size); return fill === undefined ? buffer : buffer.fill(fill, 0, size, encoding) },
  allocUnsafe: size => new Buffer(size),
  isBuffer: value => value instanceof Buffer,
  isEncoding: encoding => ['utf8', 'latin1', 'ascii', 'hex', 'base64', 'base64url', 'utf16le'].includes(nameOf(encoding)),
  byteLength: (value, encoding) => (typeof value === 'string' ? encode(value, encoding).length : value.byteLength),
  concat: (list, total = list.reduce((sum, part) => sum + part.length, 0)) => {
    const joined = new Buffer(total)
    let at = 0
    for (const part of list) { joined.set(part.subarray(0, Math.max(0, total - at)), at); at += part.length; if (at >= total) break }
    return joined
  },
  compare: (left, right) => {
    for (let at = 0; at < Math.min(left.length, right.length); at++) if (left[at] !== right[at]) return left[at] < right[at] ? -1 : 1
    return Math.sign(left.length - right.length)
  },
})
Object.assign(exports, { Buffer, kMaxLength: 268435456, constants: { MAX_LENGTH: 268435456, MAX_STRING_LENGTH: 536870888 }, atob, btoa })
})`
