import { dirname, resolve } from "node:path";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { parseDocuments } from "../../client/manifests/parse-documents.ts";
import { readManifests, requireManifestFiles } from "../../client/manifests/read-manifests.ts";
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
    const action = await parseAction(rest, dirname(file)).catch((error: unknown) => {
      if (error instanceof WrongStep) return refuse(`the step “${name}” ${error.message}`);
      throw error;
    });
    parsed.push({ name, action });
  }
  return { steps: parsed };
}

/** The problem of a step. */
class WrongStep extends Error {}

/** The actions, each with the field that it requires. */
const actions = { apply: undefined, patch: "with", delete: undefined, waitFor: "condition" } as const;
type ActionName = keyof typeof actions;

async function parseAction(step: Record<string, unknown>, folder: string): Promise<Action> {
  const name = actionOf(step);
  const value = step[name];
  if (name === "apply") {
    if (typeof value === "string") {
      const path = resolve(folder, value);
      await requireManifestFiles(path);
      const manifests = await readManifests(path);
      return { type: "apply", objects: manifests.map(({ object }) => object) };
    }
    if (!Array.isArray(value) || !value.every(isNamedObject))
      throw new WrongStep("needs a path or a list of objects, each with apiVersion, kind and metadata.name, in apply");
    return { type: "apply", objects: value as UnstructuredObject[] };
  }
  const target = refIn(value);
  if (!target) throw new WrongStep(`needs an object with apiVersion, kind and name in ${name}`);
  if (name === "delete") return { type: "delete", targets: [target] };
  if (name === "patch") {
    if (!isObject(step["with"])) throw new WrongStep("needs a merge patch in with");
    return { type: "patch", target, patch: step["with"] };
  }
  if (typeof step["condition"] !== "string") throw new WrongStep("needs a text such as Available=True in condition");
  const [condition = "", status = "True"] = step["condition"].split("=");
  return { type: "wait", target, condition, status };
}

/** Returns the only action of a step. The step must not have fields of other actions. */
function actionOf(step: Record<string, unknown>): ActionName {
  const found = (Object.keys(actions) as ActionName[]).filter((name) => name in step);
  const [name] = found;
  if (name === undefined || found.length > 1)
    throw new WrongStep(`needs one of ${Object.keys(actions).join(", ")}${listOf(Object.keys(step))}`);
  const unknown = Object.keys(step).filter((key) => key !== name && key !== actions[name]);
  if (unknown.length > 0) throw new WrongStep(`has fields that ${name} does not take: ${unknown.join(", ")}`);
  return name;
}

function listOf(fields: readonly string[]): string {
  return fields.length > 0 ? `; it has ${fields.join(", ")}` : "";
}

function isNamedObject(value: unknown): boolean {
  return (
    isObject(value) && refIn({ ...value, name: isObject(value["metadata"]) && value["metadata"]["name"] }) !== undefined
  );
}

function refIn(value: unknown): ObjectRef | undefined {
  const { apiVersion, kind, namespace, name } = (isObject(value) ? value : {}) as Partial<ObjectRef>;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || typeof name !== "string") return undefined;
  if (namespace === undefined) return { apiVersion, kind, name };
  return typeof namespace === "string" ? { apiVersion, kind, namespace, name } : undefined;
}
