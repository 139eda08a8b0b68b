// `minimal` is stored whole. Of every other project, its folder has only the files that differ from those of `minimal` and
// `webhooks` and from each other by more than names, as FILE.diff if few lines differ; copies.txt lists the others with their
// names, and absent.txt the files of `minimal` that the project lacks. The project name and the owner are no difference.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { applyDiff, withoutUnchangedLines } from "./changed-files.mjs";
import { copiesOf, withoutCopies } from "./copied-files.mjs";
import { filesBelow, givenNames, goldenRoot, scenarios } from "./scenarios.mjs";

export const projectNames = scenarios;
const diffEnd = ".diff";

/** Returns all files of a project: texts by path. */
export function readProject(name) {
  const stored = readFiles(join(goldenRoot, name), ["commands.txt", "absent.txt", "copies.txt"]);
  if (name === "minimal") return stored;
  const minimal = minimalNamedAs(name);
  const sources = new Map([...withPrefix("minimal", minimal), ...ofWebhooks(name), ...stored]);
  const own = new Map(
    [...stored].map(([path, text]) =>
      path.endsWith(diffEnd) ? [path.slice(0, -diffEnd.length), applyDiff(text, sources)] : [path, text],
    ),
  );
  const copies = copiesOf(linesOf(name, "copies.txt"), new Map([...minimal, ...ofWebhooks(name), ...own]));
  const files = new Map([...minimal, ...own, ...copies]);
  for (const path of linesOf(name, "absent.txt"))
    if (!files.delete(path)) throw new Error(`${name}/absent.txt: neither minimal nor ${name} has ${path}`);
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function linesOf(name, list) {
  const path = join(goldenRoot, name, list);
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

/** Writes all files of a project into a folder. */
export function writeProject(name, folder) {
  for (const [path, text] of readProject(name)) writeFile(join(folder, path), text);
}

/** Returns what the folder of a project stores, apart from what is written by hand: texts by path. */
export function readStored(name) {
  return readFiles(join(goldenRoot, name), givenNames);
}

/** Returns what to store of a project, whose files are in a folder. */
export function differences(name, folder) {
  const files = readFiles(folder, givenNames);
  if (name === "minimal") return files;
  const minimal = minimalNamedAs(name);
  const changed = [...files].filter(([path, text]) => minimal.get(path) !== text);
  const replaced = new Set(changed.map(([path]) => path));
  const { whole: own, lines } = withoutCopies(
    changed,
    [...minimal].filter(([path]) => !replaced.has(path)).concat(ofWebhooks(name)),
  );
  const { whole, diffs } = withoutUnchangedLines(own, [...withPrefix("minimal", minimal), ...ofWebhooks(name)]);
  for (const [path, text] of diffs) whole.set(path + diffEnd, text);
  const absent = [...minimal.keys()].filter((path) => !files.has(path));
  if (lines.length > 0) whole.set("copies.txt", `${lines.join("\n")}\n`);
  if (absent.length > 0) whole.set("absent.txt", `${absent.join("\n")}\n`);
  return whole;
}

/** Returns the files of `webhooks` that another project may copy. */
function ofWebhooks(name) {
  return name === "webhooks" ? [] : withPrefix("webhooks", readProject("webhooks"));
}

function withPrefix(project, files) {
  return [...files].map(([path, text]) => [`${project}:${path}`, text]);
}

/** Stores a project, whose files are in a folder. `minimal` and `webhooks` must be stored before the others. */
export function storeProject(name, folder) {
  const stored = differences(name, folder);
  const target = join(goldenRoot, name);
  for (const entry of readdirSync(target))
    if (!givenNames.includes(entry)) rmSync(join(target, entry), { recursive: true });
  for (const [path, text] of stored) writeFile(join(target, path), text);
}

/** Returns the files of `minimal` as they are with the project name and the owner of another project. */
function minimalNamedAs(name) {
  const [from, to] = [namesOf("minimal"), namesOf(name)];
  const files = readFiles(join(goldenRoot, "minimal"), givenNames);
  return new Map(
    [...files].map(([path, text]) => [
      path,
      text.replaceAll(from.owner, to.owner).replaceAll(from.project, to.project),
    ]),
  );
}

/** Returns the names that the commands of a project set; the owner as it follows the year in a header. */
function namesOf(name) {
  const commands = readFileSync(join(goldenRoot, name, "commands.txt"), "utf8");
  const owner = /--owner "(.+?)"/.exec(commands)?.[1];
  return { project: /--project-name (\S+)/.exec(commands)[1], owner: owner ? ` ${owner}.` : "." };
}

function readFiles(folder, except) {
  const paths = filesBelow(folder).filter((path) => !except.includes(path.split("/")[0]));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

function writeFile(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
