import type { Command } from "commander";
import { expect, it } from "vitest";
import { createProgram } from "../../../src/cli/program.ts";
import { catalogue } from "../../../src/errors/catalogue.ts";
import { memoryIo } from "../cli/memory-io.ts";

// The npm package has no docs/.
const page = /\bdocs\/[\w-]+\.md\b/;

it.each(Object.entries(catalogue))("%s does not refer to a page that is not installed", (_, { message, hint }) => {
  expect(`${message}\n${hint}`).not.toMatch(page);
});

it("the help of the commands does not refer to such a page", async () => {
  const texts: string[] = [];
  const read = (command: Command): void => {
    command.configureOutput({ writeOut: (text) => void texts.push(text) }).outputHelp();
    for (const each of command.commands) read(each);
  };
  read(await createProgram(memoryIo()));
  expect(texts.join("")).toContain("Classes of faults");
  expect(texts.join("")).not.toMatch(page);
});
