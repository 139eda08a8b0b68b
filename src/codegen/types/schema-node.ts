import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { SchemaNode } from "../markers/marker.ts";
import { boundsOf, known, type Draft } from "./schema-draft.ts";

interface Surroundings {
  readonly required?: boolean | undefined;
  readonly type?: JsonSchema["type"] | undefined;
  readonly misfit: (reason: string, advice: string) => void;
}

/** Returns what a marker sees of a schema under construction. */
export function schemaNode(draft: Draft, { required, type, misfit }: Surroundings): SchemaNode {
  return {
    schema: draft,
    type: known(draft, "type") ?? type,
    intOrString: known(draft, "x-kubernetes-int-or-string") === true,
    required,
    requiredNames: known(draft, "required") ?? [],
    propertyNames: Object.keys(known(draft, "properties") ?? {}),
    bounds: boundsOf(draft),
    misfit,
  };
}
