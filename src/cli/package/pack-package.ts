import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/**
 * Writes the npm tarball of a package: package.json, the documents npm always adds, and what `files` names. Does in
 * 0.3 s what `npm pack` takes 4 s for, which would be most of the time of `tsop init`.
 */
export async function packPackage(root: string, tarball: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { files: string[] };
  const folders = await Promise.all(manifest.files.map((name) => filesBelow(root, name)));
  const paths = ["package.json", "README.md", "LICENSE", ...folders.flat()].toSorted();
  const entries = await Promise.all(paths.map(async (path) => entry(path, await readFile(join(root, path)))));
  const end = Buffer.alloc(1024);
  await mkdir(dirname(tarball), { recursive: true });
  await writeFile(tarball, await promisify(gzip)(Buffer.concat([...entries.flat(), end]), { level: 1 }));
}

/** A folder, or the files in one that end alike: the two forms of `files` that package.json uses. */
async function filesBelow(root: string, pattern: string): Promise<string[]> {
  const [folder = "", end = ""] = pattern.split("/**/*");
  const found = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return found
    .filter((item) => item.isFile() && item.name.endsWith(end))
    .map((item) => join(item.parentPath, item.name).slice(root.length + 1));
}

/** A file in ustar format: a header block, then the bytes in blocks of 512. */
function entry(path: string, bytes: Buffer): Buffer[] {
  const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512);
  return [header(`package/${path}`, bytes.length, path.startsWith("bin/") ? 0o755 : 0o644), bytes, padding];
}

/** npm's own tarballs bear this time, so that equal packages have equal bytes. */
const packedAt = Date.UTC(1985, 9, 26, 8, 15) / 1000;

function header(path: string, size: number, mode: number): Buffer {
  const block = Buffer.alloc(512);
  const octal = (value: number, at: number, length: number): void =>
    void block.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1");
  const { prefix, name } = splitName(path);
  block.write(name, 0, "utf8");
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(packedAt, 136, 12);
  block.write("        ", 148, "latin1");
  block.write("0", 156, "latin1");
  block.write("ustar\u000000", 257, "latin1");
  block.write(prefix, 345, "utf8");
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
}

/** A name of over 100 bytes is parted at a slash. */
function splitName(path: string): { prefix: string; name: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: "", name: path };
  const slash = path.indexOf("/", path.length - 100);
  return { prefix: path.slice(0, slash), name: path.slice(slash + 1) };
}
