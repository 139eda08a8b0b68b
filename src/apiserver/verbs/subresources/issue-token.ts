import { timestamp } from "../../../apimachinery/time.ts";
import { invalid as invalidField } from "../../../apimachinery/schema/field-error.ts";
import { issuer, serviceAccountUser, type TokenBinding } from "../../access/authentication.ts";
import { badRequest, conflict, invalid, notFound } from "../../refusals.ts";
import { type Answer, keyOf, type Call } from "../request/call.ts";
import { readRaw } from "../object/decode-object.ts";

const shortest = 600;
const longest = 2 ** 32;

interface TokenRequestSpec {
  readonly expirationSeconds?: number;
  readonly audiences?: readonly string[];
  readonly boundObjectRef?: BoundObject | null;
}

interface BoundObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
}

/** Issues a token of a service account, which is valid until it expires or the account is deleted. */
export function issueToken(call: Call): Answer {
  const spec = (readRaw(call, "TokenRequest")["spec"] ?? {}) as TokenRequestSpec;
  const { expirationSeconds = 3600, audiences, boundObjectRef = null } = spec;
  checkDuration(expirationSeconds);
  const [namespace, name] = [call.namespace ?? "", call.name];
  const uid = call.collection.get(keyOf(call))?.metadata.uid ?? "";
  const now = call.core.clock.now();
  const iat = Math.floor(now / 1000);
  const bound = boundObjectRef ? bind(call, boundObjectRef) : {};
  const granted = audiences?.length ? audiences : [issuer];
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
      kind: "TokenRequest",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { name, namespace, uid, creationTimestamp: timestamp(now) },
      spec: { audiences: granted, expirationSeconds, boundObjectRef },
      status: { token, expirationTimestamp: timestamp((iat + expirationSeconds) * 1000) },
    },
  };
}

/** Binds the token to an object, whose deletion invalidates it. */
function bind(call: Call, { apiVersion = "", kind = "", name = "", uid }: BoundObject): TokenBinding {
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
  const why =
    seconds < shortest
      ? "may not specify a duration less than 10 minutes"
      : seconds > longest
        ? "may not specify a duration larger than 2^32 seconds"
        : undefined;
  if (why === undefined) return;
  const cause = invalidField("spec.expirationSeconds", seconds, why);
  throw invalid({ group: "authentication.k8s.io", kind: "TokenRequest" }, "", [cause]);
}
