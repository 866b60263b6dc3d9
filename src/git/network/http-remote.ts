// A repository behind git's smart HTTP protocol, version 0: lists references, fetches a pack, pushes one.

import { joinBytes } from '../../core/bytes.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { fatal } from '../errors.ts'
import type { GitEnvironment } from '../repository.ts'
import { isObjectId, type ObjectId, zeroId } from '../store/object-format.ts'
import { checkedAddress } from './guard.ts'
import { defaultMaxBytes, type GitCredentials, type GitNetworkOptions, type GitProgressListener } from './options.ts'
import type { FetchedResponse } from '../../resources/host.ts'
import { flushPacket, packet, PacketReader } from './packets.ts'
import type { Advertised, FetchedPack, PushedRef, Remote, RemoteService, Shallowness } from './remote.ts'
import { pushAll } from '../../core/many.ts'

const maxRedirects = 5
const defaultTimeoutMs = 300_000
const agent = 'agent=git/2.39.5.anchorage'

export class HttpRemote implements Remote {
  readonly #base: string
  readonly #options: GitNetworkOptions
  readonly #signal: AbortSignal
  readonly #progress: GitProgressListener | undefined
  #credentials: GitCredentials | undefined
  #capabilities: readonly string[] = []

  constructor(url: string, { network: options, signal, progress }: Pick<GitEnvironment, 'network' | 'signal' | 'progress'>) {
    this.#progress = progress
    this.#base = checkedAddress(url, options).replace(/\/+$/, '')
    if (options === undefined) throw fatal('the network is off')
    this.#options = options
    this.#signal = signal
  }

  async advertised(service: RemoteService): Promise<Advertised> {
    if (service === 'git-receive-pack' && this.#options.push === false)
      throw this.#unable(
        'this workspace may not push, or the command is reviewed after it has run; the host can push with openGit',
      )
    const bytes = await this.#request('GET', `/info/refs?service=${service}`, `application/x-${service}-advertisement`)
    const reader = new PacketReader(bytes)
    if (reader.nextText() !== `# service=${service}`)
      throw fatal(`invalid server response; got something else than the service ${service}`)
    reader.next()
    const refs = new Map<string, ObjectId>()
    this.#capabilities = []
    for (let line = reader.nextText(); line !== undefined; line = reader.isAtEnd ? undefined : reader.nextText()) {
      const [row = '', told] = line.split('\0')
      if (told !== undefined) this.#capabilities = told.trim().split(' ')
      const [oid, name] = [row.slice(0, 40), row.slice(41)]
      if (row.startsWith('ERR ')) throw fatal(`remote error: ${row.slice(4)}`)
      if (isObjectId(oid) && name !== '' && name !== 'capabilities^{}') refs.set(name, oid)
    }
    const head = this.#capabilities.find(text => text.startsWith('symref=HEAD:'))?.slice('symref=HEAD:'.length)
    return { refs, head }
  }

  async fetchPack(wants: readonly ObjectId[], haves: readonly ObjectId[], { shallow, depth }: Shallowness): Promise<FetchedPack> {
    if (depth?.isRelative && !this.#capabilities.includes('deepen-relative')) throw fatal('Server does not support --deepen')
    const body: Uint8Array[] = wants.map((oid, index) =>
      packet(
        `want ${oid}${index === 0 ? ` ofs-delta side-band-64k no-progress include-tag${depth?.isRelative ? ' deepen-relative' : ''} ${agent}` : ''}\n`,
      ),
    )
    for (const oid of shallow) body.push(packet(`shallow ${oid}\n`))
    if (depth !== undefined) body.push(packet(`deepen ${depth.commits}\n`))
    pushAll(body, [flushPacket, ...haves.map(oid => packet(`have ${oid}\n`)), packet('done\n')])
    const reader = new PacketReader(await this.#post('git-upload-pack', joinBytes(body)))
    const cut: { shallow: ObjectId[]; unshallow: ObjectId[] } = { shallow: [], unshallow: [] }
    if (depth !== undefined) {
      for (let line = reader.nextText(); line !== undefined; line = reader.nextText()) {
        const [kind, oid = ''] = line.split(' ')
        if (kind === 'shallow' || kind === 'unshallow') cut[kind].push(oid)
      }
    }
    const answer = reader.nextText()
    if (answer === undefined || !/^(?:NAK|ACK )/.test(answer))
      throw fatal(`git fetch-pack: expected ACK/NAK, got '${answer ?? ''}'`)
    return { pack: reader.channel(), ...cut }
  }

  async push(refs: readonly PushedRef[], pack: Uint8Array | undefined): Promise<ReadonlyMap<string, string>> {
    const body = refs.map(({ name, before, after }, index) =>
      packet(`${before} ${after} ${name}${index === 0 ? `\0 report-status side-band-64k ${agent}` : ''}\n`),
    )
    body.push(flushPacket)
    if (pack !== undefined && refs.some(({ after }) => after !== zeroId)) body.push(pack)
    const bytes = joinBytes(body)
    this.#progress?.({ phase: 'send', doneCount: 0, totalCount: bytes.length })
    const outer = new PacketReader(await this.#post('git-receive-pack', bytes))
    this.#progress?.({ phase: 'send', doneCount: bytes.length, totalCount: bytes.length })
    const reader = new PacketReader(outer.channel())
    const unpacked = reader.nextText()
    if (unpacked !== 'unpack ok') throw fatal(`the remote could not take the pack: ${unpacked ?? 'no answer'}`)
    const refusedRefs = new Map<string, string>()
    for (
      let line = reader.isAtEnd ? undefined : reader.nextText();
      line !== undefined;
      line = reader.isAtEnd ? undefined : reader.nextText()
    ) {
      const [, name, reason] = /^ng (\S+) ?(.*)$/.exec(line) ?? []
      if (name !== undefined) refusedRefs.set(name, reason ?? '')
    }
    return refusedRefs
  }

  #post(service: RemoteService, body: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    return this.#request('POST', `/${service}`, `application/x-${service}-result`, {
      type: `application/x-${service}-request`,
      body,
    })
  }

