// Packs the packages that a release publishes, after it has checked version, date and tag: `node build/release.mjs` writes
// tsop-VERSION.tgz, and create-tsop-VERSION.tgz for `npm create tsop`. A workflow runs it for a tag, and publishes the file in a job of its own.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const file = "package.json";
const { private: _, ...manifest } = JSON.parse(readFileSync(file, "utf8"));
const { version } = manifest;
const { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: repository, GITHUB_SERVER_URL: host } = process.env;

/** Ends the release before anything is packed. */
function refuse(reason) {
  process.stderr.write(`not packed: ${reason}\n`);
  process.exit(1);
}

const [, title = "", date = ""] = /^## (\S+) \(([^)]*)\)$/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? [];
if (title !== version) refuse(`the first version in CHANGELOG.md is ${title}, and package.json has ${version}`);
if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) refuse(`CHANGELOG.md has no date for ${version}, but “${date}”`);
const changes = existsSync("changes") ? readdirSync("changes").filter((name) => name !== "README.md") : [];
if (changes.length > 0) refuse(`CHANGELOG.md lacks ${changes}: run node build/collect-changes.mjs ${version}`);
if (tag !== undefined && tag !== `v${version}`) refuse(`the tag is ${tag}, and not v${version}`);

// The checkout is private, so that nobody publishes it by accident, and projects of its users contain a copy of it.
const url = repository && `git+${host}/${repository}.git`;
const shared = { version, ...(url && { repository: { type: "git", url } }) };
const creator = "build/create-tsop/package.json";
const { private: _creator, ...ofCreator } = JSON.parse(readFileSync(creator, "utf8"));
pack(file, { ...manifest, ...shared }, []);
pack(creator, { ...ofCreator, ...shared, dependencies: { tsop: version } }, ["./build/create-tsop"]);

/** Packs a package with another package.json than the checkout's. */
function pack(path, published, where) {
  const committed = readFileSync(path, "utf8");
  writeFileSync(path, `${JSON.stringify(published, undefined, 2)}\n`);
  try {
    const { status } = spawnSync("npm", ["pack", ...where, ...process.argv.slice(2)], { stdio: "inherit" });
    process.exitCode ||= status ?? 1;
  } finally {
    writeFileSync(path, committed);
  }
}
