import { posix } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import type { ContainerConfig } from "../oci/manifest.ts";

/** What the Dockerfile of an operator says about its image. */
export interface ImageRecipe {
  /** The base of the last stage. */
  readonly base: string;
  readonly config: ContainerConfig;
  /** The folder of the bundle, relative to the project. */
  readonly from: string;
  /** The folder in the image that gets the bundle's files. */
  readonly to: string;
}

interface Instruction {
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

interface Stage {
  readonly base: string;
  readonly name: string | undefined;
  folder: string;
  readonly instructions: Instruction[];
}

/**
 * Reads the last stage of a Dockerfile, which copies the bundle from an earlier one and sets up its process. Any other
 * instruction there is an error, because the image would not be the one of `docker build`.
 */
export function readDockerfile(text: string, file: string): ImageRecipe {
  const refuse = (reason: string): never => {
    throw new TsopError("TSOP_IMAGE_DOCKERFILE", { file, reason });
  };
  const stages = readStages(text);
  const last = stages.at(-1) ?? refuse("it has no FROM");
  const config: Record<string, unknown> = {};
  const copies: { from: string; to: string }[] = [];
  for (const { name, value, line } of last.instructions) {
    const fail = (): never => refuse(`line ${line}: ${name} ${value}`);
    if (name === "USER") config["User"] = value;
    else if (name === "WORKDIR") config["WorkingDir"] = posix.resolve((config["WorkingDir"] as string) ?? "/", value);
    else if (name === "ENTRYPOINT") config["Entrypoint"] = readWords(value) ?? fail();
    else if (name === "CMD") config["Cmd"] = readWords(value) ?? fail();
    else if (name === "ENV") config["Env"] = [...((config["Env"] as string[]) ?? []), ...readPairs(value, fail)];
    else if (name === "LABEL") {
      const labels = readPairs(value, fail).map((pair) => [pair.split("=")[0], pair.slice(pair.indexOf("=") + 1)]);
      config["Labels"] = { ...(config["Labels"] as object), ...Object.fromEntries(labels) };
    } else if (name === "COPY") {
      const [, stage, from, to] = /^--from=(\S+)\s+(\S+)\s+(\S+)$/.exec(value) ?? fail();
      const source = stages.find((each) => each !== last && each.name === stage) ?? fail();
      const folder = (config["WorkingDir"] as string) ?? "/";
      // A relative source is one of the stage's root, not of its working directory.
      const copied = posix.relative(source.folder, posix.resolve("/", from!));
      if (!copied || copied.startsWith("..")) fail();
      copies.push({ from: copied, to: posix.relative("/", posix.resolve(folder, to!)) });
    } else fail();
  }
  const [copy] = copies;
  if (!copy || copies.length > 1)
    return refuse("its last stage must have one COPY, of the bundle: COPY --from=builder");
  if (/[$]/.test(last.base)) refuse(`the base ${last.base} depends on a variable`);
  return { base: last.base, config, ...copy };
}

function readStages(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of readInstructions(text)) {
    const { name, value } = instruction;
    const stage = stages.at(-1);
    if (name === "FROM") {
      const [base = "", , alias] = value.replace(/^--platform=\S+\s+/, "").split(/\s+/);
      stages.push({ base, name: alias, folder: "/", instructions: [] });
    } else if (stage) {
      if (name === "WORKDIR") stage.folder = posix.resolve(stage.folder, value);
      stage.instructions.push(instruction);
    }
  }
  return stages;
}

/** Lists the instructions; a line that ends in a backslash goes on in the next one. */
function readInstructions(text: string): Instruction[] {
  const instructions: Instruction[] = [];
  let [held, start] = ["", 0];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    if (!held) start = index + 1;
    held += line.replace(/\\\s*$/, " ");
    if (/\\\s*$/.test(line)) continue;
    const [, name = "", value = ""] = /^\s*(\S+)\s*(.*?)\s*$/.exec(held) ?? [];
    instructions.push({ name: name.toUpperCase(), value, line: start });
    held = "";
  }
  return instructions;
}

/** Parses the form of a command that needs no shell; the image may not have one. */
function readWords(value: string): string[] | undefined {
  try {
    const words: unknown = JSON.parse(value);
    return Array.isArray(words) && words.every((word) => typeof word === "string") ? words : undefined;
  } catch {
    return undefined; // the caller reports it
  }
}

/** Parses `NAME=value NAME="a value"`. */
function readPairs(value: string, fail: () => never): string[] {
  const pair = /([\w.-]+)=("(?:[^"\\]|\\.)*"|[^\s"'\\$]*)(?:\s+|$)/y;
  const pairs: string[] = [];
  while (pair.lastIndex < value.length) {
    const [, name, word = ""] = pair.exec(value) ?? fail();
    pairs.push(`${name}=${word.startsWith('"') ? (JSON.parse(word) as string) : word}`);
  }
  return pairs;
}
