import { readFileSync, readdirSync, existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ceilingProblem, countLines } from "./architecture/ceilings.ts";
import { innerRooms, roomRows, totalCeilings } from "./architecture/room-table.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const src = join(root, "src");

/** Packages that an operator loads. */
const libraryPackages = ["js-yaml", "prom-client"];
/** Written by the build. */
const generated = "k8s";

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
  readonly lazy: boolean;
}

const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
const imports = new Map(files.map((path) => [path, readImports(readFileSync(join(src, path), "utf8"))]));

describe("architecture", () => {
  it("has exactly one row in the floor table for every room", () => {
    const listed = roomRows().flatMap(({ rooms }) => rooms);
    expect(listed.toSorted()).toEqual([...new Set([...files.map(roomOf), generated])].toSorted());
  });

  it("has no more lines in a room than its ceiling, which follows them down", () => {
    const problems = roomRows().map(({ rooms, ceiling }) => {
      const paths = rooms.map((room) => `src/${room}`);
      return ceilingProblem(paths.join(" + "), countLines(paths), ceiling, 100);
    });
    expect(problems.filter(Boolean)).toEqual([]);
  });

  it("has no more lines in total than the line below the table allows", () => {
    const totals = totalCeilings();
    expect(totals).toHaveLength(4);
    const problems = totals.map(({ paths, ceiling }) =>
      ceilingProblem(paths.join(" + "), countLines(paths), ceiling, 1000),
    );
    expect(problems.filter(Boolean)).toEqual([]);
  });

  it.each([
    ["at its ceiling", 7400, 7400, undefined],
    ["above it", 7420, 7400, "src/olm has 7,420 lines; its ceiling is 7,400 (ARCHITECTURE.md, section 2)"],
    ["5 % below it", 7048, 7400, undefined],
    [
      "farther below it",
      7040,
      7400,
      "src/olm has 7,040 lines; its ceiling is 7,400 (ARCHITECTURE.md, section 2): lower it to 7,100",
    ],
    ["small, and less than 100 below it", 352, 400, undefined],
  ])("judges a room that is %s", (_where, lines, ceiling, problem) => {
    expect(ceilingProblem("src/olm", lines, ceiling, 100)).toBe(problem);
  });

  it("imports only what the floor table allows", () => {
    const allowed = floorTable();
    const wrong = [...edges()].filter(({ from, to }) => {
      const [here, there] = [roomOf(from), roomOf(to)];
      return here !== there && !allowed.get(here)?.has(there);
    });
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it("takes only types from k8s, outside of the library", () => {
    const [library = []] = roomRows().flatMap(({ rooms }) => (rooms.includes(generated) ? [rooms] : []));
    const values = [...edges()].filter(
      ({ from, to, typeOnly }) => roomOf(to) === generated && !typeOnly && !library.includes(roomOf(from)),
    );
    expect(values.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it("has a row in the second table for every room with three or more inner rooms, which names each of them", () => {
    const orders = innerRooms();
    const wrong = [...subfolders()]
      .filter(([room, inside]) => room !== generated && (inside.size > 2 || orders.has(room)))
      .flatMap(([room, inside]) => {
        const listed = orders.get(room) ?? [];
        return [...new Set([...inside, ...listed])]
          .filter((name) => !inside.has(name) || !listed.includes(name))
          .map((name) => `${room}/${name}`);
      });
    expect(wrong).toEqual([]);
  });

  it("imports inside a room only from earlier inner rooms", () => {
    const orders = innerRooms();
    const wrong = [...edges()].filter(({ from, to }) => {
      for (const [room, order] of orders) {
        const [here, there] = [innerRoomOf(room, from), innerRoomOf(room, to)];
        if (here && there && order.indexOf(there) > order.indexOf(here)) return true;
      }
      return false;
    });
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it("has no import cycle between files", () => {
    const graph = new Map<string, string[]>();
    for (const { from, to } of edges()) graph.set(from, [...(graph.get(from) ?? []), to]);
    expect(findCircle(graph)).toBeUndefined();
  });

  it("has no import cycle between folders, except a folder and its subfolders", () => {
    const graph = new Map<string, string[]>();
    for (const [from, to] of [...edges()].map((edge) => [dirname(edge.from), dirname(edge.to)] as const)) {
      const nested = `${from}/`.startsWith(`${to}/`) || `${to}/`.startsWith(`${from}/`);
      if (nested || from === "." || to === ".") continue;
      graph.set(from, [...(graph.get(from) ?? []), to]);
    }
    expect(findCircle(graph)).toBeUndefined();
  });

  it.each(["index.ts", "client-node.ts", "yaml.ts"])("keeps the tool side out of src/%s", (entry) => {
    const row = roomRows().find(({ rooms }) => rooms.includes(entry))!;
    const { packages, rooms } = reach(entry);
    expect([...rooms].filter((room) => !row.rooms.includes(room) && !row.mayImport.has(room))).toEqual([]);
    const foreign = [...packages].filter((name) => !name.startsWith("node:"));
    expect(foreign.filter((name) => !libraryPackages.includes(name))).toEqual([]);
  });

  it("loads CEL when an expression needs it, not at the start of the API server", () => {
    const loadsCel = ({ seen }: ReturnType<typeof reach>): boolean =>
      [...seen].some((path) => path.startsWith("apimachinery/cel/"));
    const entry = "apiserver/create-api-server.ts";
    expect(loadsCel(reach(entry))).toBe(true);
    expect(loadsCel(reach(entry, { eagerOnly: true }))).toBe(false);
  });

  it.each([
    "cli/commands/sandbox.ts",
    "sandbox/serve-sandbox.ts",
    "cli/commands/run.ts",
    "local/run-local.ts",
    "index.ts",
  ])("loads the window and the operator's report only on demand from src/%s", (entry) => {
    const { seen } = reach(entry, { eagerOnly: true });
    const lazy = ["local/window/", "local/ui/", "runtime/report/"];
    expect([...seen].filter((path) => lazy.some((folder) => path.startsWith(folder)))).toEqual([]);
  });

  it("gives the page nothing but types", () => {
    const loaded = files
      .filter((path) => path.startsWith("local/ui/"))
      .flatMap((path) =>
        (imports.get(path) ?? []).map((each) => ({ path, ...each, to: resolveLocal(path, each.specifier) })),
      )
      .filter(({ to, typeOnly }) => to && !to.startsWith("local/ui/") && !typeOnly);
    expect(loaded).toEqual([]);
  });

  it("loads only commander eagerly on the path of the command line", () => {
    const eager = reach("cli/main.ts", { eagerOnly: true });
    expect([...eager.packages].filter((name) => !name.startsWith("node:"))).toEqual(["commander"]);
  });
});

/** Returns the rooms that each room may import. */
function floorTable(): Map<string, ReadonlySet<string>> {
  return new Map(roomRows().flatMap(({ rooms, mayImport }) => rooms.map((room) => [room, mayImport] as const)));
}

/** Returns the subfolders of every folder. */
function subfolders(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of files) {
    const parts = dirname(path).split("/");
    for (let depth = 1; depth < parts.length; depth++) {
      const room = parts.slice(0, depth).join("/");
      found.set(room, (found.get(room) ?? new Set()).add(parts[depth]!));
    }
  }
  return found;
}

/** Returns the inner room of a file; `undefined` for a file elsewhere or at the root of the room. */
function innerRoomOf(room: string, path: string): string | undefined {
  if (!path.startsWith(`${room}/`)) return undefined;
  const parts = path.slice(room.length + 1).split("/");
  return parts.length > 1 ? parts[0] : undefined;
}

function roomOf(path: string): string {
  return path.split("/")[0]!;
}

function* edges(): Generator<{ from: string; to: string; typeOnly: boolean }> {
  for (const [from, list] of imports) {
    for (const { specifier, typeOnly } of list) {
      const to = resolveLocal(from, specifier);
      if (to) yield { from, to, typeOnly };
    }
  }
}

function resolveLocal(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const to = relative(src, resolve(src, dirname(from), specifier));
  if (specifier.endsWith(".json")) return undefined;
  if (!existsSync(join(src, to))) throw new Error(`src/${from} imports ${specifier}, which does not exist`);
  return to;
}

function readImports(text: string): Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const fixed = [...code.matchAll(/^(?:import|export)\s+(type\s)?[^;"']*?from\s+"([^"]+)"|^import\s+"([^"]+)"/gm)].map(
    (m) => ({
      specifier: m[2] ?? m[3]!,
      typeOnly: m[1] !== undefined,
      lazy: false,
    }),
  );
  const lazy = [...code.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g)].map((m) => ({
    specifier: m[1]!,
    typeOnly: false,
    lazy: true,
  }));
  return [...fixed, ...lazy];
}

/** Returns every file that a file loads at run time, directly or indirectly. */
function reach(
  entry: string,
  options: { eagerOnly?: boolean } = {},
): { packages: Set<string>; rooms: Set<string>; seen: Set<string> } {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const open = files.includes(entry) ? [entry] : [];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const { specifier, typeOnly, lazy } of imports.get(path) ?? []) {
      if (typeOnly || (options.eagerOnly && lazy)) continue;
      const local = resolveLocal(path, specifier);
      if (local) open.push(local);
      else packages.add(packageName(specifier));
    }
  }
  return { packages, rooms: new Set([...seen].map(roomOf)), seen };
}

function packageName(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function findCircle(graph: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...path, node]);
      if (circle) return circle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const circle = visit(node, []);
    if (circle) return circle;
  }
  return undefined;
}
