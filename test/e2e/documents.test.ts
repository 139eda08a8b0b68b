import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksOf, instructionOf } from "./document-blocks.ts";
import { findProgram, repository } from "./shell.ts";
import { Terminal } from "./terminal.ts";

// Every ```sh block of a page is typed in its order, in one shell. What follows `sh` says more:
//   until: TEXT     it stays in a terminal of its own; the reader goes on when it has printed TEXT
//   fails           it is meant to
//   ignore: REASON  it can't be run here
// A ```text block is what the command before it prints, a ```log block what the programs that stay do; … stands for what
// varies. A ts or yaml block whose first line names a file is what the reader writes there.

/** The other pages begin in the project that they are about. */
const fromNothing = ["README.md", "docs/quickstart.md", "docs/migrating-from-go.md"];
const inFolder = (folder: string): string[] => readdirSync(join(repository, folder)).map((name) => `${folder}/${name}`);
const pages = [
  "README.md",
  ...inFolder("docs").filter((path) => path.endsWith(".md") && path !== "docs/olm.md"), // olm-docs.test.ts runs that
  ...inFolder("examples").map((path) => `${path}/README.md`),
].filter((page) => blocksOf(page).some(({ language }) => language === "sh"));

describe.each(pages)("%s", (page) => {
  const terminal = new Terminal();
  const project = /^examples\/[^/]+/.exec(page)?.[0] ?? "examples/memcached-operator";
  beforeAll(() => terminal.open(fromNothing.includes(page) ? undefined : project));
  afterAll(() => terminal.close());

  const blocks = blocksOf(page);
  for (const [index, block] of blocks.entries()) {
    const { language, path, line, code } = block;
    if (path && fromNothing.includes(page)) it(`line ${line}: ${path}`, () => terminal.write(path, code));
    if (language === "log") it(`line ${line}: the log`, () => terminal.logs(code));
    if (language !== "sh") continue;
    const { command, detail } = instructionOf(block);
    const output = blocks[index + 1]?.language === "text" ? blocks[index + 1]?.code : undefined;
    const missing = ["kubectl", "kustomize"].find((name) => code.includes(name) && !findProgram(name));
    const title = `line ${line}: ${code.trim()}`;
    // Shown with its reason: what the page itself says (a cluster, Docker, minutes), or the program that is not here.
    if (command === "ignore") it.skip(`${title} (${detail})`, () => {});
    else if (missing) it.skip(`${title} (there is no ${missing} here)`, () => {});
    else if (command === "until") it(title, () => terminal.stay(code, detail));
    else it(title, () => terminal.type(code, output, command === "fails"));
  }
});

it("reads the pages", () => {
  expect(pages).toEqual(expect.arrayContaining([...fromNothing, "docs/testing.md", "docs/webhooks.md"]));
});
