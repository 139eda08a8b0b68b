import { randomUUID } from "node:crypto";
import { equalJson } from "../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { applyJsonPatch, JsonPatchError, type JsonPatchOperation } from "../../apimachinery/patch/json-patch.ts";
import { ApiError, failure } from "../../apimachinery/status.ts";
import { messageOf } from "../../errors/message-of.ts";
import { JsonSyntaxError, parseJson } from "../codec/json.ts";
import { badRequest, forbidden, internalError } from "../refusals.ts";
import { inVersion, type AdmissionAttributes, type AdmissionScope, type ShownWrite } from "./admission-attributes.ts";
import { admissionReview, checkReview, decodeReview, type AdmissionResponse } from "./admission-review.ts";
import { callWebhook, type Webhook } from "../call-webhook.ts";
import { matchesWebhook, namespaceOf, versionFor } from "./match-rules.ts";

const group = "admissionregistration.k8s.io";
const mutating = { group, plural: "mutatingwebhookconfigurations" };
const validating = { group, plural: "validatingwebhookconfigurations" };

/** Calls the mutating webhooks one after the other; each sees the changes of those before it. */
export async function mutate(
  scope: AdmissionScope,
  attributes: AdmissionAttributes,
): Promise<UnstructuredObject | undefined> {
  let { object } = attributes;
  const seen = new Map<Webhook, UnstructuredObject | undefined>();
  for (const webhook of await findMatching(scope, mutating, attributes)) {
    object = await mutateOnce(scope, webhook, { ...attributes, object });
    seen.set(webhook, object);
  }
  // Call webhooks with a reinvocation policy again if a later one changed the object.
  for (const [webhook, left] of seen)
    if (webhook.reinvocationPolicy === "IfNeeded" && !equalJson(left, object))
      object = await mutateOnce(scope, webhook, { ...attributes, object });
  return object;
}

/** Calls all validating webhooks at once. The first refusal in their order is thrown. */
export async function validate(scope: AdmissionScope, attributes: AdmissionAttributes): Promise<void> {
  const webhooks = await findMatching(scope, validating, attributes);
  const asked = webhooks.map(async (webhook) =>
    ask(scope, webhook, (await toWantedVersion(webhook, attributes)).attributes),
  );
  const refused = (await Promise.allSettled(asked)).find((result) => result.status === "rejected");
  if (refused) throw refused.reason;
}

async function findMatching(
  scope: AdmissionScope,
  configurations: { group: string; plural: string },
  attributes: AdmissionAttributes,
): Promise<Webhook[]> {
  const { store } = scope;
  // Webhooks are not called for configurations of webhooks.
  if (attributes.resource.group === group) return [];
  const own = namespaceOf(store, attributes);
  const candidates = [...store.collection(configurations).entries("")]
    .flatMap(([, configuration]) => (configuration["webhooks"] ?? []) as readonly Webhook[])
    .filter((webhook) => matchesWebhook(webhook, attributes, own));
  const matched: Webhook[] = [];
  for (const webhook of candidates)
    if (await meetsConditions(scope, webhook, (await toWantedVersion(webhook, attributes)).attributes))
      matched.push(webhook);
  return matched;
}

/** Converts a write to the version that a webhook's rules name. */
function toWantedVersion(webhook: Webhook, attributes: AdmissionAttributes): Promise<ShownWrite> {
  return inVersion(attributes, versionFor(webhook, attributes));
}

async function meetsConditions(
  { authorize, programs }: AdmissionScope,
  webhook: Webhook,
  attributes: AdmissionAttributes,
): Promise<boolean> {
  if (!webhook.matchConditions?.length) return true;
  // CEL is a large library; a server without conditions never loads it.
  const { admissionValues, holdConditions } = await import("./match-conditions.ts");
  try {
    return holdConditions(webhook.matchConditions, admissionValues(attributes, { authorize }), programs);
  } catch (error) {
    if (webhook.failurePolicy === "Ignore") return false;
    throw forbidden(attributes.resource, attributes.name, messageOf(error));
  }
}

async function mutateOnce(
  scope: AdmissionScope,
  webhook: Webhook,
  attributes: AdmissionAttributes,
): Promise<UnstructuredObject | undefined> {
  const wanted = await toWantedVersion(webhook, attributes);
  const response = await ask(scope, webhook, wanted.attributes);
  const { object } = wanted.attributes;
  if (!response?.patch || !object) return attributes.object;
  try {
    const operations = parseJson(Buffer.from(response.patch, "base64").toString()) as JsonPatchOperation[];
    const patched = applyJsonPatch(object, operations) as UnstructuredObject;
    return wanted.equivalent ? await wanted.equivalent.from(patched) : patched;
  } catch (error) {
    if (error instanceof JsonPatchError) throw internalError(error.message);
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw failedCall(webhook.name, explain("received undecodable patch in webhook response", error));
  }
}

/** Calls one webhook. Returns `undefined` if it fails and its failure policy is Ignore. */
async function ask(
  scope: AdmissionScope,
  webhook: Webhook,
  attributes: AdmissionAttributes,
): Promise<AdmissionResponse | undefined> {
  const { name, failurePolicy, sideEffects } = webhook;
  if (attributes.dryRun && sideEffects !== "None" && sideEffects !== "NoneOnDryRun")
    throw badRequest(`admission webhook "${name}" does not support dry run`);
  let response: AdmissionResponse;
  try {
    response = await consult(scope, webhook, attributes);
  } catch (error) {
    if (failurePolicy === "Ignore") return undefined;
    throw failedCall(name, error);
  }
  scope.warnings.push(...(response.warnings ?? []));
  if (!response.allowed) throw denial(name, response);
  return response;
}

async function consult(
  scope: AdmissionScope,
  webhook: Webhook,
  attributes: AdmissionAttributes,
): Promise<AdmissionResponse> {
  const uid = randomUUID();
  const { clientConfig: config, timeoutSeconds } = webhook;
  const body = admissionReview(attributes, uid);
  const call = callWebhook({ config, timeoutSeconds, body, resolveService: scope.resolveService });
  const answer = await call.then(decodeReview).catch((error: unknown) => {
    throw explain("failed to call webhook", error);
  });
  try {
    return checkReview(answer, uid);
  } catch (error) {
    throw explain("received invalid webhook response", error);
  }
}

function failedCall(name: string, error: unknown): ApiError {
  return internalError(`failed calling webhook "${name}": ${messageOf(error)}`);
}

function explain(what: string, error: unknown): Error {
  return new Error(`${what}: ${messageOf(error)}`, { cause: error });
}

function denial(name: string, { status }: AdmissionResponse): ApiError {
  const said = status?.message || status?.reason;
  const message = said
    ? `admission webhook "${name}" denied the request: ${said}`
    : `admission webhook "${name}" denied the request without explanation`;
  const code = Math.max(400, status?.code ?? 400);
  const refusal = failure(code === 403 ? "Forbidden" : "BadRequest", message);
  const { reason: _, ...rest } = refusal;
  const reason = status?.reason
    ? { reason: status.reason as ApiError["reason"] }
    : code === 403
      ? { reason: "Forbidden" as const }
      : {};
  return new ApiError({ ...rest, ...reason, code });
}
