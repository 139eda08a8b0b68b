import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { createProgram } from "../../../src/cli/program.ts";
import { memoryIo } from "./memory-io.ts";

describe("main", () => {
  it("prints results on stdout and exits with 0", async () => {
    const io = memoryIo();
    expect(await main(["version", "--output", "json"], io)).toBe(0);
    expect(JSON.parse(io.out())).toMatchObject({ version: expect.stringMatching(/^v\d/), node: "v20.19.0" });
    expect(io.err()).toBe("");
  });

  it.each([
    ["18.20.4", 1],
    ["20.18.3", 1],
    ["20.19.0", 0],
    ["22.0.0", 0],
  ])("runs under Node %s with exit code %i", async (nodeVersion, code) => {
    const io = { ...memoryIo(), nodeVersion };
    expect(await main(["version"], io)).toBe(code);
  });

  it("prints the command tree and a life cycle for --help", async () => {
    const io = memoryIo();
    expect(await main(["--help"], io)).toBe(0);
    expect(io.out()).toMatch(/\n {2}create api \[options\] +add a kind/);
    expect(io.out()).toMatch(/\n {2}generate kustomize manifests \[options\] +write/);
    expect(io.out()).toContain("tsop init --domain example.com");
    expect(io.out()).not.toContain("__complete");
  });

  it.each(["--version", "-v"])("prints the version for %s", async (flag) => {
    const [io, command] = [memoryIo(), memoryIo()];
    expect(await main([flag], io)).toBe(0);
    await main(["version"], command);
    expect(io.out()).toBe(command.out());
  });

  it("shows the help of the whole command that follows help", async () => {
    const io = memoryIo();
    expect(await main(["help", "create", "api"], io)).toBe(0);
    expect(io.out()).toContain("Usage: tsop create api [options]");
  });

  it("says how to start a project in a folder", async () => {
    const io = memoryIo();
    expect(await main(["init", "my-operator"], io)).toBe(2);
    expect(io.err()).toContain("\n(init works in the current folder: mkdir my-operator && cd my-operator && tsop init");
    expect(io.disk.files.size).toBe(0);
  });

  it("states each default once", async () => {
    const io = memoryIo();
    expect(await main(["create", "webhook", "--help"], io)).toBe(0);
    expect(io.out()).toMatch(/--spoke <versions> [^-]*\(default: all\s+others\)\n/);
  });

  it.each([
    ["alpha config-gen", "make build-installer"],
    ["alpha update", "tsop update"],
    ["run packagemanifests packagemanifests", "CatalogSource"],
  ])("says what to use instead of %s", async (line, instead) => {
    const io = memoryIo();
    expect(await main(line.split(" "), io)).toBe(1);
    expect(io.err()).toContain("[TSOP_COMMAND_ABSENT]");
    expect(io.err()).toContain(instead);
  });

  it("prints help on stderr and exits with 2 without a command", async () => {
    const io = memoryIo();
    expect(await main([], io)).toBe(2);
    expect(io.out()).toBe("");
    expect(io.err()).toContain("Usage: tsop");
  });

  it.each([
    [["creat", "api"], "unknown command 'creat'\n(Did you mean create?)"],
    [["vesion", "--help"], "unknown command 'vesion'\n(Did you mean version?)"],
    [["create", "apis", "-h"], "unknown command 'apis'\n(Did you mean api?)"],
    [["vesion"], "unknown command 'vesion'\n(Did you mean version?)"],
    [["version", "--outptu", "json"], "unknown option '--outptu'\n(Did you mean --output?)"],
    [["version", "--output", "yaml"], "Allowed choices are text, json."],
  ])("explains %j and exits with 2", async (argv, text) => {
    const io = memoryIo();
    expect(await main(argv, io)).toBe(2);
    expect(io.err()).toContain(text);
    expect(io.err()).toContain("(run with --help for usage)");
  });

  it("says what to use instead of operator-sdk's --verbose", async () => {
    const io = memoryIo();
    expect(await main(["version", "--verbose"], io)).toBe(2);
    expect(io.err()).toContain("--zap-log-level=debug");
  });

  it("rejects an old Node", async () => {
    const io = { ...memoryIo(), nodeVersion: "20.9.0" };
    expect(await main(["version"], io)).toBe(1);
    expect(io.err()).toContain("TSOP_NODE_TOO_OLD");
  });

  it("treats an unexpected error after Ctrl-C as its consequence", async () => {
    const io = memoryIo();
    const stopped = new Error("The service was stopped: write EPIPE");
    const broken = { ...io, signal: AbortSignal.abort(), disk: { ...io.disk, read: () => Promise.reject(stopped) } };
    expect(await main(["version"], broken)).toBe(130);
    expect(io.err()).toBe("interrupted\n");
  });

  it("recognizes a parser built for another system", async () => {
    const io = memoryIo();
    const missing = new Error("Cannot find native binding. npm has a bug related to optional dependencies");
    const broken = { ...io, disk: { ...io.disk, read: () => Promise.reject(missing) } };
    expect(await main(["version"], broken)).toBe(1);
    expect(io.err()).toContain(`is not installed for ${process.platform}-${process.arch}  [TSOP_PARSER_MISSING]`);
  });

  it("recognizes a full disk, such as the one with the temporary files", async () => {
    const io = memoryIo();
    const full = new Error("ENOSPC: no space left on device, write");
    const broken = { ...io, disk: { ...io.disk, read: () => Promise.reject(full) } };
    expect(await main(["version"], broken)).toBe(1);
    expect(io.err()).toMatch(/^error: the disk is full: ENOSPC: no space.* {2}\[TSOP_DISK_FULL\]\nhint: .*TMPDIR/);
  });

  it("prints the stack of an unexpected error and exits with 70", async () => {
    const io = memoryIo();
    const broken = { ...io, disk: { ...io.disk, read: () => Promise.reject(new RangeError("odd")) } };
    expect(await main(["version"], broken)).toBe(70);
    expect(io.err()).toContain("RangeError: odd\n    at ");
    expect(io.err()).toContain("bug in tsop");
  });
});

const program = await createProgram(memoryIo());

describe("every command", () => {
  /** Paths of the commands, each with its required flags. */
  const leaves = (command: Command): { path: string[]; required: string[] }[] =>
    command.commands
      .filter((child) => child.name() !== "__complete" && child.name() !== "help")
      .flatMap((child) => {
        const required = child.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long!, "x"]);
        const below = child.commands.length > 0 ? leaves(child) : [{ path: [], required }];
        return below.map((leaf) => ({ ...leaf, path: [child.name(), ...leaf.path] }));
      });
  const commands = leaves(program).map((leaf) => [leaf.path.join(" "), leaf] as const);

  it.each(commands)(
    "%s rejects an unknown flag with 2, which says of a plan and of roles that there is something to see",
    async (name, leaf) => {
      const io = memoryIo();
      expect(await main([...leaf.path, ...leaf.required, "--no-such-flag"], io)).toBe(
        ["plan", "roles"].includes(name) ? 1 : 2,
      );
      expect(io.err()).toContain("--no-such-flag");
    },
  );

  it.each(commands)("%s has examples in its help", async (_name, { path }) => {
    const io = memoryIo();
    expect(await main([...path, "--help"], io)).toBe(0);
    expect(io.out()).toMatch(/Examples?:\n {2}/);
    expect(io.out(), "a default in milliseconds, which no flag accepts").not.toMatch(/default: \d+000\)/);
  });
});
