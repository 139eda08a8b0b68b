import { isObject } from "../apimachinery/is-object.ts";
import { parseYamlDocuments } from "../apimachinery/yaml/parse.ts";
import type { PackageManager } from "../project/scaffold/init/package-manager.ts";

/** What a lock file says about a package. */
export interface LockedPackage {
  /** The hash of its archive, as `sha512-<base64>`. */
  readonly integrity?: string;
  /** The URL of its archive. */
  readonly resolved?: string;
}

/** Reads the packages of a lock file, by `name@version`. */
export function readLock(text: string, manager: PackageManager): Map<string, LockedPackage> {
  const [document] = manager === "npm" ? [JSON.parse(text || "{}") as unknown] : parseYamlDocuments(text);
  const root = isObject(document) ? document : {};
  const packages = manager === "yarn" ? root : root["packages"];
  const entries = Object.entries(isObject(packages) ? packages : {});
  return new Map(entries.flatMap(([key, entry]) => (isObject(entry) ? readers[manager](key, entry) : [])));
}

type Entry = Readonly<Record<string, unknown>>;
type Row = readonly [id: string, locked: LockedPackage];

const readers: Readonly<Record<PackageManager, (key: string, entry: Entry) => Row[]>> = {
  npm(key, { name, version, integrity, resolved }) {
    const named = textOf(name) ?? key.slice(key.lastIndexOf("node_modules/") + "node_modules/".length);
    const url = textOf(resolved);
    return row(`${named}@${textOf(version)}`, integrity, url?.startsWith("https:") ? url : undefined);
  },
  // A key may end in the packages that fulfil the peer dependencies: `a@1.0.0(b@2.0.0)`.
  pnpm(key, { resolution, version }) {
    const id = key.replace(/^\//, "").replace(/\(.*$/, "");
    const named = id.replace(/@file:.*$/, `@${textOf(version)}`);
    return row(named, isObject(resolution) ? resolution["integrity"] : undefined);
  },
  // The checksums of Yarn are hashes of archives that it makes itself.
  yarn(_key, { resolution, version }) {
    const name = /^(@?[^@]+)@/.exec(textOf(resolution) ?? "")?.[1];
    return name ? row(`${name}@${textOf(version)}`) : [];
  },
};

function row(id: string, integrity?: unknown, resolved?: string): Row[] {
  const hash = textOf(integrity);
  return [[id, { ...(hash && { integrity: hash }), ...(resolved && { resolved }) }]];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
