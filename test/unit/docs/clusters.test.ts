import type { Command } from "commander";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createProgram } from "../../../src/cli/program.ts";
import { memoryIo } from "../cli/memory-io.ts";

const quickstart = readFileSync(new URL("../../../docs/quickstart.md", import.meta.url), "utf8");
const section = /^## Which command uses which cluster\n(.*?)^## /ms.exec(quickstart)![1]!;

/** Returns the commands that have the flag --context. */
function withContext({ commands, options }: Command, path: string): string[] {
  const own = options.some(({ long }) => long === "--context") ? [path] : [];
  return [...own, ...commands.flatMap((command) => withContext(command, `${path} ${command.name()}`))];
}

it("the quickstart says of each command with --context which cluster it uses", async () => {
  const rows = section.split("\n").filter((line) => line.startsWith("| `tsop"));
  const named = rows.flatMap((row) =>
    [...row.split("|")[1]!.matchAll(/`(tsop .*?)(?: --local)?`/g)].map(([, name]) => name),
  );
  expect(named.toSorted()).toEqual(withContext(await createProgram(memoryIo()), "tsop").toSorted());
});
