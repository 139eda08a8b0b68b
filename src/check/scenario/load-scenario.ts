import { dirname, resolve } from "node:path";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { parseDocuments } from "../../manifests/parse-documents.ts";
import { readManifestsToApply } from "../../manifests/read-manifests.ts";
import type { Action, ObjectRef, Scenario, Step } from "./scenario.ts";

/** Reads a scenario: `steps`, each with a name and one action. Paths are relative to the file. */
export async function parseScenario(text: string, file: string): Promise<Scenario> {
  const [document] = parseDocuments(text, file);
  const refuse = (reason: string): never => {
    throw new TsopError("TSOP_CHECK_SCENARIO_INVALID", { file, reason });
  };
  const { steps } = (isObject(document) ? document : {}) as { steps?: unknown };
  if (!Array.isArray(steps) || steps.length === 0) return refuse("it has no steps");
  const parsed: Step[] = [];
  for (const [index, step] of steps.entries()) {
    const { name = `step ${index + 1}`, ...rest } = (isObject(step) ? step : {}) as { name?: unknown };
    if (typeof name !== "string" || parsed.some((other) => other.name === name))
      return refuse(`step ${index + 1} needs a name of its own`);
    const action = await parseAction(rest, dirname(file));
    if (action === undefined) return refuse(`the step “${name}” needs one of apply, patch, delete, waitFor`);
    parsed.push({ name, action });
  }
  return { steps: parsed };
}

async function parseAction(step: Record<string, unknown>, folder: string): Promise<Action | undefined> {
  if (typeof step["apply"] === "string") {
    const manifests = await readManifestsToApply(resolve(folder, step["apply"]));
    return { type: "apply", objects: manifests.map(({ object }) => object) };
  }
  if (Array.isArray(step["apply"])) return { type: "apply", objects: step["apply"] as UnstructuredObject[] };
  const target = refIn(step["patch"] ?? step["waitFor"] ?? step["delete"]);
  if (!target) return undefined;
  if ("patch" in step && isObject(step["with"])) return { type: "patch", target, patch: step["with"] };
  if ("waitFor" in step && typeof step["condition"] === "string") {
    const [condition = "", status = "True"] = step["condition"].split("=");
    return { type: "wait", target, condition, status };
  }
  return "delete" in step ? { type: "delete", targets: [target] } : undefined;
}

function refIn(value: unknown): ObjectRef | undefined {
  const { apiVersion, kind, namespace, name } = (isObject(value) ? value : {}) as Partial<ObjectRef>;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || typeof name !== "string") return undefined;
  if (namespace === undefined) return { apiVersion, kind, name };
  return typeof namespace === "string" ? { apiVersion, kind, namespace, name } : undefined;
}
