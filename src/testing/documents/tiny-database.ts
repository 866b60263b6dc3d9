// A small database for tests without the sqlite3 program: users(id, name) with Ada and Bob.

/** Base64; `A*12;` means twelve times A. */
const packed: string = [
  'U1FMaXRlIGZvcm1hdCAzAAIAAQEAQCAgAAAAAwAAAAIA*15;IAAAAEA*15;BA*47;DAC5jAQ0AAAABAbMAAbMA*433;SwEGFxcXAXd0YWJsZXVzZXJzdXNlc',
  'nMCQ1JFQVRFIFRBQkxFIHVzZXJzKGlkIElOVEVHRVIgUFJJTUFSWSBLRVksIG5hbWUgVEVYVCkNAAAAAgHwAAH4AfA*646;BgIDABNCb2IGAQMAE0FkYQ==',
].join('')

export const tinyDatabase: string = packed.replace(/A\*(\d+);/g, (_run, count: string) => 'A'.repeat(Number(count)))

export function bytesOfBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
}
