import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseYamlDocuments } from "../../src/apimachinery/yaml/parse.ts";

/** Writes the objects of the projects in sources.txt. A project that cannot be downloaded is reported, and skipped. */
export async function collect(folder: string, words: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const lines = readFileSync("lab/corpus/sources.txt", "utf8").split("\n");
  for (const line of lines.filter((one) => one && !one.startsWith("#"))) {
    const name = line.replace(/^git /, "").replace(/@.*/, "");
    const target = join(folder, `${name.replaceAll("/", "+")}.jsonl`);
    if (existsSync(target) || (words.length > 0 && !words.some((word) => name.includes(word)))) continue;
    const work = mkdtempSync(join(tmpdir(), "corpus-"));
    try {
      const objects = line.startsWith("git ") ? ofRepository(line, work) : ofModule(line, work);
      const unique = [...new Set(objects.map((object) => JSON.stringify(object)))];
      writeFileSync(target, unique.map((text) => `${text}\n`).join(""));
      console.log(`${line}: ${unique.length}`);
    } catch (error) {
      console.log(`${line}: ${String(error).slice(0, 200)}`);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
}

/** Downloads a module into a cache of its own, which takes no room afterwards. */
function ofModule(line: string, work: string): unknown[] {
  const env = { ...process.env, GOMODCACHE: join(work, "cache"), GOFLAGS: "-mod=mod -modcacherw", GOSUMDB: "off" };
  const answer = execFileSync("go", ["mod", "download", "-json", line], { cwd: work, env, encoding: "utf8" });
  return readTree((JSON.parse(answer) as { Dir: string }).Dir);
}

function ofRepository(line: string, work: string): unknown[] {
  const [, name = "", commit = "", rule] = /^git ([^@]+)@(\S+) ?(\w*)/.exec(line) ?? [];
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: work, encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] });
  const present = join(process.env["CORPUS_GIT"] ?? "/nowhere", name.replace("/", "+"), "repo");
  const directory = existsSync(present) ? present : join(work, "git");
  if (directory !== present) {
    git("init", "--quiet", "--bare", directory);
    git("-C", directory, "fetch", "--quiet", "--depth", "1", `https://github.com/${name}`, commit);
  }
  const paths = git(`--git-dir=${directory}`, "ls-tree", "-r", "--name-only", commit).split("\n");
  const kept = (rule === "newest" ? newest(paths) : paths).filter((path) => isManifest(path));
  const tree = join(work, "tree");
  mkdirSync(tree);
  const index = { ...process.env, GIT_INDEX_FILE: join(work, "index") };
  const list = { cwd: work, env: index, input: kept.join("\n") };
  execFileSync("git", [`--git-dir=${directory}`, "read-tree", commit], { cwd: work, env: index });
  // Some git directories lack their largest files.
  spawnSync("git", [`--git-dir=${directory}`, "checkout-index", "--force", "--stdin", `--prefix=${tree}/`], list);
  return readTree(tree);
}

/** Returns the paths of the last version of each operator: `operators/NAME/VERSION/…`. */
function newest(paths: readonly string[]): string[] {
  const order = new Intl.Collator("en", { numeric: true });
  const last = new Map<string, string>();
  for (const path of paths) {
    const [, operator = "", version = ""] = /^operators\/([^/]+)\/([^/]+)\/manifests\//.exec(path) ?? [];
    if (operator && order.compare(version, last.get(operator) ?? "") > 0) last.set(operator, version);
  }
  return paths.filter((path) => {
    const [, operator = "", version = ""] = path.split("/");
    return last.get(operator) === version;
  });
}

function isManifest(path: string): boolean {
  return /\.(ya?ml|json)$/.test(path) && !/(^|\/)(vendor|node_modules)\//.test(path);
}

/** Files with more are dumps rather than manifests. */
const largest = 6_000_000;

function readTree(folder: string): unknown[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(isManifest).toSorted();
  return paths.flatMap((path) => {
    const file = join(folder, path);
    const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: Infinity };
    return size > largest || !statSync(file).isFile() ? [] : readFile(readFileSync(file, "utf8"));
  });
}

function readFile(text: string): unknown[] {
  if (!/apiVersion/.test(text) || !/[\w-]\.[\w-]+\/v\d/.test(text)) return [];
  try {
    return parseYamlDocuments(text).flatMap(customObjects);
  } catch {
    // A template, which a tool of its project renders.
    return [];
  }
}

/** Returns the definitions and objects of a document: itself, the items of a list, and the samples of an OLM bundle. */
function customObjects(document: unknown): unknown[] {
  if (typeof document !== "object" || document === null) return [];
  const { apiVersion, kind, items, metadata } = document as Record<string, any>;
  if (kind === "List" && Array.isArray(items)) return items.flatMap(customObjects);
  if (kind === "ClusterServiceVersion") {
    const samples: unknown = JSON.parse(metadata?.annotations?.["alm-examples"] || "[]");
    return (Array.isArray(samples) ? samples : [samples]).flatMap(customObjects);
  }
  if (typeof kind !== "string" || typeof apiVersion !== "string" || typeof metadata !== "object") return [];
  const isBuiltIn = /^([a-z]+|[a-z.]+\.k8s\.io)\/v\d\w*$/.test(apiVersion) && !/x-k8s|gateway\./.test(apiVersion);
  return kind === "CustomResourceDefinition" || (apiVersion.includes(".") && !isBuiltIn) ? [document] : [];
}
