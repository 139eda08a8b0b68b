import { merge, type RequestStep } from "./scenario.ts";
import { PATCH, POST } from "./requests.ts";

export const spec: object = { containers: [{ name: "c", image: "i" }], terminationGracePeriodSeconds: 40 };
export const bound: object = { ...spec, nodeName: "n" };
export const finalizers: readonly string[] = ["a.io/f"];

/** What a deletion changes of an object. */
export const ending = (body: any): unknown => {
  const { kind, metadata, code, message, status, details } = body;
  if (kind === "Status") return { code, message, status, details };
  const { name, generation, resourceVersion, deletionTimestamp, deletionGracePeriodSeconds, finalizers } = metadata;
  return { kind, name, generation, resourceVersion, deletionTimestamp, deletionGracePeriodSeconds, finalizers };
};

export const create = (path: string, name: string, fields: object = {}, metadata: object = {}): RequestStep =>
  POST(
    path,
    { metadata: { name, ...metadata }, ...fields },
    { save: { [name]: "metadata.uid", [`${name}Version`]: "metadata.resourceVersion" }, unrecorded: true },
  );
export const end = (path: string, body?: object): RequestStep => ({
  request: `DELETE ${path}`,
  ...(body && { body }),
  pick: ending,
});
export const finish = (path: string): RequestStep =>
  PATCH(path, merge, { metadata: { finalizers: null } }, { pick: ending });
export const uid = "aaaaaaaa-1111-4111-8111-111111111111";
