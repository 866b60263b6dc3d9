// How packed formats begin. Apart from their decoders, which load once there is something to unpack.

const xz = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]
const bzip2 = [0x42, 0x5a, 0x68]
const zstd = [0x28, 0xb5, 0x2f, 0xfd]

export function isXz(head: Uint8Array): boolean {
  return begins(head, xz)
}

export function isBzip2(head: Uint8Array): boolean {
  return begins(head, bzip2)
}

export function isZstd(head: Uint8Array): boolean {
  return begins(head, zstd)
}

function begins(head: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => head[index] === byte)
}
