import type { Command } from "commander";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createProgram } from "../../../src/cli/program.ts";
import { parseManagerFlags } from "../../../src/runtime/manager/manager-flags.ts";
import { memoryIo } from "../cli/memory-io.ts";
import { packageExports } from "./package-exports.ts";

// The names by which projects and scripts use tsop. docs/upgrading.md says when one may be removed: a line that disappears is a
// change for users. TSOP_RECORD=1 writes the list.

const file = new URL("names.txt", import.meta.url);

it("the names that users depend on are those of names.txt", async () => {
  const names = `${[await exportedNames(), await commandLines(), operatorFlags()].flat().join("\n")}\n`;
  if (process.env["TSOP_RECORD"] === "1") writeFileSync(file, names);
  expect(names).toBe(readFileSync(file, "utf8"));
});

async function exportedNames(): Promise<string[]> {
  const lines = (await packageExports()).map(
    ({ from, name, isValue }) => `import ${isValue ? "" : "type "}${name} from "${from}"`,
  );
  return [...new Set(lines)].toSorted();
}

async function commandLines(): Promise<string[]> {
  return linesOf(await createProgram(memoryIo()), "tsop");
}

/** Returns a line for each command with its arguments, and for each flag with its values. */
function linesOf({ commands, registeredArguments, options }: Command, path: string): string[] {
  const named = registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? ` <${name}>` : ` [${name}]`;
  });
  const flags = options.map(({ flags: words, argChoices }) => {
    return `${path} ${words}${argChoices ? `: ${argChoices.join(" ")}` : ""}`;
  });
  const below = commands.filter((command) => !command.name().startsWith("__"));
  return [`${path}${named.join("")}`, ...flags, ...below.flatMap((each) => linesOf(each, `${path} ${each.name()}`))];
}

function operatorFlags(): string[] {
  const { message } = catchError(() => parseManagerFlags(["--help"]));
  return [...message.matchAll(/--[a-z0-9-]+/g)].map(([flag]) => `operator ${flag}`);
}

function catchError(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("it did not throw");
}
