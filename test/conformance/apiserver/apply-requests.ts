import type { CustomKind } from "./custom-kind.ts";
import { apply, merge, type RequestStep } from "./scenario.ts";
import { GET, PATCH, POST } from "./requests.ts";

export const on = (kind: CustomKind, version = "v1") => ({
  apply: (name: string, manager: string, fields: Record<string, unknown>, query = ""): RequestStep =>
    PATCH(`${kind.path.replace("/v1/", `/${version}/`)}/${name}?fieldManager=${manager}${query}`, apply, {
      ...kind.object(name, fields),
      apiVersion: `${kind.crd.spec.group}/${version}`,
      ...fields,
    }),
  patch: (name: string, manager: string, body: unknown): RequestStep =>
    PATCH(`${kind.path.replace("/v1/", `/${version}/`)}/${name}?fieldManager=${manager}`, merge, body),
  post: (name: string, fields: Record<string, unknown>, query = ""): RequestStep =>
    POST(`${kind.path.replace("/v1/", `/${version}/`)}${query}`, {
      ...kind.object(name, fields),
      apiVersion: `${kind.crd.spec.group}/${version}`,
      ...fields,
    }),
  get: (name: string): RequestStep => GET(`${kind.path.replace("/v1/", `/${version}/`)}/${name}`),
});
