// `node build/collect-changes.mjs VERSION` moves the entries in changes/ to CHANGELOG.md, as a version without a date.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const sections = { tool: "The tool", library: "The library", server: "The embedded API server" };
const version = process.argv[2];
const files = readdirSync("changes").filter((name) => name !== "README.md");

function refuse(reason) {
  process.stderr.write(`nothing collected: ${reason}\n`);
  process.exit(1);
}

if (!/^\d+\.\d+\.\d+$/.test(version ?? "")) refuse("name the version, as in node build/collect-changes.mjs 0.2.0");
if (files.length === 0) refuse("changes/ has no entries");
const misnamed = files.filter(
  (name) => !Object.keys(sections).some((each) => new RegExp(`^${each}-.+\\.md$`).test(name)),
);
if (misnamed.length > 0) refuse(`${misnamed} must begin with tool-, library- or server-, and end with .md`);

const texts = Object.entries(sections).flatMap(([prefix, heading]) => {
  const own = files.filter((name) => name.startsWith(`${prefix}-`)).toSorted();
  const entries = own.map((name) => readFileSync(join("changes", name), "utf8").trim());
  return entries.length === 0 ? [] : [`### ${heading}\n\n${entries.join("\n")}\n`];
});
const changelog = readFileSync("CHANGELOG.md", "utf8");
const first = changelog.indexOf("\n## ") + 1;
const added = `## ${version} (unreleased)\n\n${texts.join("\n")}\n`;
writeFileSync("CHANGELOG.md", changelog.slice(0, first) + added + changelog.slice(first));
for (const name of files) rmSync(join("changes", name));
