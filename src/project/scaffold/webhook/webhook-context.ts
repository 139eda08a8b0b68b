import type { Project, Resource } from "../../project.ts";
import { apiContext, kindImport, upperCamel, type ApiContext } from "../api/api-context.ts";
import { relativeImport } from "../draft/relative-import.ts";
import { webhookSuite } from "../draft/set-up-entries.ts";

/** The names of a kind's webhooks, in addition to those of the kind. */
export interface WebhookContext extends ApiContext {
  /** `webhooks/v1`, with the group in it if the project has several groups. */
  readonly webhookFolder: string;
  readonly webhookName: string;
  /** The group, or the project's domain if the group is empty. */
  readonly annotationPrefix: string;
  readonly defaultingPath: string;
  readonly customDefaultingPath: boolean;
  readonly validationPath: string;
  readonly customValidationPath: boolean;
  /** File name of the CRD's patch, without `.yaml`. */
  readonly crdPatch: string;
  /** The import of the server that serves the webhooks in tests. */
  readonly suiteImport: string;
  /** The imports of the tests from `tsop/testing`. */
  readonly testingImport: string;
  readonly ownKind: boolean;
  /** The object that tests create, for built-in kinds with a known sample. */
  readonly builtinSample: string;
  /** The namespace of test objects, as the first property of their metadata. */
  readonly testNamespace: string;
}

export interface SpokeContext extends WebhookContext {
  readonly hubVersion: string;
  readonly hubImport: string;
  readonly spokeName: string;
  readonly converterImport: string;
  readonly hubSample: string;
}

export function webhookContext(project: Project, resource: Resource, header: string): WebhookContext {
  const context = apiContext(project, resource, { header });
  const { group, apiGroup, lowerKind, version } = context;
  const isMulti = project.multigroup === true && group !== "";
  const withGroup = isMulti || resource.core === true || resource.external === true;
  const webhookFolder = `webhooks/${withGroup ? `${group}/` : ""}${version}`;
  const tail = `${apiGroup.replaceAll(".", "-")}-${version}-${lowerKind}`;
  const { defaultingPath, validationPath } = resource.webhooks ?? {};
  return {
    ...context,
    kindImport: kindImport(project, resource, webhookFolder),
    webhookFolder,
    // The name must be unique in its configuration, which holds the webhooks of all groups.
    webhookName: `${withGroup ? `${group}-` : ""}${lowerKind}-${version}`,
    annotationPrefix: apiGroup || (project.domain ?? project.projectName),
    defaultingPath: defaultingPath ?? `/mutate-${tail}`,
    customDefaultingPath: defaultingPath !== undefined,
    validationPath: validationPath ?? `/validate-${tail}`,
    customValidationPath: validationPath !== undefined,
    crdPatch: `webhook_in_${isMulti ? `${group}_` : ""}${context.plural}`,
    suiteImport: relativeImport(webhookFolder, webhookSuite),
    ...testContext(resource, context),
  };
}

function testContext(
  resource: Resource,
  { external, namespaced }: ApiContext,
): Pick<WebhookContext, "testingImport" | "ownKind" | "builtinSample" | "testNamespace"> {
  const isCore = resource.core === true;
  const place = isCore || namespaced ? 'namespace: "default", ' : "";
  return {
    testingImport: isCore ? "" : external ? "openCrd" : "readObject",
    ownKind: !isCore && !external,
    builtinSample: builtinSample(resource) ?? "{}",
    testNamespace: external ? "...home, " : place,
  };
}

/** Computes the names of a version's conversion to the hub. */
export function spokeContext(project: Project, hub: Resource, spoke: Resource, header: string): SpokeContext {
  const context = webhookContext(project, spoke, header);
  const hubContext = webhookContext(project, hub, header);
  return {
    ...context,
    hubVersion: hub.version,
    hubImport: kindImport(project, hub, context.webhookFolder),
    spokeName: `${context.variable}${upperCamel(spoke.version)}`,
    converterImport: relativeImport(context.webhookFolder, conversionFile(hubContext)),
    hubSample: hubContext.sample,
  };
}

export function conversionFile({ webhookFolder, lowerKind }: WebhookContext): string {
  return `${webhookFolder}/${lowerKind}_conversion.ts`;
}

export function spokeFile({ webhookFolder, lowerKind }: WebhookContext): string {
  return `${webhookFolder}/${lowerKind}_spoke.ts`;
}

/**
 * Returns the smallest valid object of a built-in kind without its metadata, as TypeScript; `undefined` for kinds that
 * rarely have webhooks.
 */
export function builtinSample({ group, kind }: Resource): string | undefined {
  return samples[`${group}/${kind}`];
}

const pod = '{ containers: [{ name: "main", image: "example.com/image:v1" }] }';
const jobPod = pod.replace("{ ", '{ restartPolicy: "Never", ');
const workload = `{
  spec: {
    selector: { matchLabels: { app: "test" } },
    template: {
      metadata: { labels: { app: "test" } },
      spec: ${pod},
    },
  },
}`;

const samples: Readonly<Record<string, string>> = {
  "apps/DaemonSet": workload,
  "apps/Deployment": workload,
  "apps/ReplicaSet": workload,
  "apps/StatefulSet": workload,
  "batch/Job": `{\n  spec: { template: { spec: ${jobPod} } },\n}`,
  "core/ConfigMap": "{}",
  "core/Pod": `{ spec: ${pod} }`,
  "core/Secret": "{}",
  "core/Service": "{ spec: { ports: [{ port: 80 }] } }",
  "core/ServiceAccount": "{}",
};
