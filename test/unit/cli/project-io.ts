import { expect } from "vitest";
import type { Io } from "../../../src/cli/io.ts";
import { main } from "../../../src/cli/main.ts";
import { memoryIo, type MemoryIo, type MemoryIoOptions } from "./memory-io.ts";

/** The words of a command, or its line. */
export type Words = string | readonly string[];

export const init = "init --domain example.com --project-name demo --skip-install --tsop ^1.0.0";

const wordsOf = (words: Words): readonly string[] => (typeof words === "string" ? words.split(" ") : words);

/** Runs a command, and returns its exit code. */
export const run = (io: Io, words: Words): Promise<number> => main(wordsOf(words), io);

/** Returns all files, without the rest of the Io. */
export const filesOf = (io: MemoryIo): Record<string, string> => Object.fromEntries(io.disk.files);

/** Runs commands that must succeed. */
export async function succeed(io: MemoryIo, ...commands: readonly Words[]): Promise<void> {
  for (const words of commands) expect([words, await run(io, words), io.err()]).toEqual([words, 0, io.err()]);
}

/** Runs a command that must fail with these texts, and change no file. */
export async function refuse(io: MemoryIo, words: Words, texts: readonly string[], code = 1): Promise<void> {
  const files = filesOf(io);
  expect(await run(io, words)).toBe(code);
  for (const text of texts) expect(io.err()).toContain(text);
  expect(filesOf(io)).toEqual(files);
}

/** Creates a project in memory with these commands. */
export async function project(...commands: readonly Words[]): Promise<MemoryIo> {
  return projectWith({}, init, ...commands);
}

/** Creates a project with options, by these commands. */
export async function projectWith(options: MemoryIoOptions, ...commands: readonly Words[]): Promise<MemoryIo> {
  const io = memoryIo(options);
  await succeed(io, ...commands);
  return io;
}
