import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowedDifferences, type AllowedDifference } from "./go-tools/allowed-differences.ts";
import { scenarios } from "./go-tools/scenarios.mjs";
import { goldenRoot } from "./scenarios.mjs";
import { writeProject } from "./stored-projects.mjs";
import { temporaryFolder } from "../temporary-folder.ts";

type KubeObject = { apiVersion: string; kind: string; metadata: { name: string } };

const kustomize = findKustomize();
const used = new Set<AllowedDifference>();
const root = temporaryFolder();

// The built output of the Go tools' projects is recorded (go-tools/record.mjs); ours is built here.
describe.skipIf(!kustomize)("compared with the Go tools (skipped without kustomize and kubectl)", () => {
  describe.each(scenarios)("$name of $tool", ({ name, tool }: { name: string; tool: string }) => {
    const file = join(goldenRoot, "go-tools", `${name}.${tool}.json`);
    const recorded = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
    beforeAll(() => writeProject(name, join(root, name)));

    it.each(Object.keys(recorded))("builds %s to the same objects", (folder) => {
      const [theirs, ours] = [objectsOf(recorded[folder]), objectsOf(build(join(root, name, folder)))];
      const found = [...new Set([...theirs.keys(), ...ours.keys()])].flatMap((id) =>
        differences(theirs.get(id), ours.get(id), "").map(({ path, text }) => ({ id, path, text })),
      );
      const unexplained = found.filter(({ id, path }) => {
        const explanation = allowedDifferences.find((each) => each.object.test(id) && each.path.test(path));
        if (explanation) used.add(explanation);
        return !explanation;
      });
      expect(unexplained.map(({ id, path, text }) => `${id} ${path}: ${text}`)).toEqual([]);
    });
  });

  afterAll(() => {
    expect(allowedDifferences.filter((each) => !used.has(each)).map(({ reason }) => reason)).toEqual([]);
  });
});

function findKustomize(): readonly string[] | undefined {
  const assets = process.env["KUBEBUILDER_ASSETS"];
  const candidates = [
    ["kustomize", "build"],
    ["kubectl", "kustomize"],
  ];
  const local = assets && existsSync(join(assets, "kubectl")) ? [[join(assets, "kubectl"), "kustomize"]] : [];
  return [...local, ...candidates].find(([program]) => {
    try {
      execFileSync(program, ["--help"], { stdio: "ignore" });
      return true;
    } catch {
      return false; // not installed: try the next one
    }
  });
}

function build(folder: string): string {
  const [program, ...args] = kustomize!;
  return execFileSync(program, [...args, folder], { encoding: "utf8" });
}

function objectsOf(text: string): Map<string, KubeObject> {
  const objects = (loadAll(text) as (KubeObject | null)[]).filter((object) => object !== null);
  return new Map(objects.map((object) => [`${object.kind}/${object.metadata.name} (${object.apiVersion})`, object]));
}

interface Difference {
  readonly path: string;
  readonly text: string;
}

function differences(theirs: unknown, ours: unknown, path: string): Difference[] {
  if (isObject(theirs) && isObject(ours)) {
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
    return keys.flatMap((key) => differences(theirs[key], ours[key], path ? `${path}.${key}` : key));
  }
  if (theirs === ours) return [];
  return [{ path, text: `${show(theirs)} there, ${show(ours)} here` }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
