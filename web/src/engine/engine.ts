/**
 * Calls of the engine: the core of heapview as WebAssembly, which opens files and answers API paths like the server. The
 * protocol is described in `engine/src/lib.rs`. Synchronous and without DOM, for workers and for Node.
 */

/** A file to open; its pieces are read one by one, so that a large one need not be in memory twice. */
export interface EngineFile {
  readonly name: string;
  readonly size: number;
  readonly pieces: Iterable<Uint8Array>;
}

/** What the engine reads and reports while it works: the functions that it imports. */
export interface EnginePage {
  /** Fills `into` with bytes of the attached file with this number from `offset` on; returns how many there are. */
  readonly read: (file: number, offset: number, into: Uint8Array) => number;
  /** Receives JSON: what is done now (`text`), and how far (`done` of `total`). */
  readonly progress: (json: string) => void;
}

/** An answer; its bytes are a copy. */
export interface EngineReply {
  readonly status: number;
  readonly contentType: string;
  /** Empty if the answer is not a file to keep. */
  readonly fileName: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Exhausted memory or a defect ended the engine: the instance must be dropped. */
export class EngineError extends Error {
  constructor(
    message: string,
    readonly isOutOfMemory: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'EngineError';
  }
}

/** Indexes of words of the result; see `engine/src/lib.rs`. */
const MESSAGE = 7;
const NOT_ALLOCATED = 9;

export class Engine {
  readonly #exports: WebAssembly.Exports;
  readonly #memory: WebAssembly.Memory;
  readonly #result: number;

  /** Starts an instance. `secret` must be random: it keeps crafted files from slowing hash tables down. */
  constructor(module: WebAssembly.Module, secret: bigint, page: EnginePage = { read: () => 0, progress: () => undefined }) {
    const bytes = (address: number, length: number): Uint8Array => new Uint8Array(this.#memory.buffer, address >>> 0, length >>> 0);
    const read = (file: number, offset: bigint, length: number, address: number): number => {
      try {
        return page.read(file >>> 0, Number(BigInt.asUintN(64, offset)), bytes(address, length));
      } catch {
        // A file that was deleted or changed: the engine goes on without these bytes.
        return 0;
      }
    };
    const progress = (address: number, length: number): void => {
      page.progress(new TextDecoder().decode(bytes(address, length)));
    };
    this.#exports = new WebAssembly.Instance(module, { page: { read, progress } }).exports;
    const { memory } = this.#exports;
    if (!(memory instanceof WebAssembly.Memory)) throw new Error('the engine exports no memory');
    this.#memory = memory;
    this.#result = this.#call('start', secret);
  }

  /** Opens files in place of those before; the body of an answer other than 200 is an error of the API. */
  open(files: Iterable<EngineFile>): EngineReply {
    for (const { name, size, pieces } of files) {
      this.#pushText(name);
      this.#push(size, pieces);
    }
    this.#call('open');
    return this.#reply();
  }

  /** Answers a path such as `/api/v1/top?f=cache`. */
  answer(path: string): EngineReply {
    this.#pushText(path);
    this.#call('answer');
    return this.#reply();
  }

  /**
   * Attaches a binary or debug file of `size` bytes, which are read by the `read` of the page; files are numbered from 0 in the
   * order of these calls, refused ones too.
   */
  attach(name: string, size: number): EngineReply {
    this.#pushText(name);
    this.#call('attach', BigInt(size));
    return this.#reply();
  }

  /** Names the addresses of the open profile by the attached files. */
  symbolize(): EngineReply {
    this.#call('symbolize');
    return this.#reply();
  }

  /** Bytes of memory that the instance occupies; it never gives any back. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  #call(name: string, argument?: number | bigint): number {
    const call = this.#exports[name];
    if (typeof call !== 'function') throw new Error(`the engine exports no ${name}`);
    try {
      const value: unknown = argument === undefined ? call() : call(argument);
      return typeof value === 'number' ? value >>> 0 : 0;
    } catch (trap) {
      throw this.#failure(trap);
    }
  }

  #pushText(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.#push(bytes.length, [bytes]);
  }

  #push(size: number, pieces: Iterable<Uint8Array>): void {
    const address = size < 2 ** 32 ? this.#call('push', size) : 0;
    if (address === 0) throw outOfMemory(size);
    let filled = 0;
    for (const piece of pieces) {
      if (filled + piece.length > size) throw new RangeError('the pieces of a file are longer than the file');
      new Uint8Array(this.#memory.buffer, address + filled, piece.length).set(piece);
      filled += piece.length;
    }
    if (filled < size) throw new RangeError('the pieces of a file are shorter than the file');
  }

  #word(index: number): number {
    return new DataView(this.#memory.buffer).getUint32(this.#result + 4 * index, true);
  }

  /** The bytes whose address and length are in two words. */
  #bytes(index: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#word(index + 1));
    bytes.set(new Uint8Array(this.#memory.buffer, this.#word(index), bytes.length));
    return bytes;
  }

  #text(index: number): string {
    return new TextDecoder().decode(this.#bytes(index));
  }

  #reply(): EngineReply {
    return { status: this.#word(0), contentType: this.#text(1), fileName: this.#text(3), body: this.#bytes(5) };
  }

  #failure(trap: unknown): EngineError {
    const message = this.#text(MESSAGE);
    const bytes = this.#word(NOT_ALLOCATED);
    if (bytes > 0) return outOfMemory(bytes);
    return new EngineError(message === '' ? String(trap) : message, false, trap);
  }
}

function outOfMemory(bytes: number): EngineError {
  return new EngineError(`not enough memory: ${(bytes / 1e6).toFixed(1)} MB more are needed`, true);
}

/** A file whose bytes are in memory. */
export function fileOf(name: string, bytes: Uint8Array): EngineFile {
  return { name, size: bytes.length, pieces: [bytes] };
}
