import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type AuditEvent, requestText } from "../../../src/apiserver/audit/audit-event.ts";
import { parseDocuments } from "../../../src/client/manifests/parse-documents.ts";

/** A write that a tool has asked of a server. */
export interface Write {
  readonly verb: string;
  readonly resource: string;
  readonly name: string;
  readonly body?: any;
}

const writing = new Set(["create", "update", "patch", "delete", "deletecollection"]);

/** Policy of kube-apiserver for a log of writes with their bodies. */
export const auditPolicy: string = JSON.stringify({
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "None", verbs: ["get", "list", "watch"] }, { level: "Request" }],
});

/** Reads the successful writes of the client with a user agent from kube-apiserver's log. */
export function loggedWrites(file: string, agent: string): Write[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.includes(`"userAgent":"${agent}`))
    .map((line) => JSON.parse(line))
    .filter(({ responseStatus }) => responseStatus.code < 300)
    .map(({ verb, objectRef, requestObject }) => ({
      verb,
      resource: [objectRef.resource, objectRef.subresource].filter(Boolean).join("/"),
      name: objectRef.name ?? requestObject?.metadata?.name ?? "",
      body: requestObject,
    }));
}

/** Returns the write of a request to the embedded server, if it is a successful one. */
export function auditedWrite({ verb, target, request, response }: AuditEvent): Write | undefined {
  if (!target || !writing.has(verb) || response.status >= 300) return undefined;
  const text = requestText(request);
  const body = text === "" ? undefined : JSON.parse(text);
  return {
    verb,
    resource: [target.resource, target.subresource].filter(Boolean).join("/"),
    name: target.name ?? body?.metadata?.name ?? "",
    body,
  };
}

/** Returns writes without what differs from run to run, the registry's address and the namespace included. */
export function normalizeWrites(
  writes: readonly Write[],
  { namespace, host }: { namespace: string; host: string },
): Write[] {
  const text = JSON.stringify(
    writes.map((write) => ({ ...write, body: withPullPolicies(withoutServerFields(write.body)) })),
    (key, value) => (key === "extraFBC" ? readCatalog(value) : isDefault(key, value) ? undefined : value),
  );
  return JSON.parse(
    text
      // A server adds the old name of serviceAccountName.
      .replace(/"serviceAccount":"[^"]*",?/g, "")
      .replaceAll(host, "registry.example.com")
      .replaceAll(host.replace(/[.:]/g, "-"), "registry-example-com")
      .replaceAll(namespace, "{ns}")
      .replace(/\b(\d+\.){3}\d+:50051/g, "{ip}:50051")
      .replace(/"uid":"[0-9a-f-]{36}"/g, '"uid":"{uid}"')
      .replace(/install-[a-z0-9]{5}\b/g, "install-{suffix}"),
  );
}

function withoutServerFields(body: any): any {
  if (body?.metadata === undefined) return body;
  const {
    managedFields: _,
    resourceVersion: _2,
    uid: _3,
    creationTimestamp: _4,
    generation: _5,
    ...metadata
  } = body.metadata;
  const { status: _6, ...rest } = body;
  return { ...rest, metadata };
}

/** Adds to the containers of a pod the pull policy that a server gives them, by the tag of the image. */
function withPullPolicies(body: any): unknown {
  if (body?.kind !== "Pod") return body;
  const policyOf = (image: string): string => (image.endsWith(":latest") ? "Always" : "IfNotPresent");
  const fill = (containers: any[]) =>
    containers.map((each) => ({ ...each, imagePullPolicy: each.imagePullPolicy ?? policyOf(each.image) }));
  const { initContainers = [], containers } = body.spec;
  return { ...body, spec: { ...body.spec, initContainers: fill(initContainers), containers: fill(containers) } };
}

/** Returns the documents of a part of a catalog; objects of a bundle are named instead of shown. */
function readCatalog(data: string): unknown[] {
  const text = gunzipSync(Buffer.from(data, "base64")).toString("utf8");
  return (parseDocuments(text, "catalog") as { properties?: { type: string; value: any }[] }[]).map((document) => {
    const properties = document.properties?.map(({ type, value }) => {
      if (type !== "olm.bundle.object") return { type, value };
      const { kind, metadata } = JSON.parse(Buffer.from(value.data, "base64").toString("utf8"));
      return { type, value: `${kind} ${metadata.name}` };
    });
    return properties ? { ...document, properties } : document;
  });
}

const defaults: Readonly<Record<string, unknown>> = {
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
  dnsPolicy: "ClusterFirst",
  enableServiceLinks: true,
  restartPolicy: "Always",
  schedulerName: "default-scheduler",
  terminationGracePeriodSeconds: 30,
  defaultMode: 420,
  protocol: "TCP",
  upgradeStrategy: "Default",
  resources: {},
  securityContext: {},
  icon: { base64data: "", mediatype: "" },
  blockOwnerDeletion: false,
  controller: false,
  readOnlyRootFilesystem: false,
};

/** Reports what a server adds before it logs a request, and Go's zero values. */
function isDefault(key: string, value: unknown): boolean {
  return key in defaults && JSON.stringify(defaults[key]) === JSON.stringify(value);
}
