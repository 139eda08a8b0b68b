import { serviceAccountUser } from "../auth/user-directory.ts";
import { invalid } from "../refusals.ts";
import type { Answer } from "./answer.ts";
import { keyOf, type Call } from "./call.ts";
import { readRaw } from "./read-body.ts";
import { timestamp } from "./server-core.ts";

/** Who hands tokens out, and whom they are meant for when the request does not say. */
export const issuer = "https://kubernetes.default.svc";

const shortest = 600;
const longest = 2 ** 32;

interface TokenRequestSpec {
  readonly expirationSeconds?: number;
  readonly audiences?: readonly string[];
  readonly boundObjectRef?: Readonly<Record<string, unknown>>;
}

/** POST to `token` of a service account: lets its bearer in as the account, until the token expires or the account goes. */
export function issueToken(call: Call): Answer {
  const spec = (readRaw(call, "TokenRequest")["spec"] ?? {}) as TokenRequestSpec;
  const { expirationSeconds = 3600, audiences, boundObjectRef = null } = spec;
  checkDuration(expirationSeconds);
  const [namespace, name] = [call.namespace ?? "", call.name];
  const currentUid = (): string | undefined => call.collection.get(keyOf(call))?.metadata.uid;
  const uid = currentUid() ?? "";
  const now = call.core.clock.now();
  const iat = Math.floor(now / 1000);
  const granted = audiences?.length ? audiences : [issuer];
  const user = serviceAccountUser(namespace, name, uid);
  const claims = {
    aud: granted,
    exp: iat + expirationSeconds,
    iat,
    iss: issuer,
    "kubernetes.io": { namespace, serviceaccount: { name, uid } },
    nbf: iat,
    sub: user.username,
  };
  const token = call.core.users.issue(user, claims, () => currentUid() === uid);
  return {
    type: "object",
    code: 201,
    body: {
      kind: "TokenRequest",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { name, namespace, creationTimestamp: timestamp(now) },
      spec: { audiences: granted, expirationSeconds, boundObjectRef },
      status: { token, expirationTimestamp: timestamp((iat + expirationSeconds) * 1000) },
    },
  };
}

function checkDuration(seconds: number): void {
  const why =
    seconds < shortest
      ? "may not specify a duration less than 10 minutes"
      : seconds > longest
        ? "may not specify a duration larger than 2^32 seconds"
        : undefined;
  if (why === undefined) return;
  const message = `Invalid value: ${seconds}: ${why}`;
  const cause = { reason: "FieldValueInvalid", message, field: "spec.expirationSeconds" };
  throw invalid({ group: "authentication.k8s.io", kind: "TokenRequest" }, "", [cause]);
}
