import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { main } from "../../../../src/cli/main.ts";
import { memoryIo, type MemoryIo, type MemoryIoOptions } from "../../cli/memory-io.ts";

const olm = fileURLToPath(new URL("..", import.meta.url));
const names = readdirSync(join(olm, "cases/packages"));

describe("tsop pkgman-to-bundle", () => {
  it.each(names)("writes the files of operator-sdk: %s", async (name) => {
    const io = packageIo(name);
    expect(await main(["pkgman-to-bundle", "old"], io), io.err()).toBe(0);
    const recorded = Object.entries(filesOf(join("recorded/packages", name)));
    expect(bundlesIn(io)).toEqual(Object.fromEntries(recorded.map(([path, text]) => [path, quoteNumber(text)])));
  });

  it("says which versions go to the default channel", async () => {
    const io = packageIo("channels");
    await main(["pkgman-to-bundle", "old"], io);
    expect(io.err()).toContain("warning: no channel names etcd.v0.6.1: its bundle is in the default channel beta\n");
    expect(io.err()).not.toContain("no channel names etcd.v0.9");
  });

  // The commands that operator-sdk runs, each in the folder of its bundle.
  it.each([
    [[], "docker build -f bundle.Dockerfile -t q.io/a/b:VERSION ."],
    [
      ["--build-cmd", "podman build -f bundle.Dockerfile . -t"],
      "podman build -f bundle.Dockerfile . -t q.io/a/b:VERSION",
    ],
  ])("builds the images: %j", async (flags, command) => {
    const io = packageIo("channels");
    expect(await main(["pkgman-to-bundle", "old", "--image-tag-base", "q.io/a/b", ...flags], io), io.err()).toBe(0);
    expect(io.ran).toEqual(["0.6.1", "0.9.0", "0.9.2"].map((version) => command.replace("VERSION", version)));
  });

  it("stops at the first image that can't be built", async () => {
    const io = packageIo("channels", { run: () => ({ exitCode: 3 }) });
    expect(await main(["pkgman-to-bundle", "old", "--image-tag-base", "q.io/a/b"], io)).toBe(1);
    expect(io.err()).toContain("TSOP_IMAGE_BUILD");
    expect(io.ran).toHaveLength(1);
  });

  it("prints a diff and builds nothing with --dry-run", async () => {
    const io = packageIo("channels");
    expect(await main(["pkgman-to-bundle", "old", "--image-tag-base", "q.io/a/b", "--dry-run"], io)).toBe(0);
    expect(io.out()).toContain("bundles/bundle-0.9.0/bundle/metadata/annotations.yaml");
    expect(bundlesIn(io)).toEqual({});
    expect(io.ran).toEqual([]);
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ["no package", { "etcd.package.yaml": undefined }, "has no NAME.package.yaml"],
    ["two packages", { "b.package.yaml": "packageName: b\n" }, "more than one package: b.package.yaml"],
    ["a package that is a list", { "etcd.package.yaml": "[]\n" }, "etcd.package.yaml"],
    ["a package without a name", { "etcd.package.yaml": "defaultChannel: a\n" }, "has no packageName"],
    ["a package without a default channel", { "etcd.package.yaml": "packageName: a\n" }, "has no defaultChannel"],
    ["a version without a CSV", { "0.9.0/etcd.clusterserviceversion.yaml": undefined }, "TSOP_BUNDLE_NO_CSV"],
    [
      "a version with two CSVs",
      { "0.9.0/b.yaml": readCase("0.9.2/etcd.clusterserviceversion.yaml") },
      "TSOP_BUNDLE_CSVS",
    ],
    ["a folder in a version", { "0.9.0/more/a.yaml": "a: b\n" }, "0.9.0/more/a.yaml"],
    ["a file that is no object", { "0.9.0/readme.md": "hello\n" }, "0.9.0/readme.md"],
    [
      "two configurations of scorecard",
      { "0.9.0/s.yaml": scorecard(), "0.9.0/t.yaml": scorecard() },
      "/p/old/0.9.0/t.yaml",
    ],
    ["an existing output", { "../bundles/mine.txt": "mine\n" }, "TSOP_OUTPUT_EXISTS"],
  ])("rejects %s and writes nothing", async (_, changes, error) => {
    const io = packageIo("channels");
    for (const [path, text] of Object.entries(changes)) {
      const file = join("/p/old", path);
      if (text === undefined) await io.disk.remove(file);
      else {
        await io.disk.makeFolder(dirname(file));
        await io.disk.write(file, text);
      }
    }
    const before = new Map(io.disk.files);
    expect(await main(["pkgman-to-bundle", "old"], io)).toBe(1);
    expect(io.err()).toContain(error);
    expect(io.disk.files).toEqual(before);
  });

  it("needs the name of the image to build one", async () => {
    const io = packageIo("channels");
    expect(await main(["pkgman-to-bundle", "old", "--build-cmd", "podman"], io)).toBe(2);
    expect(io.err()).toContain("--build-cmd needs --image-tag-base");
  });
});

/** operator-sdk writes the channel 4.6 as a number; annotations are texts. */
function quoteNumber(text: string): string {
  return text.replace(/(channel\.default\.v1: )(4\.6)$/m, '$1"$2"');
}

function packageIo(name: string, options: MemoryIoOptions = {}): MemoryIo {
  const files = Object.entries(filesOf(join("cases/packages", name)));
  return memoryIo({ ...options, files: Object.fromEntries(files.map(([path, text]) => [`/p/old/${path}`, text])) });
}

function bundlesIn({ disk }: MemoryIo): Record<string, string> {
  const root = "/p/bundles/";
  const files = [...disk.files].filter(([path]) => path.startsWith(root));
  return Object.fromEntries(files.map(([path, text]) => [path.slice(root.length), text]));
}

function filesOf(folder: string): Record<string, string> {
  const files = readdirSync(join(olm, folder), { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(join(olm, folder).length + 1));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(olm, folder, path), "utf8")]));
}

function readCase(path: string): string {
  return readFileSync(join(olm, "cases/packages/channels", path), "utf8");
}

function scorecard(): string {
  return readFileSync(join(olm, "cases/packages/scorecard/1.0.0/scorecard.yaml"), "utf8");
}
