import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./shell.ts";

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  /** The text after the language. */
  readonly info: string;
  readonly code: string;
  readonly line: number;
  /** The path of the file that the first line of the block names, if any. */
  readonly path: string | undefined;
}

export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(repository, page), "utf8");
  return [...text.matchAll(/^( *)```(\w+)(.*)\n([\s\S]*?)^ *```$/gm)].map(
    ({ 1: indent = "", 2: language = "", 3: info = "", 4: code = "", index }) => ({
      language,
      info: info.trim(),
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      line: text.slice(0, index).split("\n").length,
      path: /^(?:\/\/|#) (\S+\.(?:ts|yaml))\n/.exec(code)?.[1],
    }),
  );
}

/** Parses the instruction of a `sh` block: to run it, here or elsewhere, to leave it running, to expect a failure, or to skip it. */
export interface Instruction {
  readonly command: "run" | "until" | "instead" | "fails" | "elsewhere" | "ignore";
  /** The expected text, or the reason. */
  readonly detail: string;
}

export function instructionOf({ info, line }: Block): Instruction {
  if (info === "") return { command: "run", detail: "" };
  if (info === "fails" || info === "elsewhere") return { command: info, detail: "" };
  const [, command, detail] = /^(until|instead|ignore): (\S.*)$/.exec(info) ?? [];
  if (!command || !detail) throw new Error(`line ${line}: what does "sh ${info}" mean?`);
  return { command: command as "until" | "instead" | "ignore", detail };
}

/** Returns a pattern of an output with these lines in their order; … matches any text. */
export function outputPattern(text: string): RegExp {
  const lines = text.trimEnd().split("\n");
  const patterns = lines.map((line) =>
    line
      .trim()
      .split(/\s+/)
      .map(escape)
      .join(String.raw`\s+`)
      .replaceAll("…", ".*"),
  );
  return new RegExp(patterns.join(String.raw`\s*\n(?:.*\n)*?\s*`));
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
