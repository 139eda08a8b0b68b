import type { CustomKind } from "./custom-kind.ts";
import { apply, merge, type RequestStep } from "./scenario.ts";

export const on = (kind: CustomKind, version = "v1") => ({
  apply: (name: string, manager: string, fields: Record<string, unknown>, query = ""): RequestStep => ({
    request: `PATCH ${kind.path.replace("/v1/", `/${version}/`)}/${name}?fieldManager=${manager}${query}`,
    headers: apply,
    body: { ...kind.object(name, fields), apiVersion: `${kind.crd.spec.group}/${version}`, ...fields },
  }),
  patch: (name: string, manager: string, body: unknown): RequestStep => ({
    request: `PATCH ${kind.path.replace("/v1/", `/${version}/`)}/${name}?fieldManager=${manager}`,
    headers: merge,
    body,
  }),
  post: (name: string, fields: Record<string, unknown>, query = ""): RequestStep => ({
    request: `POST ${kind.path.replace("/v1/", `/${version}/`)}${query}`,
    body: { ...kind.object(name, fields), apiVersion: `${kind.crd.spec.group}/${version}`, ...fields },
  }),
  get: (name: string): RequestStep => ({ request: `GET ${kind.path.replace("/v1/", `/${version}/`)}/${name}` }),
});
