import type { Call } from "../call/call.ts";

/** What the options of a request are called in refusals. */
export function optionsKind({ request }: Call): string {
  return kinds[request.method] ?? "DeleteOptions";
}

const kinds: Readonly<Record<string, string>> = { POST: "CreateOptions", PUT: "UpdateOptions", PATCH: "PatchOptions" };
