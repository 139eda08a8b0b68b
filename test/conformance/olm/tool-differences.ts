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

/** Sorts the related images of a bundle in a catalog. */
function inOrder(document: any): unknown {
  const relatedImages = document.relatedImages?.toSorted((a: any, b: any) => (a.image < b.image ? -1 : 1));
  return { ...document, relatedImages };
}

/** What tsop does otherwise than operator-sdk, and why. Both sides are compared without it. */
const toolDifferences: readonly { readonly reason: string; readonly drop: (steps: Steps) => Steps }[] = [
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
    reason: "operator-sdk sets the type of the CatalogSource with its address, tsop at once",
    drop: change("create", "catalogsources", (body) => ({ ...body, spec: { ...body.spec, sourceType: undefined } })),
  },
  {
    reason: "whether OLM has labelled an InstallPlan before it is approved is a matter of time",
    drop: change("update", "installplans", ({ metadata, ...plan }) => ({
      ...plan,
      metadata: { ...metadata, labels: undefined },
    })),
  },
  {
    reason: "images are in the order of their names, which begin with the registry's address",
    drop: change("*", "configmaps", ({ binaryData, ...map }) => ({
      ...map,
      catalog: binaryData.extraFBC.map(inOrder),
    })),
  },
  {
    reason: "operator-sdk does not give the pull secret to the registry pod, whose image may be private, too",
    drop: change("create", "pods", ({ spec, ...pod }) => ({ ...pod, spec: { ...spec, imagePullSecrets: undefined } })),
  },
  {
    reason: "operator-sdk restricts only the second container, so that a restricted namespace refuses its pod",
    drop: change("create", "pods", ({ spec, ...pod }) => {
      const initContainers = spec.initContainers.map((each: any) => ({ ...each, securityContext: undefined }));
      return { ...pod, spec: { ...spec, initContainers } };
    }),
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
    reason: "operator-sdk takes an upgrade for done whose InstallPlan has failed, and cleans up the old CSV alone",
    drop: (steps) => {
      const isLost = steps.some(({ writes }) => JSON.stringify(writes).includes("lost-thing-bundle"));
      const before = steps.filter(({ step }) => step !== "cleanup");
      return isLost ? before.map((step) => ({ ...step, error: "" })) : steps;
    },
  },
  {
    reason: "tsop deletes the CSVs that are being replaced, too, which OLM keeps for ever without their replacement",
    drop: (steps) =>
      steps.map((step) => {
        const isCsv = ({ verb, resource }: Write): boolean =>
          verb === "delete" && resource === "clusterserviceversions";
        const last = step.writes.findLastIndex(isCsv);
        return { ...step, writes: step.writes.filter((write, index) => !isCsv(write) || index === last) };
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
