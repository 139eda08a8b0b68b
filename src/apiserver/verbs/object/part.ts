import { invalidError } from "../../../apimachinery/invalid-error.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { apiVersionOf, parseApiVersion } from "../../../apimachinery/kind.ts";
import { cloneJson } from "../../../apimachinery/clone.ts";
import { builtinSchema } from "../../../apimachinery/builtin/builtin-schema.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import type { ManagedFieldsEntry, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { ServedResource, ResourceEntry, Strategy } from "../../registry/served-resource.ts";
import type { Call } from "../request/call.ts";
import { withApproval } from "../../kinds/certificates/certificate-signing-request.ts";
import { setEphemeralContainers, setResources } from "../../kinds/core/pod/pod-parts.ts";
import { invalid as invalidField } from "../../../apimachinery/field-error.ts";
import { formatLabelSelector } from "../../../apimachinery/selectors.ts";
import { unmetPrecondition } from "../../refusals.ts";
import { valueAt } from "../../kinds/printing/field-access.ts";
import { namesOf, setAt } from "../../registry/simple-path.ts";
import { managersAfterScale, scaleManagers } from "../../ssa/scale-managers.ts";
import { child, fill } from "../../../apimachinery/fields.ts";

/** The part of an object that a path reads and writes: the whole, or a subresource. */
interface Part {
  readonly kind: string;
  readonly apiVersion: string;
  show(object: UnstructuredObject): UnstructuredObject;
  /** Returns the object with the sent part, which may be used without a copy. */
  write(sent: UnstructuredObject, live: UnstructuredObject): UnstructuredObject;
  schema(): JsonSchema | undefined;
  /** Returns the managers of the shown fields. */
  managersOf(object: UnstructuredObject): ManagedFieldsEntry[] | undefined;
  /** Returns the managers of the object after those of the part have changed. */
  managersAfter(changed: ManagedFieldsEntry[] | undefined, live: UnstructuredObject): ManagedFieldsEntry[] | undefined;
}

/** Returns the part that the URL names. */
export function partOf(call: Call): Part {
  const { resource } = call.entry;
  const apiVersion = apiVersionOf(resource);
  const whole: Part = {
    kind: resource.kind,
    apiVersion,
    show: same,
    write: same,
    schema: () => resource.schema(),
    managersOf: ({ metadata }) => metadata.managedFields,
    managersAfter: (changed) => changed,
  };
  switch (call.subresource ?? "") {
    case "scale": {
      const field = { apiVersion, pathIn: (version: string) => scaledPath(call, version) };
      return {
        kind: "Scale",
        apiVersion: "autoscaling/v1",
        show: (object) => scaleOf(resource, object),
        write: (sent, live) => withScale(call, live, sent),
        schema: () => builtinSchema("io.k8s.api.autoscaling.v1.Scale"),
        managersOf: ({ metadata }) => scaleManagers(metadata.managedFields, field),
        managersAfter: (changed, { metadata }) => managersAfterScale(metadata.managedFields, changed, field),
      };
    }
    case "status":
      return { ...whole, write: (sent, live) => onlyStatus(call, sent, live) };
    case "approval":
      return { ...whole, write: (sent, live) => withApproval(sent, live, timestamp(call.core.clock.now())) };
    case "ephemeralcontainers":
      return { ...whole, write: (sent, live) => setEphemeralContainers(withPreconditions(live, sent), sent) };
    case "resize":
      return { ...whole, write: (sent, live) => setResources(withPreconditions(live, sent), sent) };
    case "finalize":
      return { ...whole, write: withoutStatus };
    default:
      return whole;
  }
}

function same(object: UnstructuredObject): UnstructuredObject {
  return object;
}

/** Returns the namespace that `/finalize` writes: all but the status, and only here the finalizers of its spec. */
function withoutStatus(sent: UnstructuredObject, live: UnstructuredObject): UnstructuredObject {
  const wanted = { ...sent, spec: sent["spec"] ?? {}, status: cloneJson(live["status"]) };
  const { finalizers = [] } = wanted.spec as { finalizers?: string[] };
  if (finalizers.length === 0) wanted.spec = {};
  return wanted;
}

/** The paths of the fields that `/scale` shows. */
interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

const builtinPaths: ScalePaths = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".spec.selector",
};

function replicasPath({ custom }: ServedResource): string {
  return (custom?.scale ?? builtinPaths).specReplicasPath;
}

/** Returns the names on the path to the replicas in a version; `undefined` if that version can't be scaled. */
function scaledPath({ core, entry: { resource } }: Call, apiVersion: string): readonly string[] | undefined {
  const { group, version } = parseApiVersion(apiVersion);
  if (!resource.custom || version === resource.version) return namesOf(replicasPath(resource));
  const scale = core.registry.find(group, version, resource.plural)?.resource.custom?.scale;
  return scale && namesOf(scale.specReplicasPath);
}

