// just-bash converts bytes with Node's Buffer in four places. The bundle binds that name to this, so no page needs a polyfill.

import { latin1Bytes, latin1Text } from './encoding.ts'

class Bytes extends Uint8Array {
  override toString(encoding = 'utf8'): string {
    switch (encoding) {
      case 'latin1':
      case 'binary':
        return latin1Text(this)
      case 'base64':
        return btoa(latin1Text(this))
      case 'hex':
        return Array.from(this, byte => byte.toString(16).padStart(2, '0')).join('')
      default:
        return new TextDecoder().decode(this)
    }
  }
}

function from(data: string | Uint8Array, encoding = 'utf8'): Bytes {
  if (typeof data !== 'string') return new Bytes(data)
  switch (encoding) {
    case 'latin1':
    case 'binary':
      return new Bytes(latin1Bytes(data))
    case 'base64':
      return new Bytes(latin1Bytes(fromBase64(data)))
    default:
      return new Bytes(new TextEncoder().encode(data))
  }
}

// Node reads base64 up to the padding and skips what is none; atob throws at both.
function fromBase64(text: string): string {
  const digits = text
    .replace(/=[^]*$/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z0-9+/]/g, '')
  return atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits)
}

export const Buffer: { readonly from: typeof from } = { from }
