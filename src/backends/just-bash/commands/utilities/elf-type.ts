// Describes programs and libraries in the format ELF for the command `file`.

import { zeroEnded, type BinaryView } from './binary-view.ts'

const machines: Readonly<Record<number, string>> = {
  2: 'SPARC',
  3: 'Intel 80386',
  8: 'MIPS',
  20: 'PowerPC or cisco 4500',
  21: '64-bit PowerPC or cisco 7500',
  22: 'IBM S/390',
  40: 'ARM',
  62: 'x86-64',
  183: 'ARM aarch64',
  243: 'UCB RISC-V',
  247: 'eBPF',
  258: 'LoongArch',
}

const systems: Readonly<Record<number, string>> = { 0: 'SYSV', 2: 'NetBSD', 3: 'GNU/Linux', 9: 'FreeBSD', 12: 'OpenBSD' }

interface Header {
  readonly start: number
  readonly size: number
  readonly count: number
}

interface Elf {
  readonly view: BinaryView
  readonly isLittle: boolean
  readonly isWide: boolean
}

const short = ({ view, isLittle }: Elf, offset: number): number => view.short(offset, isLittle)
const long = ({ view, isLittle }: Elf, offset: number): number => view.long(offset, isLittle)

/** An address or an offset. Files above 4 GiB do not occur here, so the lower half of eight bytes is enough. */
const word = (elf: Elf, offset: number): number => long(elf, elf.isWide && !elf.isLittle ? offset + 4 : offset)

export function describeElf(view: BinaryView): { readonly description: string; readonly mime: string } {
  const elf = { view, isLittle: view.byte(5) === 1, isWide: view.byte(4) === 2 }
  const kind = short(elf, 16)
  const [tables, sections] = elf.isWide
    ? [
        { start: word(elf, 32), size: short(elf, 54), count: short(elf, 56) },
        { start: word(elf, 40), size: short(elf, 58), count: short(elf, 60) },
      ]
    : [
        { start: word(elf, 28), size: short(elf, 42), count: short(elf, 44) },
        { start: word(elf, 32), size: short(elf, 46), count: short(elf, 48) },
      ]
  const found = segmentsOf(elf, tables)
  const kinds: Readonly<Record<number, readonly [string, string]>> = {
    1: ['relocatable', 'object'],
    2: ['executable', 'executable'],
    3: found.isPositionIndependent ? ['pie executable', 'pie-executable'] : ['shared object', 'sharedlib'],
    4: ['core file', 'coredump'],
  }
  const [name, mime] = kinds[kind] ?? ['', 'executable']
  const machine = machines[short(elf, 18)]
  const parts = [
    `ELF ${elf.isWide ? 64 : 32}-bit ${elf.isLittle ? 'LSB' : 'MSB'} ${name}`,
    machine ?? `unknown arch 0x${short(elf, 18).toString(16)}`,
    `version ${long(elf, 20)} (${systems[view.byte(7)] ?? ''})`,
  ]
  if (tables.count > 0 && kind !== 1) parts.push(found.isDynamic ? 'dynamically linked' : 'statically linked', ...found.parts)
  else if (tables.count === 0 && kind !== 1) parts.push('no program header')
  parts.push(...sectionsOf(elf, sections, tables.count > 0 && kind !== 1))
  return { description: parts.join(', '), mime: `application/x-${mime}` }
}

function segmentsOf(elf: Elf, { start, size, count }: Header) {
  let [isDynamic, hasInterpreter, isProgram] = [false, false, false]
  const interpreter: string[] = []
  const notes: string[] = []
  for (let index = 0; index < count; index += 1) {
    const at = start + index * size
    const [offset, length] = elf.isWide ? [word(elf, at + 8), word(elf, at + 32)] : [word(elf, at + 4), word(elf, at + 16)]
    const type = long(elf, at)
    if (type === 2) {
      isDynamic = true
      isProgram = hasProgramFlag(elf, offset, length)
    } else if (type === 3) {
      hasInterpreter = true
      interpreter.push(`interpreter ${zeroEnded(elf.view, offset, length)}`)
    } else if (type === 4) notes.push(...notesOf(elf, offset, length))
  }
  return { isDynamic: isDynamic || hasInterpreter, isPositionIndependent: isProgram, parts: [...interpreter, ...notes] }
}

/** Whether the dynamic section says that this is a program and no library. */
function hasProgramFlag(elf: Elf, offset: number, length: number): boolean {
  const step = elf.isWide ? 16 : 8
  for (let at = offset; at < offset + length; at += step)
    if (word(elf, at) === 0x6ffffffb) return (word(elf, at + step / 2) & 0x08000000) !== 0
  return false
}

function notesOf(elf: Elf, offset: number, length: number): string[] {
  const found: string[] = []
  const padded = (size: number): number => Math.ceil(size / 4) * 4
  for (let at = offset; at + 12 <= offset + length;) {
    const [nameSize, size, type] = [long(elf, at), long(elf, at + 4), long(elf, at + 8)]
    const data = at + 12 + padded(nameSize)
    if (zeroEnded(elf.view, at + 12, nameSize) === 'GNU') {
      if (type === 1) found.push(`for GNU/Linux ${long(elf, data + 4)}.${long(elf, data + 8)}.${long(elf, data + 12)}`)
      const hash = Array.from({ length: size }, (_, index) =>
        elf.view
          .byte(data + index)
          .toString(16)
          .padStart(2, '0'),
      ).join('')
      if (type === 3)
        found.push(`BuildID[${size === 20 ? 'sha1' : size === 16 ? 'md5/uuid' : size === 8 ? 'xxHash' : '??'}]=${hash}`)
    }
    at = data + padded(size)
  }
  return found
}

function sectionsOf(elf: Elf, { start, size, count }: Header, hasNotes: boolean): string[] {
  if (count === 0 || start === 0) return ['no section header']
  const parts: string[] = []
  let [hasDebug, isStripped] = [false, true]
  const field = (at: number, wide: number, narrow: number): number => word(elf, at + (elf.isWide ? wide : narrow))
  const names = field(start + short(elf, elf.isWide ? 62 : 50) * size, 24, 16)
  for (let index = 0; index < count; index += 1) {
    const at = start + index * size
    const type = long(elf, at + 4)
    if (type === 2) isStripped = false
    if (type === 7 && !hasNotes) parts.push(...notesOf(elf, field(at, 24, 16), field(at, 32, 20)))
    if (zeroEnded(elf.view, names + long(elf, at), 64) === '.debug_info') hasDebug = true
  }
  return [...parts, ...(hasDebug ? ['with debug_info'] : []), isStripped ? 'stripped' : 'not stripped']
}
