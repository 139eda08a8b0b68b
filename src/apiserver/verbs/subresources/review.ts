import { isSince } from "../../../apimachinery/kubernetes-version.ts";
import { invalidError } from "../../../apimachinery/invalid-error.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { invalid as invalidField, type FieldError } from "../../../apimachinery/field-error.ts";
import { issuer } from "../../access/authentication.ts";
import { type Attributes, rulesFor } from "../../access/authorization.ts";
import type { User } from "../../api-server.ts";
import { dropUndefined } from "../object/part.ts";
import type { Answer, Call } from "../request/call.ts";
import { readObject } from "../object/decode-object.ts";
import { readWriteOptions } from "../request/write-options.ts";
import { admitCreated, checkCreated } from "./admit-created.ts";

/** Kinds that answer a question and are never stored. */
const reviews: Readonly<Record<string, (call: Call, spec: Spec) => Record<string, unknown>>> = {
  selfsubjectaccessreviews: (call, spec) => reviewAccess(call, call.request.user, spec),
  subjectaccessreviews: (call, spec) => reviewAccess(call, subjectOf(spec), spec),
  localsubjectaccessreviews: (call, spec) => reviewAccess(call, subjectOf(spec), spec),
  selfsubjectrulesreviews: reviewRules,
  selfsubjectreviews: ({ request }) => ({ userInfo: request.user }),
  tokenreviews: reviewToken,
};

/** Reports whether a resource is a review. */
export function isReview({ entry }: Call): boolean {
  return !entry.resource.custom && entry.resource.plural in reviews;
}

/** Answers a review in its status. */
export async function review(call: Call): Promise<Answer> {
  const { dryRun } = readWriteOptions(call);
  const isAdmitted = !isSince(call.core.builtins.version, "1.37");
  const object = await admitCreated(call, { object: readObject(call), dryRun, isAdmitted });
  const spec = (object["spec"] ?? {}) as Spec;
  checkSpec(call, spec);
  for (const [name, value] of Object.entries(spec.resourceAttributes ?? {}))
    if (value === "") delete spec.resourceAttributes?.[name];
  await checkCreated(call, { object, dryRun, isAdmitted });
  const status = reviews[call.entry.resource.plural]?.(call, spec) ?? {};
  const creationTimestamp = isSelf(call) ? timestamp(call.core.clock.now()) : undefined;
  const metadata = dropUndefined({ creationTimestamp, namespace: call.namespace || undefined });
  return { type: "object", code: 201, body: { ...object, metadata, status } };
}

function isSelf({ entry }: Call): boolean {
  return entry.resource.plural === "selfsubjectreviews";
}

/** Checks that a review names one kind of access and, unless it is a self review, a subject. */
function checkSpec({ core, entry }: Call, { resourceAttributes, nonResourceAttributes, user, groups }: Spec): void {
  const { group, plural } = entry.resource;
  if (!plural.endsWith("subjectaccessreviews")) return;
  const causes: FieldError[] = [];
  if ((resourceAttributes === undefined) === (nonResourceAttributes === undefined)) {
    const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    const field = isSince(core.builtins.version, "1.37") ? "spec" : "spec.resourceAttributes";
    causes.push(invalidField(field, null, why));
  }
  if (!plural.startsWith("self") && !user && !groups?.length)
    causes.push(invalidField("spec.user", "", "at least one of user or group must be specified"));
  // Like a real server's refusal, without the kind.
  if (causes.length) throw invalidError({ group, kind: "" }, "", causes);
}

interface Spec {
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly namespace?: string;
  readonly token?: string;
  readonly audiences?: readonly string[];
  readonly resourceAttributes?: Record<string, string | undefined>;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
}

function subjectOf({ user = "", groups = [] }: Spec): User {
  return { username: user, groups };
}

function reviewAccess({ core }: Call, user: User, spec: Spec): Record<string, unknown> {
  const { allowed, reason } = core.authorize(attributesOf(user, spec));
  return dropUndefined({ allowed, reason });
}

function attributesOf(user: User, { resourceAttributes, nonResourceAttributes }: Spec): Attributes {
  if (nonResourceAttributes)
    return { user, verb: nonResourceAttributes.verb ?? "", path: nonResourceAttributes.path ?? "" };
  const { verb = "", group = "", resource = "", subresource, namespace, name } = resourceAttributes ?? {};
  return { user, verb, group, resource, subresource, namespace, name };
}

/** Returns the rules of the user, for `kubectl auth can-i --list`. */
function reviewRules({ core, request }: Call, { namespace }: Spec): Record<string, unknown> {
  const everything = { verbs: ["*"], apiGroups: ["*"], resources: ["*"] };
  const anyPath = { verbs: ["*"], nonResourceURLs: ["*"] };
  const probe: Attributes = { user: request.user, verb: "*", group: "*", resource: "*" };
  const found = core.authorize(probe).allowed
    ? [everything, anyPath]
    : rulesFor(core.store, request.user, namespace).rules;
  return {
    resourceRules: found.filter((rule) => "resources" in rule),
    nonResourceRules: found.filter((rule) => "nonResourceURLs" in rule),
    incomplete: false,
  };
}

function reviewToken({ core }: Call, { token = "", audiences = [] }: Spec): Record<string, unknown> {
  const found = core.users.identify(token, audiences.length > 0 ? audiences : [issuer]);
  if (found.user) return { authenticated: true, user: found.user, audiences: found.audiences };
  return { user: {}, error: found.problem };
}
