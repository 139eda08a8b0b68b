import { posix } from "node:path";

/** A file or folder in an archive. The path of a folder ends in a slash. */
export interface TarEntry {
  readonly path: string;
  readonly body: Uint8Array;
  /** True if the file is a program. */
  readonly executable?: boolean;
}

const blockSize = 512;

/** Writes an archive whose bytes depend only on its entries and the time. */
export function writeTar(entries: readonly TarEntry[], time: Date): Buffer {
  const blocks = entries.flatMap((entry) => [
    ...longPathBlocks(entry.path, time),
    ...entryBlocks({ ...entry, type: entry.path.endsWith("/") ? "5" : "0" }, time),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]);
}

interface Block extends TarEntry {
  readonly type: "0" | "5" | "x";
}

function entryBlocks(block: Block, time: Date): Uint8Array[] {
  return [header(block, time), block.body, padding(block.body.length)];
}

/** Writes a path that is too long for the header in an entry of its own, as Go's writer does. */
function longPathBlocks(path: string, time: Date): Uint8Array[] {
  if (splitPath(path)) return [];
  const bytes = Buffer.byteLength(` path=${path}\n`);
  // The length includes its own digits.
  const length = bytes + String(bytes + String(bytes).length).length;
  const body = Buffer.from(`${length} path=${path}\n`);
  return entryBlocks({ path: `PaxHeaders.0/${posix.basename(path).slice(0, 50)}`, type: "x", body }, time);
}

/** A file, a folder or a link of an archive that was read. */
export interface TarMember extends TarEntry {
  readonly type: "file" | "folder" | "link" | "other";
}

/** Reads the regular files of an archive, as `readTarMembers` does. */
export function readTar(archive: Buffer, mostEntries?: number): TarEntry[] {
  return readTarMembers(archive, mostEntries).flatMap(({ type, path, body }) =>
    type === "file" ? [{ path, body }] : [],
  );
}

/**
 * Reads an archive. A path that leaves the archive's folder, a truncated archive, and more entries than `mostEntries`
 * are errors.
 */
export function readTarMembers(archive: Buffer, mostEntries: number = Infinity): TarMember[] {
  let entries = 0;
  const members: TarMember[] = [];
  let longPath: string | undefined;
  for (let at = 0; ;) {
    const block = archive.subarray(at, at + blockSize);
    if (block.length < blockSize) throw new Error("the archive is truncated");
    if (block.every((byte) => byte === 0)) return members;
    if (++entries > mostEntries) throw new Error("there are too many entries");
    checkSum(block);
    const size = octal(block, 124, 12);
    const body = archive.subarray(at + blockSize, at + blockSize + size);
    if (body.length < size) throw new Error("the archive is truncated");
    at += blockSize + Math.ceil(size / blockSize) * blockSize;
    const type = String.fromCharCode(block[156] ?? 0);
    if (type === "x") longPath = paxPath(body) ?? longPath;
    else if (type === "L") longPath = text(body, 0, body.length);
    else if (type !== "g" && type !== "K") {
      const [prefix, name] = [text(block, 345, 155), text(block, 0, 100)];
      const isUstar = text(block, 257, 6) === "ustar";
      const path = safePath(longPath ?? (isUstar && prefix ? `${prefix}/${name}` : name));
      longPath = undefined;
      members.push({ path, body, type: memberTypes[type] ?? "other" });
    }
  }
}

/** By the type flag of the header; the other ones are devices, pipes and extensions. */
const memberTypes: Readonly<Record<string, TarMember["type"]>> = {
  "0": "file",
  "\0": "file",
  "1": "link",
  "2": "link",
  "5": "folder",
};

/** The length of a path on Linux. */
const longestPath = 4_096;

/** Returns a path that stays below the root. */
function safePath(path: string): string {
  if (path.length > longestPath) throw new Error(`a path is longer than ${longestPath} characters`);
  const normal = posix.normalize(path.replace(/^\/+/, ""));
  if (normal === ".." || normal.startsWith("../")) throw new Error(`the path ${path} points outside the archive`);
  return normal.replace(/^\.\//, "");
}

function header({ path, type, body, executable = type === "5" }: Block, time: Date): Buffer {
  const block = Buffer.alloc(blockSize);
  const { prefix, name } = splitPath(path) ?? { prefix: "", name: Buffer.from(path).subarray(0, 100).toString() };
  block.write(name, 0, 100);
  block.write(`${type === "5" ? "0040" : "0100"}${executable ? "755" : "644"}\0`, 100);
  block.write("0000000\0".repeat(2), 108);
  block.write(`${body.length.toString(8).padStart(11, "0")}\0`, 124);
  block.write(
    `${Math.floor(time.getTime() / 1000)
      .toString(8)
      .padStart(11, "0")}\0`,
    136,
  );
  block.write(type, 156);
  block.write("ustar\x0000", 257);
  block.write(prefix, 345);
  block.write(`${sumOf(block).toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

/** Splits a path at a slash so that both parts fit into the header; `undefined` if no slash allows it. */
function splitPath(path: string): { prefix: string; name: string } | undefined {
  if (Buffer.byteLength(path) <= 100) return { prefix: "", name: path };
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)];
    if (name && Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155) return { prefix, name };
  }
  return undefined;
}

/** Adds all bytes of a header; the bytes of the sum itself count as spaces. */
function sumOf(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

function checkSum(block: Buffer): void {
  if (octal(block, 148, 8) !== sumOf(block)) throw damaged();
}

/** Reads a number without a sign: a negative size would lead back to entries that were read. */
function octal(block: Buffer, at: number, length: number): number {
  const digits = text(block, at, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw damaged();
  return Number.parseInt(digits || "0", 8);
}

function damaged(): Error {
  return new Error("it is not a tar archive, or it is damaged");
}

function text(block: Buffer, at: number, length: number): string {
  const bytes = block.subarray(at, at + length);
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end < 0 ? length : end).toString("utf8");
}

/** Reads the path of an extended header: `length path=value`. */
function paxPath(body: Buffer): string | undefined {
  return /^\d+ path=(.*)$/m.exec(body.toString("utf8"))?.[1];
}

function padding(size: number): Buffer {
  return Buffer.alloc((blockSize - (size % blockSize)) % blockSize);
}
