// Records what the real operator-sdk and opm make of the cases, so that the tests run without them.
// Usage: node test/unit/olm/record.mjs FOLDER_OF_THE_TOOLS [bundles|findings|scorecard|catalog …]
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [tools, ...wanted] = process.argv.slice(2);
const part = (name) => readFileSync(join(here, "cases/parts", `${name}.yaml`), "utf8");

const project = `domain: example.com
layout:
- go.kubebuilder.io/v4
projectName: memcached-operator
repo: example.com/memcached-operator
version: "3"
`;

const recorders = { bundles };
for (const [name, record] of Object.entries(recorders)) {
  if (wanted.length === 0 || wanted.includes(name)) record();
}

function bundles() {
  const target = join(here, "recorded/bundles");
  rmSync(target, { recursive: true, force: true });
  for (const [name, { parts, base, flags }] of Object.entries(readJson("cases/bundles.json"))) {
    inFolder((folder) => {
      writeFileSync(join(folder, "PROJECT"), project);
      if (base) write(join(folder, "config/manifests/bases/memcached-operator.clusterserviceversion.yaml"), part(base));
      const input = parts.map(part).join("---\n");
      execFileSync(
        "/bin/sh",
        ["-c", 'cat input.yaml | "$0" generate bundle "$@"', join(tools, "operator-sdk"), ...flags],
        {
          cwd: writeInput(folder, input),
          stdio: ["ignore", "ignore", "pipe"],
        },
      );
      for (const made of ["bundle", "out", "bundle.Dockerfile"])
        copyIfThere(join(folder, made), join(target, name, made));
    });
  }
}

function writeInput(folder, text) {
  write(join(folder, "input.yaml"), text);
  return folder;
}

function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "tsop-record-"));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function copyIfThere(from, to) {
  try {
    cpSync(from, to, { recursive: true });
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(join(here, path), "utf8"));
}
