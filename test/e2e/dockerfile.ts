import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { mustRun } from "./shell.ts";

/** The configuration and the files of an image. */
export interface Image {
  /** Its root folder, without the content of its base image. */
  readonly root: string;
  readonly entrypoint: readonly string[];
}

interface Stage {
  readonly name: string | undefined;
  readonly root: string;
  workdir: string;
}

/**
 * Builds a Dockerfile without Docker: FROM starts with an empty folder, COPY and RUN change it, and .dockerignore
 * filters the context. An unknown instruction is an error.
 */
export async function buildImage(context: string, folder: string): Promise<Image> {
  const text = readFileSync(join(context, "Dockerfile"), "utf8").replaceAll("\\\n", " ");
  const stages: Stage[] = [];
  let entrypoint: string[] = [];
  for (const line of text.split("\n").filter((each) => each.trim() && !each.startsWith("#"))) {
    const [instruction = "", ...words] = line.trim().split(/\s+/);
    const stage = stages.at(-1)!;
    const resolvePath = (path: string): string =>
      join(stage.root, path.startsWith("/") ? path : join(stage.workdir, path));
    switch (instruction) {
      case "FROM": {
        const root = join(folder, `stage-${stages.length}`);
        mkdirSync(root, { recursive: true });
        stages.push({ name: words[2], root, workdir: "/" });
        break;
      }
      case "WORKDIR":
        stage.workdir = words[0]!;
        mkdirSync(resolvePath("."), { recursive: true });
        break;
      case "COPY": {
        const from = /^--from=(.*)/.exec(words[0]!)?.[1];
        const source = stages.find(({ name }) => name === from);
        if (from) cpSync(join(source!.root, words[1]!), resolvePath(words[2]!), { recursive: true });
        else copy(context, words.slice(0, -1), resolvePath(words.at(-1)!));
        break;
      }
      case "RUN":
        await mustRun("sh", ["-ec", words.join(" ")], { cwd: resolvePath("."), env: { HOME: folder, ...npmOf() } });
        break;
      case "ENTRYPOINT":
        entrypoint = JSON.parse(words.join(" ")) as string[];
        break;
      case "ARG": // Which image builds the operator does not matter: each begins with an empty folder.
      case "USER":
        break;
      default:
        throw new Error(`what does "${instruction}" do?`);
    }
  }
  return { root: stages.at(-1)!.root, entrypoint };
}

/** Options that let npm find its cache and the user's registry although HOME is an empty folder. */
function npmOf(): Record<string, string> {
  const home = process.env["HOME"] ?? "";
  return { npm_config_userconfig: join(home, ".npmrc"), npm_config_cache: join(home, ".npm") };
}

/** Copies several sources or patterns into a folder like COPY; a pattern may match nothing. */
function copy(context: string, sources: readonly string[], target: string): void {
  const files = contextFiles(context);
  for (const source of sources) {
    const pattern = new RegExp(`^${expression(source.replace(/\/$/, ""))}(?:/(.*))?$`);
    for (const file of files) {
      const match = source === "." ? [file, file] : pattern.exec(file);
      if (!match) continue;
      const path = match[1] === undefined ? file : match[1];
      const destination = join(target, path);
      mkdirSync(dirname(destination), { recursive: true });
      cpSync(join(context, file), destination);
    }
  }
}

/**
 * Returns the files that .dockerignore leaves: the last pattern that matches a file, or one of its folders, decides.
 */
function contextFiles(context: string): string[] {
  const rules = readFileSync(join(context, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line.trim() && !line.startsWith("#"))
    .map((line) => {
      const allows = line.startsWith("!");
      const pattern = line.slice(allows ? 1 : 0).replace(/\/$/, "");
      return { allows, pattern: new RegExp(`^${expression(pattern)}(?:/.*)?$`) };
    });
  return readdirSync(context, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(context.length + 1))
    .filter((file) => rules.findLast(({ pattern }) => pattern.test(file))?.allows ?? true);
}

/** Converts a pattern of Docker: `**` matches any number of folders, `*` and `[…]` match within a name. */
function expression(pattern: string): string {
  return pattern
    .replaceAll(/[.+^${}()|\\]/g, String.raw`\$&`)
    .replaceAll("**/", "\0")
    .replaceAll("**", "\u0001")
    .replaceAll("*", "[^/]*")
    .replaceAll("\0", "(?:.*/)?")
    .replaceAll("\u0001", ".*");
}
