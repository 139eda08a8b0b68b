import { invalid } from "../refusals.ts";
import type { Call } from "./call.ts";

/** Reads `?dryRun=All`; any other value is refused. */
export function isDryRun(call: Call): boolean {
  const values = call.query.getAll("dryRun");
  const wrong = values.filter((value) => value !== "All" && value !== "");
  if (wrong.length === 0) return values.includes("All");
  const kind = optionsKinds[call.request.method] ?? "DeleteOptions";
  throw invalid({ group: "meta.k8s.io", kind }, "", [
    {
      reason: "FieldValueNotSupported",
      message: `Unsupported value: ${JSON.stringify(values)}: supported values: "All"`,
      field: "dryRun",
    },
  ]);
}

const optionsKinds: Readonly<Record<string, string>> = {
  POST: "CreateOptions",
  PUT: "UpdateOptions",
  PATCH: "PatchOptions",
};
