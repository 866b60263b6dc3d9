// Runs one program in an interpreter: gives it the files of the shell, its streams and its arguments.

import { messageOf, type Channel, type FromProgramWorker } from '../../shell/program-calls.ts'
import type { CallReply, WaitedCalls } from '../../shell/waited-calls.ts'
import type { EmscriptenFs, Pyodide } from './emscripten.ts'
import { callsPath } from './prelude.ts'
import type { Program } from './protocol.ts'
import { closeRealm } from './realm.ts'
import { mountWorkspace } from './workspace-files.ts'

/** The program waits for its reader when this much of its output is under way. */
const maxOutputBytes = 64 * 1024

interface Ended {
  readonly code: number
  /** False if the worker may be in a state that no other program should meet. */
  readonly isReusable: boolean
}

export function runProgram(
  program: Program,
  interpreter: Pyodide,
  calls: WaitedCalls,
  send: (message: FromProgramWorker) => void,
): Ended {
  const ask = (verb: string, args: readonly unknown[]): CallReply => calls.call(() => send({ kind: 'call', verb, args }))
  let underWayBytes = 0
  const print = (channel: Channel, bytes: Uint8Array): number => {
    underWayBytes += bytes.length
    send({ kind: 'output', channel, bytes: bytes.slice() })
    if (underWayBytes >= maxOutputBytes) {
      ask('flush', [])
      underWayBytes = 0
    }
    return bytes.length
  }
  const complain = (message: string): void => void print('stderr', encoder.encode(`python3: ${message}\n`))
  interpreter.setStdin({ read: inputReader(ask), isatty: false })
  interpreter.setStdout({ write: bytes => print('stdout', bytes), isatty: false })
  interpreter.setStderr({ write: bytes => print('stderr', bytes), isatty: false })
  const { FS } = interpreter
  let writeAll = (): void => undefined
  const save = (): boolean => {
    try {
      writeAll()
      return true
    } catch {
      complain('a file that the program had open could not be written')
      return false
    }
  }
  addCalls(FS, {
    sleep: milliseconds => calls.sleep(milliseconds),
    exit: code => {
      const isSaved = save()
      send({ kind: 'exit', code: isSaved ? code : 1, isReusable: false })
      // The worker is ended from outside.
      for (;;) calls.sleep(1_000_000)
    },
  })
  writeAll = mountWorkspace(FS, ask, complain)
  beginIn(FS, program.cwd)
  const openRealm = closeRealm()
  try {
    const code = interpreter.runPython(`run(${JSON.stringify(JSON.stringify(program))})`)
    const isSaved = save()
    return { code: isSaved ? Number(code) : 1, isReusable: true }
  } catch (error) {
    save()
    complain(`the interpreter has failed: ${messageOf(error)}`)
    return { code: 134, isReusable: false }
  } finally {
    openRealm()
  }
}

/** Where the directory was removed, the program starts, and fails where it asks for its directory or for a relative path. */
function beginIn(fs: EmscriptenFs, directory: string): void {
  fs.currentPath = directory
  try {
    fs.chdir(directory)
  } catch {
    fs.cwd = () => {
      fs.chdir(fs.currentPath)
      return fs.currentPath
    }
  }
}

function inputReader(ask: (verb: string, args: readonly unknown[]) => CallReply): (buffer: Uint8Array) => number {
  let rest = new Uint8Array()
  return buffer => {
    if (rest.length === 0) {
      const reply = ask('stdin', [])
      if (reply.kind !== 'bytes') throw new Error(reply.kind === 'failure' ? reply.message : 'the input could not be read')
      rest = new Uint8Array(reply.bytes)
    }
    const piece = rest.subarray(0, buffer.length)
    buffer.set(piece)
    rest = rest.subarray(piece.length)
    return piece.length
  }
}

/** Adds the device that Python writes its wishes to. It is made below the library, which stays reachable. */
function addCalls(
  fs: EmscriptenFs,
  { sleep, exit }: { sleep: (milliseconds: number) => void; exit: (code: number) => void },
): void {
  const device = fs.makedev(90, 0)
  fs.registerDevice(device, {
    write: (_stream, buffer, offset, length) => {
      const [verb, value = ''] = decoder
        .decode(new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length).slice())
        .split(' ')
      if (verb === 'sleep') sleep(Number(value) * 1000)
      if (verb === 'exit') exit(Number(value))
      return length
    },
  })
  fs.mkdev(callsPath, 0o666, device)
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
