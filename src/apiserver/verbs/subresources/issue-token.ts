import type { BoundObjectReference, TokenRequestSpec } from "../../../k8s/authentication/v1.ts";
import { invalidError } from "../../../apimachinery/invalid-error.ts";
import type { ObjectMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { serviceAccountUser } from "../../../apimachinery/service-account.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { invalid as invalidField } from "../../../apimachinery/field-error.ts";
import { issuer, type TokenBinding } from "../../access/authentication.ts";
import { badRequest, conflict, notFound } from "../../refusals.ts";
import { type Answer, keyOf, type Call } from "../request/call.ts";
import { readRaw } from "../object/decode-object.ts";
import { readWriteOptions } from "../request/write-options.ts";
import { admitCreated, checkCreated } from "./admit-created.ts";

const shortest = 600;
const longest = 2 ** 32;

/** Issues a token of a service account, which is valid until it expires or the account is deleted. */
export async function issueToken(call: Call): Promise<Answer> {
  const { dryRun } = readWriteOptions(call);
  const request = await admitCreated(call, { object: readRequest(call), dryRun });
  const { namespace = "", name } = call;
  const account = call.collection.get(keyOf(call));
  if (!account) throw notFound(call.entry.resource, name);
  const { uid = "" } = account.metadata;
  const now = call.core.clock.now();
  const { expirationSeconds, audiences, boundObjectRef } = request["spec"] as Required<TokenRequestSpec>;
  const granted = audiences?.length ? audiences : [issuer];
  const metadata = { ...request.metadata, name, namespace, uid, creationTimestamp: timestamp(now) };
  checkDuration(expirationSeconds);
  const object = { ...request, metadata, spec: { audiences: granted, expirationSeconds, boundObjectRef } };
  await checkCreated(call, { object, dryRun });
  const iat = Math.floor(now / 1000);
  const bound = boundObjectRef ? bind(call, boundObjectRef) : {};
  const user = serviceAccountUser(namespace, name, uid);
  const claims = {
    aud: granted,
    exp: iat + expirationSeconds,
    iat,
    iss: issuer,
    "kubernetes.io": { namespace, ...bound, serviceaccount: { name, uid } },
    nbf: iat,
    sub: user.username,
  };
  const token = call.core.users.issue(claims);
  return {
    type: "object",
    code: 201,
    body: {
      ...object,
      status: { token, expirationTimestamp: timestamp((iat + expirationSeconds) * 1000) },
    },
  };
}

const group = "authentication.k8s.io";

function readRequest(call: Call): UnstructuredObject {
  const sent = readRaw(call, "TokenRequest");
  const metadata = (sent["metadata"] ?? {}) as ObjectMeta;
  return { ...sent, kind: "TokenRequest", apiVersion: `${group}/v1`, metadata };
}

/** Binds the token to an object, whose deletion invalidates it. */
function bind(call: Call, { apiVersion = "", kind = "", name = "", uid }: BoundObjectReference): TokenBinding {
  const claim = Object.hasOwn(bindable, `${apiVersion}/${kind}`) ? bindable[`${apiVersion}/${kind}`] : undefined;
  if (claim === undefined) throw badRequest(`cannot bind token to object of type /${apiVersion}, Kind=${kind}`);
  const plural = `${claim}s`;
  const key = claim === "node" ? name : `${call.namespace}/${name}`;
  const bound = call.core.store.collection({ group: "", plural }).get(key)?.metadata.uid;
  if (bound === undefined) throw notFound({ group: "", plural }, name);
  if (uid !== undefined && uid !== bound) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: "", plural: kind }, name, why);
  }
  return { [claim]: { name, uid: bound } };
}

const bindable: Readonly<Record<string, keyof TokenBinding>> = {
  "v1/Pod": "pod",
  "v1/Secret": "secret",
  "v1/Node": "node",
};

function checkDuration(seconds: number): void {
  if (seconds >= shortest && seconds <= longest) return;
  const limit = seconds < shortest ? "less than 10 minutes" : "larger than 2^32 seconds";
  const cause = invalidField("spec.expirationSeconds", seconds, `may not specify a duration ${limit}`);
  throw invalidError({ group, kind: "TokenRequest" }, "", [cause]);
}
