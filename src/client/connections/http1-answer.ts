/** The status and headers of a response. */
export interface Http1Head {
  readonly status: number;
  /** Names in lower case; a repeated header is joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A complete response. */
export interface Http1Answer extends Http1Head {
  readonly body: readonly Buffer[];
  /** True if the connection can carry another request. */
  readonly keep: boolean;
}

const [newline, carriageReturn] = [10, 13];
/** The limit of Node's own parser; for trailers, too. */
const maxHead = 16 * 1024;
/** Informational responses before the final one. A server sends one or two. */
const maxInformational = 20;

/** Reads the responses of a connection, one after the other. Throws if the bytes are not HTTP/1.1. */
export class Http1AnswerReader {
  /** The expected part; `all` is a body that ends with the connection. */
  private state: "head" | "fixed" | "size" | "chunk" | "chunkEnd" | "trailer" | "all" = "head";
  /** An incomplete head or line. */
  private rest: Buffer | undefined;
  private status = 0;
  private headers: Record<string, string> = {};
  /** Set until `takeHead` returns it. */
  private newHead: Http1Head | undefined;
  private keep = true;
  private body: Buffer[] = [];
  /** The missing bytes of the body or of its chunk. */
  private missing = 0;
  private informational = 0;
  private trailerBytes = 0;

  /** Reports whether the head of the current response is complete. */
  get isInBody(): boolean {
    return this.status > 0;
  }

  /** Returns the response that these bytes complete, if any. */
  push(bytes: Buffer): Http1Answer | undefined {
    let rest: Buffer | undefined = this.rest ? Buffer.concat([this.rest, bytes]) : bytes;
    this.rest = undefined;
    while (rest !== undefined) {
      rest = this.step(rest);
      if (rest && this.state === "head" && this.status >= 200) return this.finish(rest);
    }
    return undefined;
  }

  /** Returns the response that the end of the connection completes, if any. */
  end(): Http1Answer | undefined {
    return this.state === "all" ? this.finish(Buffer.alloc(0)) : undefined;
  }

  /** Returns the head of a response once, as soon as it is complete. */
  takeHead(): Http1Head | undefined {
    const head = this.newHead;
    this.newHead = undefined;
    return head;
  }

  /** Returns the received part of the body and removes it from the response. */
  takeBody(): readonly Buffer[] {
    const body = this.body;
    this.body = [];
    return body;
  }

  /** Reads one part and returns the remaining bytes; `undefined` if more are needed. */
  private step(bytes: Buffer): Buffer | undefined {
    const state = this.state;
    if (state === "head") return this.readHead(bytes);
    if (state === "fixed" || state === "chunk") return this.readBody(bytes);
    if (state === "size") return this.readLine(this.takeChunks(bytes));
    if (state !== "all") return this.readLine(bytes);
    this.body.push(bytes);
    return undefined;
  }

  private readHead(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0 ? bytes.length > maxHead : end > maxHead) throw broken("its headers are too long");
    if (end < 0) return this.wait(bytes);
    const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
    const [, minor, status] = /^HTTP\/1\.([01]) ([1-9]\d{2})(?: |$)/.exec(first) ?? [];
    if (!minor || !status) throw broken("it has no status line");
    const left = bytes.subarray(end + 4);
    if (status === "101") throw broken("it switches the protocol");
    // An informational response; the final one follows.
    if (status.startsWith("1")) {
      if (++this.informational > maxInformational) throw broken("it has too many informational responses");
      return left;
    }
    this.status = Number(status);
    this.headers = parseHeaders(lines);
    this.newHead = { status: this.status, headers: this.headers };
    const { connection = minor === "1" ? "" : "close" } = this.headers;
    this.keep = !/\bclose\b/i.test(connection);
    this.expectBody();
    return left;
  }

  private expectBody(): void {
    const { "transfer-encoding": encoding, "content-length": length } = this.headers;
    if (this.status === 204 || this.status === 304) return;
    if (encoding !== undefined) {
      if (encoding.toLowerCase() !== "chunked") throw broken(`its transfer-encoding is ${encoding}`);
      this.state = "size";
    } else if (length === undefined) {
      this.keep = false;
      this.state = "all";
    } else {
      if (!/^\d+$/.test(length)) throw broken(`its content-length is ${length}`);
      this.missing = Number(length);
      if (this.missing > 0) this.state = "fixed";
    }
  }

  private readBody(bytes: Buffer): Buffer | undefined {
    if (bytes.length === 0) return undefined;
    const part = bytes.length <= this.missing ? bytes : bytes.subarray(0, this.missing);
    this.body.push(part);
    this.missing -= part.length;
    if (this.missing > 0) return undefined;
    this.state = this.state === "fixed" ? "head" : "chunkEnd";
    return bytes.subarray(part.length);
  }

  /** Reads the chunks that are complete, as the events of a watch usually are. */
  private takeChunks(bytes: Buffer): Buffer {
    for (let at = 0; ;) {
      const line = bytes.indexOf(newline, at);
      // The text before a line end that has not come is empty.
      const size = plainSize(bytes.toString("latin1", at, line));
      const end = line + 1 + size;
      if (size === 0 || bytes[end] !== carriageReturn || bytes[end + 1] !== newline) return bytes.subarray(at);
      this.body.push(bytes.subarray(line + 1, end));
      at = end + 2;
    }
  }

  private readLine(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf(newline);
    if (this.state === "trailer") {
      if (this.trailerBytes + (end < 0 ? bytes.length : end) > maxHead) throw broken("its trailers are too long");
      this.trailerBytes += end + 1;
    } else if (end < 0 ? bytes.length > maxHead : end > maxHead) throw broken("a chunk has no size");
    if (end < 0) return this.wait(bytes);
    const line = bytes.toString("latin1", 0, end).trimEnd();
    if (this.state === "size") {
      const [, size] = /^([0-9a-f]{1,12})(?:;|$)/i.exec(line) ?? [];
      if (!size) throw broken("a chunk has no size");
      this.missing = Number.parseInt(size, 16);
      this.state = this.missing > 0 ? "chunk" : "trailer";
    } else if (this.state === "chunkEnd") {
      if (line) throw broken("a chunk is longer than its size");
      this.state = "size";
    } else if (!line) this.state = "head";
    return bytes.subarray(end + 1);
  }

  private wait(bytes: Buffer): undefined {
    if (bytes.length > 0) this.rest = bytes;
  }

  private finish(left: Buffer): Http1Answer {
    const status = this.status;
    const headers = this.headers;
    const body = this.body;
    const keep = this.keep;
    this.state = "head";
    this.status = 0;
    this.body = [];
    this.informational = 0;
    this.trailerBytes = 0;
    // Bytes after the response could be taken for the next one.
    return { status, headers, body, keep: keep && left.length === 0 };
  }
}

/** Returns 0 if the line is not a plain size. */
function plainSize(line: string): number {
  return /^[0-9a-f]{1,12}\r$/i.test(line) ? Number.parseInt(line, 16) : 0;
}

function parseHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) throw broken("a header has no name");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const known = headers[name];
    headers[name] = known === undefined ? value : `${known}, ${value}`;
  }
  return headers;
}

/** Returns the error of a response that breaks the rules of its protocol. */
export function broken(why: string, protocol: string = "HTTP/1.1"): Error {
  return Object.assign(new Error(`the response is not ${protocol}: ${why}`), { code: "HPE_INVALID" });
}
