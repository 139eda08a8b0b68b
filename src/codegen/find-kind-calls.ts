import { posix } from "node:path";
import type { Argument, CallExpression } from "oxc-parser";
import { loadBuiltins } from "../apimachinery/builtin/load-builtins.ts";
import { defineResources } from "./define-resources.ts";
import type { KindVersion } from "./model.ts";
import { Report, type Place } from "./report.ts";
import { readDeclarations, type Declarations } from "./source/declarations.ts";
import type { ProjectSources } from "./source/project-sources.ts";
import { SourceFile } from "./source/source-file.ts";

/** A call that names a Kind: `client.get(Secret, key)`, or `.owns(Deployment)` of a controller. */
export interface KindCall {
  /** `get`, `owns`, `createOrUpdate` … */
  readonly method: string;
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  /** `status` in `client.status.update(Memcached, …)`. */
  readonly subresource: string | undefined;
  /** True if only the metadata is read, or the call is to the server, past the cache. */
  readonly isLight: boolean;
  readonly place: Place;
}

/** Finds the calls with a Kind in the texts of the sources. A file that does not parse has none. */
export function findKindCalls(
  texts: ReadonlyMap<string, string>,
  sources: ProjectSources,
  kinds: readonly KindVersion[],
): KindCall[] {
  const own = defineResources(kinds, new Report());
  const calling = [...texts].filter(([, text]) => /\btsop\b|client/i.test(text));
  const modules = calling.map(([path, text]): Parsed => {
    const file = new SourceFile(path, text);
    return { file, imports: readDeclarations(file.program).imports };
  });
  return modules.flatMap((module) =>
    [...callsIn(module.file.program)].flatMap((node): KindCall[] => {
      const [method, on] = calleeOf(node, module);
      for (const argument of node.arguments) {
        const isMetadata = argument.type === "CallExpression" && calleeOf(argument, module)[0] === "metadataOnly";
        const name = nameIn(isMetadata ? argument.arguments[0] : argument);
        const found = name === undefined ? undefined : resourceOf(name, { module, sources, kinds });
        const defined = own.find(({ group, kind }) => group === found?.group && kind === found.kind);
        const plural = found?.plural ?? defined?.plural;
        if (!found || plural === undefined) continue;
        const given = module.file.text.slice(node.callee.end, node.end);
        const isLight = isMetadata || given.includes("metadataOnly: true") || on.endsWith("apiReader");
        const { group, kind } = found;
        const place = { file: module.file, offset: node.callee.end - method.length };
        return [{ group, kind, plural, method, subresource: subresourceOf(on), isLight, place }];
      }
      return [];
    }),
  );
}

interface Parsed {
  readonly file: SourceFile;
  readonly imports: Declarations["imports"];
}

/** Walks a tree by hand: the package's parser comes without its visitors. */
function* callsIn(node: unknown): Generator<CallExpression> {
  if (typeof node !== "object" || node === null) return;
  if ("type" in node && node.type === "CallExpression") yield node as CallExpression;
  for (const child of Object.values(node)) yield* callsIn(child);
}

function calleeOf({ callee }: CallExpression, { file }: Parsed): [method: string, on: string] {
  if (callee.type === "Identifier") return [callee.name, ""];
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return ["", ""];
  return [callee.property.name, file.text.slice(callee.object.start, callee.object.end)];
}

function nameIn(argument: Argument | undefined): string | undefined {
  return argument?.type === "Identifier" ? argument.name : undefined;
}

function subresourceOf(on: string): string | undefined {
  if (on.endsWith(".status")) return "status";
  return /\.subResource\(["'](\w+)["']\)$/.exec(on)?.[1];
}

interface Search {
  readonly module: Parsed;
  readonly sources: ProjectSources;
  readonly kinds: readonly KindVersion[];
}

/** Returns the resource of an imported Kind: a built-in one, or one whose type is in a folder of the project. */
function resourceOf(
  name: string,
  { module, sources, kinds }: Search,
): { readonly group: string; readonly kind: string; readonly plural?: string } | undefined {
  const from = module.imports.get(name);
  if (!from) return undefined;
  const [, short, version] = /^tsop\/k8s\/(\w+)\/(\w+)$/.exec(from.specifier) ?? [];
  if (short !== undefined)
    return loadBuiltins().resources.find(
      (each) => each.kind === from.name && each.version === version && (each.group.split(".")[0] || "core") === short,
    );
  const folders = sources.pathsOf(from.specifier, module).map((path) => posix.dirname(path));
  return kinds.find(({ folder, kind }) => kind === from.name && folders.includes(folder));
}

const reads = ["get", "list", "watch"];
const verbs: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    "for owns watches watchesHub get getOrUndefined list listEach indexField".split(" ").map((name) => [name, reads]),
  ),
  create: ["create"],
  update: ["update"],
  patch: ["patch"],
  applyStrategicMerge: ["patch"],
  apply: ["patch", "create"],
  delete: ["delete"],
  deleteAllOf: ["deletecollection"],
  createOrUpdate: [...reads, "create", "update"],
  createOrPatch: [...reads, "create", "patch"],
};

/** Returns the verbs that a call may need: a read of a cached kind lists and watches it. */
export function verbsOf({ method, subresource }: KindCall): readonly string[] {
  return subresource === undefined ? (Object.hasOwn(verbs, method) ? verbs[method]! : []) : [method];
}
