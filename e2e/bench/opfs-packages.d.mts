// Of their types what the benchmark uses.

interface Files {
  mkdir(path: string): Promise<unknown>
  writeFile(path: string, content: Uint8Array): Promise<unknown>
  readFile(path: string): Promise<unknown>
  rename(from: string, to: string): Promise<unknown>
}

interface Mounted {
  sync(): Promise<void>
}

export declare const LightningFS: new (name: string) => { readonly promises: Files & { flush(): Promise<void> } }
export declare const zen: { umount(path: string): void; mount(path: string, mounted: Mounted): void; readonly promises: Files }
export declare function resolveMountConfig(options: object): Promise<Mounted>
export declare const IndexedDB: object
export declare const WebAccess: object
