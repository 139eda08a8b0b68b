import type { RequestStep } from "../scenario.ts";

export const ns = "/api/v1/namespaces/{ns}";

/** The part of an answer that says whether an object is refused, and why. */
export const refusal = ({ code, message, details }: any): unknown =>
  code === undefined ? "accepted" : { code, causes: details?.causes ?? message };

/** Creates an object in a dry run. */
export const dry = (path: string, body: object): RequestStep => ({
  request: `POST ${path}?dryRun=All`,
  body: { metadata: { name: "a" }, ...body },
  pick: refusal,
});
