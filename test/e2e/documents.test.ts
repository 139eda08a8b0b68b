import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksOf, instructionOf } from "./document-blocks.ts";
import { findProgram, repository } from "./shell.ts";
import { Terminal } from "./terminal.ts";

// Every ```sh block of a page is run in order, in one shell. The text after `sh` says more:
//   until: TEXT     it stays in a terminal of its own; the page continues after it has printed TEXT
//   instead: TEXT   as until, in the terminal of the program before, which is ended
//   fails           it is expected to fail
//   elsewhere       another page runs its commands, with an image of another name
//   ignore: REASON  it cannot run in this test
// A ```text block is the output of the command before it, a ```log block the output of the programs in the background;
// … matches any text. A ts or yaml block whose first line names a file is written to that file.

/** Programs that not every machine has, and the commands that call them or use what they made. */
const programs: Readonly<Record<string, RegExp>> = {
  kubectl:
    /\bkubectl\b|^make (?!docker-).*\b(install|deploy|undeploy|bundle|build-installer)\b|--plugins helm\b|\.\/bundle\b/m,
  helm: /^make helm-/m,
};

/** The other pages start in the project that they describe. */
const fromNothing = [
  "README.md",
  "docs/quickstart.md",
  "docs/migrating-from-go.md",
  "docs/migrating-from-python-and-java.md",
];
const inFolder = (folder: string): string[] => readdirSync(join(repository, folder)).map((name) => `${folder}/${name}`);
const pages = [
  "README.md",
  ...inFolder("docs").filter((path) => path.endsWith(".md") && path !== "docs/olm.md"), // olm-docs.test.ts runs it
  ...inFolder("examples").map((path) => `${path}/README.md`),
].filter((page) => blocksOf(page).some(({ language }) => language === "sh"));

/** Returns the commands of a block as any page writes them. */
const commandsIn = (code: string): string[] =>
  code.split("\n").map((line) => line.replace(/\s+#.*$/, "").replace(/\/\w+-operator:/, "/operator:"));
const commandsThatRun = new Set(
  pages.flatMap(blocksOf).flatMap((block) => {
    const runs = block.language === "sh" && !["elsewhere", "ignore"].includes(instructionOf(block).command);
    return runs ? commandsIn(block.code) : [];
  }),
);

describe.each(pages)("%s", (page) => {
  const terminal = new Terminal();
  const project = /^examples\/[^/]+/.exec(page)?.[0] ?? "examples/memcached-operator";
  beforeAll(() => terminal.open(fromNothing.includes(page) ? undefined : project));
  afterAll(() => terminal.close());

  const blocks = blocksOf(page);
  /** Missing for a program that would stay: the rest of the page speaks to it. */
  let missed: string | undefined;
  for (const [index, block] of blocks.entries()) {
    const { language, path, line, code } = block;
    if (path && fromNothing.includes(page)) it(`line ${line}: ${path}`, () => terminal.write(path, code));
    if (language === "log") it(`line ${line}: the log`, () => terminal.logs(code));
    if (language !== "sh") continue;
    const { command, detail } = instructionOf(block);
    const output = blocks[index + 1]?.language === "text" ? blocks[index + 1]?.code : undefined;
    const missing = missed ?? Object.keys(programs).find((name) => programs[name]!.test(code) && !findProgram(name));
    if (command === "until" || command === "instead") missed = missing;
    const title = `line ${line}: ${code.trim()}`;
    // Reported with a reason: the one that the page names (a cluster, Docker, minutes), or the missing program.
    if (command === "ignore") it.skip(`${title} (${detail})`, () => {});
    else if (command === "elsewhere")
      it(`${title} (on another page)`, () => {
        expect(commandsIn(code.trim()).filter((line) => !commandsThatRun.has(line))).toEqual([]);
      });
    else if (missing) it.skip(`${title} (${missing} is not installed)`, () => {});
    else if (command === "until") it(title, () => terminal.stay(code, detail));
    else if (command === "instead") it(title, () => terminal.stayInstead(code, detail));
    else it(title, () => terminal.type(code, output, command === "fails"));
  }
});

it("covers the pages", () => {
  expect(pages).toEqual(expect.arrayContaining([...fromNothing, "docs/testing.md", "docs/webhooks.md"]));
});
