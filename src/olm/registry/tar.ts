import { posix } from "node:path";

/** A file or folder in an archive. The path of a folder ends in a slash. */
export interface TarEntry {
  readonly path: string;
  readonly body: Uint8Array;
}

const blockSize = 512;

/** Writes an archive that depends on nothing but its content and time. */
export function writeTar(entries: readonly TarEntry[], time: Date): Buffer {
  const blocks = entries.flatMap(({ path, body }) => [header(path, body.length, time), body, padding(body.length)]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]);
}

/** The regular files of an archive. One that leads out of the archive's folder, or is cut short, is an error. */
export function readTar(archive: Buffer): TarEntry[] {
  const entries: TarEntry[] = [];
  let longPath: string | undefined;
  for (let at = 0; ;) {
    const block = archive.subarray(at, at + blockSize);
    if (block.length < blockSize) throw new Error("the archive ends in the middle");
    if (block.every((byte) => byte === 0)) return entries;
    checkSum(block);
    const size = octal(block, 124, 12);
    const body = archive.subarray(at + blockSize, at + blockSize + size);
    if (body.length < size) throw new Error("the archive ends in the middle");
    at += blockSize + Math.ceil(size / blockSize) * blockSize;
    const type = String.fromCharCode(block[156] ?? 0);
    if (type === "x") longPath = paxPath(body) ?? longPath;
    else if (type === "L") longPath = text(body, 0, body.length);
    else {
      const [prefix, name] = [text(block, 345, 155), text(block, 0, 100)];
      const isUstar = text(block, 257, 6) === "ustar";
      const path = safePath(longPath ?? (isUstar && prefix ? `${prefix}/${name}` : name));
      longPath = undefined;
      if (type === "0" || type === "\0") entries.push({ path, body });
    }
  }
}

/** A path that stays below the root. */
function safePath(path: string): string {
  const normal = posix.normalize(path.replace(/^\/+/, ""));
  if (normal === ".." || normal.startsWith("../")) throw new Error(`the path ${path} leads out of the image`);
  return normal.replace(/^\.\//, "");
}

function header(path: string, size: number, time: Date): Buffer {
  const isFolder = path.endsWith("/");
  const block = Buffer.alloc(blockSize);
  const { prefix, name } = splitPath(path);
  block.write(name, 0);
  block.write(isFolder ? "0040755\0" : "0100644\0", 100);
  block.write("0000000\0".repeat(2), 108);
  block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  block.write(
    `${Math.floor(time.getTime() / 1000)
      .toString(8)
      .padStart(11, "0")}\0`,
    136,
  );
  block.write(isFolder ? "5" : "0", 156);
  block.write("ustar\x0000", 257);
  block.write(prefix, 345);
  block.write(`${sumOf(block).toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

/** Names are short in this format; a slash in the right place makes room for the rest. */
function splitPath(path: string): { prefix: string; name: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: "", name: path };
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)];
    if (name && Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155) return { prefix, name };
  }
  throw new Error(`the path ${path} is too long for an archive`);
}

/** The sum of all bytes, with the place of the sum itself as blanks. */
function sumOf(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

function checkSum(block: Buffer): void {
  if (octal(block, 148, 8) !== sumOf(block)) throw new Error("it is no tar archive, or a damaged one");
}

function octal(block: Buffer, at: number, length: number): number {
  return Number.parseInt(text(block, at, length).trim() || "0", 8);
}

function text(block: Buffer, at: number, length: number): string {
  const bytes = block.subarray(at, at + length);
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end < 0 ? length : end).toString("utf8");
}

/** The path in an extended header: `length path=value`. */
function paxPath(body: Buffer): string | undefined {
  return /^\d+ path=(.*)$/m.exec(body.toString("utf8"))?.[1];
}

function padding(size: number): Buffer {
  return Buffer.alloc((blockSize - (size % blockSize)) % blockSize);
}
