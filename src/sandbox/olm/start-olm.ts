import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { runCatalogSources } from "./catalog-source-controller.ts";
import { runCopiedCsvs } from "./copied-csvs.ts";
import { runCsvs } from "./csv-controller.ts";
import { runInstallPlans } from "./install-plan-controller.ts";
import { runOperatorGroups } from "./operator-group-controller.ts";
import { runSubscriptions } from "./subscription-controller.ts";
import { isAlreadyExists } from "../../apimachinery/status.ts";
import type { Client } from "../../client/client.ts";
import { installCrds } from "../../client/manifests/install-crds.ts";
import { NamespaceKind } from "../simulation/context/simulated-kinds.ts";
import type { Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { crdOf, openSchema } from "../../client/manifests/crd-of.ts";
import * as kinds from "../../client/manifests/olm-kinds.ts";

const controllers = [
  runCatalogSources,
  runOperatorGroups,
  runSubscriptions,
  runInstallPlans,
  runCsvs,
  runCopiedCsvs,
] as const;

/** Simulates the Operator Lifecycle Manager until the signal aborts. */
export async function startOlm(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:olm:olm-operator-serviceaccount");
  await Promise.all(controllers.map((run) => run(context, client)));
}

/** Creates the objects of an installation of OLM: its CRDs and its namespaces. */
export async function installOlm(client: Client, signal: AbortSignal): Promise<void> {
  await installCrds(client, olmCrds(), { signal });
  for (const name of ["olm", "operators"]) {
    const namespace = { metadata: { name } };
    await client.create(NamespaceKind, namespace).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }
}

interface Shape {
  readonly kind: Kind;
  readonly shortNames?: readonly string[];
  /** Columns of `kubectl get`, as `Name:path`. */
  readonly columns?: string;
  /** Fields of the spec that have a default. */
  readonly spec?: object;
}

const shapes: readonly Shape[] = [
  {
    kind: kinds.CatalogSourceKind,
    shortNames: ["catsrc"],
    columns:
      "Display:.spec.displayName|Type:.spec.sourceType|Publisher:.spec.publisher|Age:.metadata.creationTimestamp",
  },
  {
    kind: kinds.SubscriptionKind,
    shortNames: ["sub", "subs"],
    columns: "Package:.spec.name|Source:.spec.source|Channel:.spec.channel",
  },
  {
    kind: kinds.InstallPlanKind,
    shortNames: ["ip"],
    columns: "CSV:.spec.clusterServiceVersionNames[0]|Approval:.spec.approval|Approved:.spec.approved",
  },
  {
    kind: kinds.CsvKind,
    shortNames: ["csv", "csvs"],
    columns: "Display:.spec.displayName|Version:.spec.version|Replaces:.spec.replaces|Phase:.status.phase",
  },
  {
    kind: kinds.OperatorGroupKind,
    shortNames: ["og"],
    spec: { upgradeStrategy: { type: "string", default: "Default" } },
  },
  { kind: kinds.OperatorConditionKind, shortNames: ["condition"] },
];

/** Returns OLM's CRDs. Their fields are not checked: the simulation reads what it knows. */
export function olmCrds(): UnstructuredObject[] {
  return shapes.map(({ kind, shortNames, columns, spec }) =>
    crdOf(kind, {
      names: { categories: ["olm"], ...(shortNames && { shortNames }) },
      version: {
        subresources: { status: {} },
        ...(columns && { additionalPrinterColumns: columns.split("|").map(columnOf) }),
      },
      schema: {
        type: "object",
        properties: { spec: { ...openSchema, ...(spec && { properties: spec }) }, status: openSchema },
      },
    }),
  );
}

function columnOf(text: string): object {
  const [name = "", jsonPath = ""] = text.split(":");
  const type = name === "Age" ? "date" : name === "Approved" ? "boolean" : "string";
  return { name, type, jsonPath };
}
