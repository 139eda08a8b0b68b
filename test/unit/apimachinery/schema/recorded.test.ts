import { describe, expect, it } from "vitest";
import { applyDefaults } from "../../../../src/apimachinery/schema/apply-defaults.ts";
import type { JsonSchema } from "../../../../src/apimachinery/json-schema.ts";
import { validateValue } from "../../../../src/apimachinery/schema/validate-value.ts";
import recorded from "../recorded/validation.json" with { type: "json" };

interface Case {
  schema: JsonSchema;
  field: string;
  value: unknown;
  causes: { reason: string; message: string; field: string }[];
}

describe("validateValue reports the messages of a recorded server", () => {
  it.each(Object.entries(recorded as unknown as Record<string, Case>))(
    "%s",
    (_name, { schema, field, value, causes }) => {
      const spec: JsonSchema = { type: "object", properties: { [field]: schema } };
      const object = { spec: { [field]: structuredClone(value) } };
      applyDefaults({ type: "object", properties: { spec } }, object);
      const errors = validateValue({ type: "object", properties: { spec } }, object);
      // The server's order is not stable.
      const sortItems = (list: readonly object[]): string[] => list.map((item) => JSON.stringify(item)).toSorted();
      expect(sortItems(errors.map(({ reason, message, field }) => ({ reason, message, field })))).toEqual(
        sortItems(causes),
      );
    },
  );
});