  async #request(
    method: 'GET' | 'POST',
    path: string,
    expectedType: string,
    sent?: { readonly type: string; readonly body: Uint8Array<ArrayBuffer> },
  ): Promise<Uint8Array> {
    let address = this.#base + path
    for (let redirects = 0; ;) {
      const response = await this.#send(method, address, sent)
      if (response.status === 401 && this.#credentials === undefined) {
        this.#credentials = await this.#askedCredentials()
        continue
      }
      const location = response.headers.get('location')
      if (response.status >= 300 && response.status < 400 && location !== null) {
        const next = new URL(location, address)
        checkedAddress(next.href, this.#options)
        // Credentials are sent only to the server that was asked for, not to the target of a redirect.
        if (next.origin !== new URL(address).origin) this.#credentials = undefined
        if (++redirects > maxRedirects) throw this.#unable(`more than ${maxRedirects} redirects`)
        address = next.href
        continue
      }
      this.#refuseStatus(response.status)
      const type = response.headers.get('content-type')?.split(';')[0]?.trim()
      if (type !== expectedType) throw fatal(`${this.#base}/info/refs not valid: is this a git repository?`)
      return this.#read(response, method === 'POST')
    }
  }

  async #askedCredentials(): Promise<GitCredentials> {
    const unread = (reason: string): Error => fatal(`could not read Username for '${new URL(this.#base).origin}': ${reason}`)
    let given: GitCredentials | undefined
    try {
      given = await this.#options.credentials?.(this.#base)
    } catch (error) {
      this.#signal.throwIfAborted()
      throw unread(error instanceof Error ? error.message : 'the host failed')
    }
    if (given === undefined) throw unread('the host gave no credentials for it')
    if (typeof given?.username !== 'string' || typeof given.password !== 'string')
      throw unread('the credentials of the host need a username and a password')
    return given
  }

  #refuseStatus(status: number): void {
    if (status === 200) return
    if (status === 401) throw fatal(`Authentication failed for '${this.#base}/'`)
    if (status === 404) throw fatal(`repository '${this.#base}/' not found`)
    throw this.#unable(status === 0 ? 'redirects cannot be checked here' : `The requested URL returned error: ${status}`)
  }

  #unable(reason: string): Error {
    return fatal(`unable to access '${this.#base}/': ${reason}`)
  }

  async #send(
    method: 'GET' | 'POST',
    address: string,
    sent?: { readonly type: string; readonly body: Uint8Array<ArrayBuffer> },
  ): Promise<FetchedResponse> {
    const headers: Record<string, string> = {}
    if (sent !== undefined) headers['content-type'] = sent.type
    if (this.#credentials !== undefined) {
      const { username, password } = this.#credentials
      headers['authorization'] = `Basic ${btoa(String.fromCharCode(...encodeText(`${username}:${password}`)))}`
    }
    const proxy = this.#options.corsProxy
    const send = this.#options.fetch ?? (globalThis as { readonly fetch?: NonNullable<GitNetworkOptions['fetch']> }).fetch
    if (send === undefined) throw this.#unable('this platform has no fetch; the host gives one with git: { fetch }')
    const limit = AbortSignal.timeout(this.#options.timeoutMs ?? defaultTimeoutMs)
    try {
      return await send(proxy === undefined ? address : `${proxy.replace(/\/+$/, '')}/${address}`, {
        method,
        headers,
        ...(sent === undefined ? {} : { body: sent.body }),
        redirect: 'manual',
        signal: AbortSignal.any([this.#signal, limit]),
      })
    } catch (error) {
      this.#signal.throwIfAborted()
      if (limit.aborted) throw this.#unable('the server took too long')
      throw this.#unable(error instanceof Error ? error.message : 'the request failed')
    }
  }

  async #read(response: FetchedResponse, isTransfer: boolean): Promise<Uint8Array> {
    const maxBytes = this.#options.maxBytes ?? defaultMaxBytes
    const told = Number(response.headers.get('content-length') ?? 0)
    if (told > maxBytes) throw this.#unable(`the answer has ${told} bytes, more than the limit of ${maxBytes}`)
    const reader = response.body?.getReader()
    if (reader === undefined) return new Uint8Array()
    const parts: Uint8Array[] = []
    let length = 0
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      length += piece.value.length
      if (length > maxBytes) {
        await reader.cancel()
        throw this.#unable(`the answer has more than the limit of ${maxBytes} bytes`)
      }
      parts.push(piece.value)
      if (isTransfer) this.#progress?.({ phase: 'receive', doneCount: length, ...(told > 0 ? { totalCount: told } : {}) })
    }
    return joinBytes(parts, length)
  }
}
