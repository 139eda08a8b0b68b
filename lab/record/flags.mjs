// Records the flags of kube-apiserver with their types, and its admission plugins:
//   KUBEBUILDER_ASSETS=FOLDER node lab/record/flags.mjs
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const help = execFileSync(join(process.env.KUBEBUILDER_ASSETS, "kube-apiserver"), ["--help"], { encoding: "utf8" });
// The name is followed by its type, unless it is a boolean, and by at least two blanks.
const found = [...help.matchAll(/^ +(?:-\w, )?--([\w-]+)(?: (\S+))? {2,}/gm)];
const flags = Object.fromEntries(found.map(([, name, type = "bool"]) => [name, type]).toSorted());
const [, text = "", defaults = "", all = ""] =
  /^ +--enable-admission-plugins strings +(.*?\((.*?)\).*?plugins: (.*?)\..*)$/m.exec(help) ?? [];
if (found.length < 100 || text === "") throw new Error("the help of kube-apiserver is not as expected");
const plugins = { default: defaults.split(", ").toSorted(), all: all.split(", ").toSorted() };
const file = new URL("../../src/sandbox/envtest/flags.json", import.meta.url);
writeFileSync(file, `${JSON.stringify({ flags, plugins }, undefined, 1)}\n`);
