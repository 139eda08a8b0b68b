import { randomUUID } from "node:crypto";
import { equalJson } from "../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { applyJsonPatch, JsonPatchError, type JsonPatchOperation } from "../../apimachinery/patch/json-patch.ts";
import { ApiError } from "../../apimachinery/status.ts";
import { messageOf } from "../../errors/message-of.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import { jsonType } from "../codec/decode-body.ts";
import { JsonSyntaxError, parseJson } from "../codec/json.ts";
import { badRequest, forbidden, internalError } from "../refusals.ts";
import { inVersion, type AdmissionAttributes, type AdmissionScope, type ShownWrite } from "./admission-attributes.ts";
import { admissionReview, checkReview, decodeReview, type AdmissionResponse } from "./admission-review.ts";
import { callWebhook, type Webhook } from "../call-webhook.ts";
import { matchesWebhook, namespaceOf, resourceFor } from "./match-rules.ts";

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
    ask(scope, { webhook, mutating: false }, (await toWantedVersion(webhook, attributes)).attributes),
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
  return inVersion(attributes, resourceFor(webhook, attributes));
}

async function meetsConditions(
  { programs }: AdmissionScope,
  webhook: Webhook,
  attributes: AdmissionAttributes,
): Promise<boolean> {
  if (!webhook.matchConditions?.length) return true;
  // CEL is a large library; a server without conditions never loads it.
  const { admissionValues, holdConditions } = await import("./match-conditions.ts");
  try {
    return holdConditions(webhook.matchConditions, admissionValues(attributes), programs);
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
  const response = await ask(scope, { webhook, mutating: true }, wanted.attributes);
  const { object } = wanted.attributes;
  if (!response?.patch || !object) return attributes.object;
  try {
    const operations = readOperations(webhook.name, response.patch);
    if (operations.length === 0) return attributes.object;
    if (response.patchType && response.patchType !== "JSONPatch")
      throw failedCall(webhook.name, new Error(`unsupported patch type ${JSON.stringify(response.patchType)}`));
    const patched = applyJsonPatch(object, operations) as UnstructuredObject;
    return wanted.equivalent ? await wanted.equivalent.from(patched) : patched;
  } catch (error) {
    if (error instanceof JsonPatchError) throw internalError(error.message);
    throw error;
  }
}

/** Reads the operations of a patch; an operation that is null has no kind. */
function readOperations(name: string, patch: string): JsonPatchOperation[] {
  const refuse = (why: unknown): Error =>
    failedCall(name, explain("received undecodable patch in webhook response", why));
  const mistyped = (value: unknown, type: string): Error =>
    refuse(new Error(`json: cannot unmarshal ${jsonType(value)} into Go value of type jsonpatch.${type}`));
  let operations: unknown;
  try {
    operations = parseJson(Buffer.from(patch, "base64").toString()) ?? [];
  } catch (error) {
    throw error instanceof JsonSyntaxError ? refuse(error) : error;
  }
  if (!Array.isArray(operations)) throw mistyped(operations, "Patch");
  const wrong: unknown = operations.find((operation) => operation !== null && !isObject(operation));
  if (wrong !== undefined) throw mistyped(wrong, "Operation");
  return operations.map((operation: unknown) => (operation ?? {}) as JsonPatchOperation);
}

interface Asked {
  readonly webhook: Webhook;
  readonly mutating: boolean;
}

/** Calls one webhook. Returns `undefined` if it fails and its failure policy is Ignore. */
async function ask(
  scope: AdmissionScope,
  asked: Asked,
  attributes: AdmissionAttributes,
): Promise<AdmissionResponse | undefined> {
  const { webhook } = asked;
  const { name, failurePolicy, sideEffects } = webhook;
  if (attributes.dryRun && sideEffects !== "None" && sideEffects !== "NoneOnDryRun")
    throw badRequest(`admission webhook "${name}" does not support dry run`);
  let response: AdmissionResponse;
  try {
    response = await consult(scope, asked, attributes);
  } catch (error) {
    if (failurePolicy === "Ignore") return undefined;
    throw failedCall(name, error);
  }
  scope.warnings.push(...(response.warnings ?? []).map((warning) => warning ?? ""));
  if (!response.allowed) throw denial(name, response);
  return response;
}

async function consult(
  scope: AdmissionScope,
  { webhook, mutating }: Asked,
  attributes: AdmissionAttributes,
): Promise<AdmissionResponse> {
  const uid = randomUUID();
  const { clientConfig: config, timeoutSeconds } = webhook;
  const body = admissionReview(attributes, uid);
  const tell = noteCall(scope, { webhook, mutating }, body);
  const call = callWebhook({ config, timeoutSeconds, body, resolveService: scope.resolveService });
  const decoded = call.then((text) => decodeReview(text));
  const answer = await decoded.catch((error: unknown) => {
    tell?.(undefined, messageOf(error));
    throw explain("failed to call webhook", error);
  });
  tell?.(answer.response, undefined);
  try {
    return checkReview(answer, { uid, mutating });
  } catch (error) {
    throw explain("received invalid webhook response", error);
  }
}

/** Returns a function that notes the end of a call for the audit, if there is one. */
function noteCall({ webhookCalls }: AdmissionScope, { webhook, mutating }: Asked, body: unknown) {
  if (!webhookCalls) return undefined;
  const request = JSON.stringify(body);
  const started = performance.now();
  return (response: unknown, error: string | undefined): void => {
    const took = performance.now() - started;
    webhookCalls.push({ webhook: webhook.name, mutating, request, response, error, took });
  };
}

function failedCall(name: string, error: unknown): ApiError {
  return internalError(`failed calling webhook "${name}": ${messageOf(error)}`);
}

function explain(what: string, error: unknown): Error {
  return new Error(`${what}: ${messageOf(error)}`, { cause: error });
}

/** Returns the Status that the webhook gave, as a refusal. */
function denial(name: string, { status }: AdmissionResponse): ApiError {
  const { metadata, reason, details, code } = status ?? {};
  const said = status?.message || reason;
  const why = said ? `: ${said}` : " without explanation";
  const message = `admission webhook "${name}" denied the request${why}`;
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    metadata: metadata ?? {},
    status: "Failure",
    message,
    ...(reason && { reason }),
    ...(details && { details }),
    code: Math.max(400, code ?? 400),
  });
}
