// ripgrep itself, compiled to WebAssembly (npm `ripgrep`), over files in memory, as it can be used in a page. The package's wrapper reads
// the disk of a server, so this file implements the part of WASI that a search in memory needs.

const success = 0
const badDescriptor = 8
const notThere = 44
const notADirectory = 54
const directoryType = 3
const fileType = 4
const streamType = 2
const root = '/files'

/** `files` are `{ name, bytes }`; the returned function runs ripgrep over them and counts the printed lines. */
export function ripgrepInMemory(module, files) {
  const tree = directory()
  for (const { name, bytes } of files) {
    const names = name.split('/')
    const last = names.pop()
    let parent = tree
    for (const part of names) {
      if (!parent.entries.has(part)) parent.entries.set(part, directory())
      parent = parent.entries.get(part)
    }
    parent.entries.set(last, { type: fileType, bytes, ino: nextIno++ })
  }
  return args => run(module, tree, ['rg', ...args, root])
}

let nextIno = 1n

function directory() {
  return { type: directoryType, entries: new Map(), ino: nextIno++ }
}

class Exit extends Error {}

function run(module, tree, args) {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  const descriptors = new Map([
    [0, { type: streamType }],
    [1, { type: streamType }],
    [2, { type: streamType }],
    [3, { type: directoryType, node: tree }],
  ])
  let nextDescriptor = 4
  let lines = 0
  let errors = ''
  const view = () => new DataView(instance.exports.memory.buffer)
  const bytesAt = (at, length) => new Uint8Array(instance.exports.memory.buffer, at, length)
  const texts = args.map(arg => encoder.encode(`${arg}\0`))

  function nodeAt(descriptor, pathAt, pathLength) {
    let node = descriptors.get(descriptor)?.node
    for (const part of decoder.decode(bytesAt(pathAt, pathLength)).split('/')) {
      if (part === '' || part === '.') continue
      node = node?.entries?.get(part)
    }
    return node
  }
  function writeStat(at, node) {
    bytesAt(at, 64).fill(0)
    view().setBigUint64(at + 8, node.ino ?? 0n, true)
    view().setUint8(at + 16, node.type)
    view().setBigUint64(at + 24, 1n, true)
    view().setBigUint64(at + 32, BigInt(node.bytes?.length ?? 0), true)
    return success
  }
  function eachVector(at, count, visit) {
    for (let index = 0; index < count; index++) {
      const start = view().getUint32(at + 8 * index, true)
      if (!visit(start, view().getUint32(at + 8 * index + 4, true))) return
    }
  }

  const wasi = {
    random_get: (at, length) => (bytesAt(at, length).fill(7), success),
    args_sizes_get(countAt, sizeAt) {
      view().setUint32(countAt, texts.length, true)
      view().setUint32(
        sizeAt,
        texts.reduce((sum, text) => sum + text.length, 0),
        true,
      )
      return success
    },
    args_get(listAt, textAt) {
      let at = textAt
      for (const [index, text] of texts.entries()) {
        view().setUint32(listAt + 4 * index, at, true)
        bytesAt(at, text.length).set(text)
        at += text.length
      }
      return success
    },
    environ_sizes_get(countAt, sizeAt) {
      view().setUint32(countAt, 0, true)
      view().setUint32(sizeAt, 0, true)
      return success
    },
    environ_get: () => success,
    clock_time_get: (_id, _precision, at) => (view().setBigUint64(at, 1n, true), success),
    fd_close: descriptor => (descriptors.delete(descriptor) ? success : badDescriptor),
    fd_fdstat_get(descriptor, at) {
      const open = descriptors.get(descriptor)
      if (open === undefined) return badDescriptor
      bytesAt(at, 24).fill(0)
      view().setUint8(at, open.type)
      view().setBigUint64(at + 8, ~0n & 0xffffffffffffffffn, true)
      view().setBigUint64(at + 16, ~0n & 0xffffffffffffffffn, true)
      return success
    },
    fd_fdstat_set_flags: () => success,
    fd_filestat_get(descriptor, at) {
      const open = descriptors.get(descriptor)
      return open === undefined ? badDescriptor : writeStat(at, open.node ?? open)
    },
    fd_prestat_get(descriptor, at) {
      if (descriptor !== 3) return badDescriptor
      view().setUint32(at, 0, true)
      view().setUint32(at + 4, root.length, true)
      return success
    },
    fd_prestat_dir_name(descriptor, at, length) {
      if (descriptor !== 3) return badDescriptor
      bytesAt(at, length).set(encoder.encode(root))
      return success
    },
    fd_read(descriptor, vectorsAt, count, readAt) {
      const open = descriptors.get(descriptor)
      if (open === undefined) return badDescriptor
      let total = 0
      eachVector(vectorsAt, count, (start, length) => {
        const part = open.node?.bytes?.subarray(open.offset, open.offset + length) ?? new Uint8Array()
        bytesAt(start, part.length).set(part)
        open.offset += part.length
        total += part.length
        return part.length === length
      })
      view().setUint32(readAt, total, true)
      return success
    },
    fd_readdir(descriptor, at, length, cookie, usedAt) {
      const open = descriptors.get(descriptor)
      if (open?.node?.entries === undefined) return badDescriptor
      open.list ??= [...open.node.entries].map(([name, node]) => ({ name: encoder.encode(name), node }))
      let used = 0
      for (let index = Number(cookie); index < open.list.length && used < length; index++) {
        const { name, node } = open.list[index]
        const entry = new Uint8Array(24 + name.length)
        const fields = new DataView(entry.buffer)
        fields.setBigUint64(0, BigInt(index + 1), true)
        fields.setBigUint64(8, node.ino, true)
        fields.setUint32(16, name.length, true)
        fields.setUint8(20, node.type)
        entry.set(name, 24)
        const part = entry.subarray(0, length - used)
        bytesAt(at + used, part.length).set(part)
        used += part.length
      }
      view().setUint32(usedAt, used, true)
      return success
    },
    fd_seek(descriptor, offset, whence, at) {
      const open = descriptors.get(descriptor)
      if (open?.node === undefined) return badDescriptor
      const bases = [0, open.offset, open.node.bytes?.length ?? 0]
      open.offset = bases[whence] + Number(offset)
      view().setBigUint64(at, BigInt(open.offset), true)
      return success
    },
    fd_write(descriptor, vectorsAt, count, writtenAt) {
      let total = 0
      eachVector(vectorsAt, count, (start, length) => {
        const part = bytesAt(start, length)
        if (descriptor === 1) for (let index = part.indexOf(10); index !== -1; index = part.indexOf(10, index + 1)) lines++
        else errors += decoder.decode(part)
        total += length
        return true
      })
      view().setUint32(writtenAt, total, true)
      return success
    },
    path_filestat_get(descriptor, _flags, pathAt, pathLength, at) {
      const node = nodeAt(descriptor, pathAt, pathLength)
      return node === undefined ? notThere : writeStat(at, node)
    },
    path_open(descriptor, _dirFlags, pathAt, pathLength, openFlags, _rights, _inherited, _flags, at) {
      const node = nodeAt(descriptor, pathAt, pathLength)
      if (node === undefined) return notThere
      if ((openFlags & 2) !== 0 && node.type !== directoryType) return notADirectory
      descriptors.set(nextDescriptor, { type: node.type, node, offset: 0 })
      view().setUint32(at, nextDescriptor++, true)
      return success
    },
    path_readlink: () => notThere,
    poll_oneoff: () => success,
    proc_exit(code) {
      throw new Exit(String(code))
    },
    sched_yield: () => success,
  }
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi })
  try {
    instance.exports._start()
  } catch (error) {
    if (!(error instanceof Exit)) throw error
    if (Number(error.message) > 1) throw new Error(`ripgrep in WebAssembly: ${errors}`)
  }
  return lines
}
