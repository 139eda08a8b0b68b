import { pick, type Random } from "./mutate.ts";

/** Returns a value that mostly fits a schema. */
export function valueOf(schema: any, random: Random): unknown {
  if (schema.nullable && random() < 0.3) return null;
  if (schema.enum) return pick(schema.enum, random);
  if (schema["x-kubernetes-int-or-string"]) return pick([1, "50%", 0], random);
  if (schema["x-kubernetes-embedded-resource"])
    return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" }, data: { a: "b" } };
  switch (schema.type) {
    case "string":
      return stringValue(schema, random);
    case "integer":
      return Math.max(schema.minimum ?? 0, 0) + (random() < 0.5 ? 0 : Math.floor(random() * 4));
    case "number":
      return (schema.minimum ?? 0) + pick([0, 0.5, 1], random);
    case "boolean":
      return random() < 0.5;
    case "array": {
      const length = (schema.minItems ?? 0) + Math.floor(random() * 3);
      return Array.from({ length }, () => valueOf(schema.items, random));
    }
    case "object":
      if (schema.additionalProperties)
        return Object.fromEntries(
          ["a", "b"].filter(() => random() < 0.6).map((key) => [key, valueOf(schema.additionalProperties, random)]),
        );
      return {
        ...Object.fromEntries(
          Object.entries<any>(schema.properties ?? {})
            .filter(([key]) => schema.required?.includes(key) || random() < 0.7)
            .map(([key, part]) => [key, valueOf(part, random)]),
        ),
        ...(random() < 0.1 && { unknown: { a: 1 } }),
      };
    default:
      return pick<unknown>(["x", 1, { a: [{ b: null }] }, [1, "a"], true], random);
  }
}

const formatted: Readonly<Record<string, string>> = {
  "date-time": "2026-01-02T03:04:05Z",
  date: "2026-01-02",
  duration: "1h",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  ipv4: "10.0.0.1",
  cidr: "10.0.0.0/8",
  email: "a@b.c",
  byte: "YQ==",
  hostname: "a.b",
  uri: "http://a/b",
};

function stringValue({ format, minLength = 0 }: any, random: Random): string {
  if (format in formatted && random() < 0.8) return formatted[format]!;
  return pick(["a", "ab", "abc", "12", "x".repeat(minLength), ""], random).padEnd(minLength, "a");
}
