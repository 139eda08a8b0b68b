import { createInflate, type Inflate } from "node:zlib";

/** The words of the compression dictionary of SPDY/3. Each is preceded by its length. */
const words = [
  "options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow",
  "authorization cache-control connection content-base content-encoding content-language content-length",
  "content-location content-md5 content-range content-type date etag expect expires from host if-match",
  "if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma",
  "proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade",
  "user-agent vary via warning www-authenticate method get status",
]
  .join(" ")
  .split(" ");

/** The end of the dictionary: values of headers, without lengths. */
const values = [
  "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505",
  "203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized",
  "403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailable",
  "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT",
  "chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,",
  "text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.",
].join("");

/** Returns the dictionary, which both ends of a connection compress their headers with. */
export function spdyDictionary(): Buffer {
  const sized = (text: string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, Buffer.from(text, "latin1")]);
  };
  const listed = [...words, "200 OK", "version", "HTTP/1.1", "url", "public", "set-cookie", "keep-alive", "origin"];
  return Buffer.concat([...listed.map(sized), Buffer.from(values, "latin1")]);
}

/** The size of a block that no client needs, compressed or not. */
const tooLarge = 64 * 1024;

/** Decompresses the header blocks of one direction of a connection, which are one stream. */
export class HeaderReader {
  private readonly inflate: Inflate = createInflate({ dictionary: spdyDictionary() });
  private chunks: Buffer[] = [];
  private size = 0;
  /** Rejects the block that is being read. */
  private fail: (error: Error) => void = () => {};

  constructor() {
    // An error without a listener would end the process.
    this.inflate.on("error", (error) => this.fail(error));
    this.inflate.on("close", () => this.fail(new Error("the connection has ended")));
    this.inflate.on("data", (chunk: Buffer) => {
      this.size += chunk.length;
      if (this.size >= tooLarge) this.inflate.destroy(new Error("the headers are too large"));
      else this.chunks.push(chunk);
    });
  }

  /** Reads a block. Names are in lower case. */
  async read(block: Uint8Array): Promise<Map<string, string>> {
    if (block.length >= tooLarge) throw new Error("the headers are too large");
    [this.chunks, this.size] = [[], 0];
    await new Promise<void>((resolve, reject) => {
      this.fail = reject;
      this.inflate.write(block, (error) => {
        const cause = error ?? this.inflate.errored;
        if (cause) reject(cause);
        else resolve();
      });
    });
    return parseBlock(Buffer.concat(this.chunks));
  }

  close(): void {
    this.inflate.destroy();
  }
}

function parseBlock(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let offset = 4;
  const next = (): string => {
    const length = bytes.readUInt32BE(offset);
    offset += 4 + length;
    return bytes.toString("utf8", offset - length, offset);
  };
  for (let count = bytes.readUInt32BE(0); count > 0; count--) headers.set(next().toLowerCase(), next());
  return headers;
}

/** Writes empty header blocks. They are stored, not compressed, so that nothing is asynchronous. */
export class EmptyHeaderWriter {
  private isFirst = true;

  write(): Buffer {
    const zlibHeader = this.isFirst ? [0x78, 0x01] : [];
    this.isFirst = false;
    const noHeaders = [0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0];
    // Decompressors pass on their output at an empty block.
    const flush = [0, 0, 0, 0xff, 0xff];
    return Buffer.from([...zlibHeader, ...noHeaders, ...flush]);
  }
}
