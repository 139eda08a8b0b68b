import type { Write } from "./writes.ts";

/** An action of a user: its error, if any, and what the tool has written. */
export interface Step {
  readonly step: string;
  readonly error: string;
  readonly writes: readonly Write[];
}

type Steps = readonly Step[];

/** Changes each write of a verb and resource, or drops it. */
function change(verb: string, resource: string, to: (body: any, write: Write) => unknown): (steps: Steps) => Steps {
  const isMeant = (write: Write): boolean =>
    (verb === "*" || write.verb === verb) && (resource === "*" || write.resource === resource);
  return (steps) =>
    steps.map((step) => ({
      ...step,
      writes: step.writes.map((write) => (isMeant(write) ? { ...write, body: to(write.body, write) } : write)),
    }));
}

/** What tsop does otherwise than operator-sdk, and why. Both sides are compared without it. */
export const toolDifferences: readonly { readonly reason: string; readonly drop: (steps: Steps) => Steps }[] = [
  {
    reason: "the texts of errors are tsop's own, with a hint and the state of what was waited for",
    drop: (steps) => steps.map((step) => ({ ...step, error: step.error === "" ? "" : "an error" })),
  },
  {
    reason: "operator-sdk names a pull secret without a name, if there is none, and one more at each upgrade",
    drop: change("*", "catalogsources", (body) => {
      const secrets = body.spec?.secrets?.filter((name: string) => name !== "");
      return { ...body, spec: { ...body.spec, secrets: secrets?.length > 0 ? secrets : undefined } };
    }),
  },
  {
    reason: "operator-sdk creates the CatalogSource without a type, which OLM reports as invalid until it has one",
    drop: change("create", "catalogsources", (body) => ({ ...body, spec: { ...body.spec, sourceType: undefined } })),
  },
  {
    reason: "the registry pod unpacks its catalog with a line for each ConfigMap, not with a loop over what it finds",
    drop: change("create", "pods", ({ spec, ...pod }) => {
      const without = (container: any) => ({ ...container, volumeMounts: undefined });
      const initContainers = spec.initContainers.map((each: any) => ({ ...without(each), command: undefined }));
      return {
        ...pod,
        spec: { ...spec, volumes: undefined, initContainers, containers: spec.containers.map(without) },
      };
    }),
  },
  {
    reason: "tsop deletes only the object that it has read, by its uid, and its dependents after it",
    drop: change("delete", "*", () => undefined),
  },
];

/** Returns the steps without the known differences. */
export function comparableSteps(steps: Steps): unknown {
  return JSON.parse(JSON.stringify(toolDifferences.reduce((all, { drop }) => drop(all), steps)));
}