/** Returns the `autoscaling/v1 Scale` of an object. */
function scaleOf(resource: ServedResource, object: UnstructuredObject): UnstructuredObject {
  const paths = resource.custom?.scale ?? builtinPaths;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const at = (path: string): unknown => valueAt(object, ...namesOf(path));
  const replicas = at(paths.specReplicasPath);
  const selector = selectorText(paths.labelSelectorPath && at(paths.labelSelectorPath));
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: dropUndefined({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: typeof replicas === "number" && replicas !== 0 ? { replicas } : {},
    status: dropUndefined({ replicas: numberOr(at(paths.statusReplicasPath), 0), selector }),
  };
}

/** Returns the object with the replicas of a Scale; the Scale's metadata are preconditions. */
function withScale(call: Call, live: UnstructuredObject, scale: UnstructuredObject): UnstructuredObject {
  const { resource } = call.entry;
  const replicas = numberOr((scale["spec"] as { replicas?: unknown } | undefined)?.replicas, 0);
  const { name = call.name, uid, resourceVersion } = scale.metadata;
  if (uid !== undefined && uid !== live.metadata.uid)
    throw unmetPrecondition(resource, name, ["UID", uid, live.metadata.uid]);
  if (replicas < 0 && !resource.custom)
    throw invalidError({ group: "autoscaling", kind: "Scale" }, name, [
      invalidField("spec.replicas", replicas, "must be greater than or equal to 0"),
    ]);
  const wanted = cloneJson(live);
  if (resourceVersion === undefined) delete wanted.metadata.resourceVersion;
  else wanted.metadata.resourceVersion = resourceVersion;
  setAt(wanted, replicasPath(resource), replicas);
  return wanted;
}

/** Returns a selector as text: custom resources store text, built-in ones a LabelSelector. */
function selectorText(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "object" && value !== null ? formatLabelSelector(value) : undefined;
}

function numberOr(value: unknown, other: number): number {
  return typeof value === "number" ? value : other;
}

/** Returns the live object with the parts that `/status` writes: the status, and the preconditions in the metadata. */
function onlyStatus(call: Call, sent: UnstructuredObject, live: UnstructuredObject): UnstructuredObject {
  const wanted = withPreconditions(live, sent);
  if (takesWholeMeta(call.entry)) wanted.metadata = { ...sent.metadata };
  if (sent["status"] === undefined) delete wanted["status"];
  else wanted["status"] = sent["status"];
  return wanted;
}

/** Returns a copy of the live object with the preconditions in the metadata of the sent one. */
function withPreconditions(live: UnstructuredObject, sent: UnstructuredObject): UnstructuredObject {
  const wanted = cloneJson(live);
  const { name, namespace, uid, resourceVersion } = sent.metadata;
  if (resourceVersion === undefined) delete wanted.metadata.resourceVersion;
  Object.assign(wanted.metadata, dropUndefined({ name, namespace, uid, resourceVersion }));
  return wanted;
}

/** Reports whether `/status` writes the metadata too, as for most built-in kinds. */
export function takesWholeMeta({ resource }: ResourceEntry): boolean {
  return resource.custom === undefined && !statusOnly.has(resource.kind);
}

const statusOnly = new Set([
  "CustomResourceDefinition",
  "DeviceClass",
  "ResourceClaim",
  "ValidatingAdmissionPolicy",
  "VolumeAttachment",
]);

/** Returns the fields that have a value. */
export function dropUndefined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Reports whether a subresource has a kind of its own, as the eviction of a pod has, or the scale of a Deployment. */
export function hasOwnKind({ subresources, kind }: ServedResource, subresource: string | undefined): boolean {
  return subresources.some((part) => part.name === subresource && part.kind !== kind);
}

const tokenRequest: Strategy = {
  applyDefaults: (request) => fill(child(request, "spec"), { expirationSeconds: 3600 }),
};

/** Returns a call as one about objects of the kind of its subresource. A subresource of the object's kind is as before. */
export function ofPartKind(call: Call): Call {
  const { entry, subresource } = call;
  const part = entry.resource.subresources.find(({ name }) => name === subresource);
  if (!part || part.kind === entry.resource.kind) return call;
  const { custom: _, ...whole } = entry.resource;
  const { group = whole.group, version = whole.version, kind } = part;
  const type = `io.k8s.api.${group.split(".")[0] || "core"}.${version}.${kind}`;
  const resource = {
    ...whole,
    group,
    version,
    kind,
    schema: () => builtinSchema(type, call.core.builtins),
    subresources: [],
  };
  return { ...call, entry: { ...entry, resource, type, strategy: kind === "TokenRequest" ? tokenRequest : {} } };
}
