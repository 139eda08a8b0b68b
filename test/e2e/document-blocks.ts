import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./shell.ts";

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  /** What follows the language. */
  readonly info: string;
  readonly code: string;
  readonly line: number;
  /** Of the file that the block is, if it names one in its first line. */
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

/** What a `sh` block is for: to be run, to be left running, to fail, to be left out. */
export interface Instruction {
  readonly command: "run" | "until" | "fails" | "ignore";
  /** The text that is awaited, or the reason. */
  readonly detail: string;
}

export function instructionOf({ info, line }: Block): Instruction {
  if (info === "") return { command: "run", detail: "" };
  if (info === "fails") return { command: "fails", detail: "" };
  const [, command, detail] = /^(until|ignore): (\S.*)$/.exec(info) ?? [];
  if (!command || !detail) throw new Error(`line ${line}: what does "sh ${info}" mean?`);
  return { command: command as "until" | "ignore", detail };
}

/** Matches an output that has these lines, in their order; … stands for what varies. */
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
