import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mustRun, repository, temporaryFolder } from "./shell.ts";

// The reference pages and guides, as `npm run site` writes them. A warning, such as of a broken link, ends the build.

const folder = temporaryFolder("site");
const site = join(folder.path, "site");
const read = (path: string): string => readFileSync(join(site, path), "utf8");
let pages: string[];

beforeAll(async () => {
  await mustRun("npm", ["run", "site", "--", "--out", site], { cwd: repository });
  pages = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"));
}, 180_000);
afterAll(() => folder.remove());

describe("the site", () => {
  it("has a page for each guide", () => {
    const titleOf = (file: string): string =>
      /^# (.+)$/m.exec(readFileSync(join(repository, "docs", file), "utf8"))?.[1] ?? "";
    const guides = readdirSync(join(repository, "docs")).filter((file) => file.endsWith(".md"));
    const shown = readdirSync(join(site, "documents")).map(
      (file) => /<title>(.*) \| tsop</.exec(read(`documents/${file}`))?.[1],
    );
    expect(shown.map((title) => title?.replace("&#39;", "'"))).toEqual(expect.arrayContaining(guides.map(titleOf)));
  });

  it("opens from its folder: each link to a file has its target", () => {
    expect(pages.length).toBeGreaterThan(300);
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/(?:href|src)="([^"#]+)[^"]*"/g)]
        .map(([, link = ""]) => link)
        .filter((link) => !/^(https?|data):/.test(link) && !existsSync(resolve(site, dirname(page), decodeURI(link))))
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it("shows an export with its example and its guides", () => {
    const page = read("functions/tsop.createOrUpdate.html");
    expect(page).toContain("Example");
    expect(page).toContain("../documents/Writing_controllers.html");
  });
});
