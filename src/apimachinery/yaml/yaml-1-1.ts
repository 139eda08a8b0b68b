import { FAILSAFE_SCHEMA, Type, type Schema } from "js-yaml";

/**
 * The scalars of Kubernetes' YAML: the booleans (`yes`, `off`, `y`) and octals (`0644`) of YAML 1.1, dates as text.
 * Base64 becomes text, as in JSON.
 */
export const yaml11: Schema = FAILSAFE_SCHEMA.extend({
  implicit: [
    scalar("null", /^(?:~|null|Null|NULL|)$/, () => null),
    scalar(
      "bool",
      /^(?:[yYnN]|(?:y|Y)es|YES|(?:t|T)rue|TRUE|(?:o|O)n|ON|(?:n|N)o|NO|(?:f|F)alse|FALSE|(?:o|O)ff|OFF)$/,
      (text) => /^(?:y|t|on)/i.test(text),
    ),
    scalar("int", /^[-+]?(?:0b[01_]+|0o?[0-7_]+|0[xX][0-9a-fA-F_]+|0|[1-9][0-9_]*)$/, parseInteger),
    scalar(
      "float",
      /^[-+]?(?:\.(?:inf|Inf|INF)|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9_]+)(?:[eE][-+]?[0-9]+)?)$|^\.(?:nan|NaN|NAN)$/,
      parseFloat11,
    ),
    new Type("tag:yaml.org,2002:merge", { kind: "scalar", resolve: (text) => text === "<<" }),
  ],
  explicit: [
    // Custom tags mean nothing in JSON.
    ...(["scalar", "sequence", "mapping"] as const).map((kind) => new Type("!", { kind, multi: true })),
    new Type("tag:yaml.org,2002:binary", {
      kind: "scalar",
      construct: (text: string) => Buffer.from(text, "base64").toString("utf8"),
    }),
    new Type("tag:yaml.org,2002:timestamp", { kind: "scalar", construct: (text: string) => text }),
  ],
});

function scalar(name: string, pattern: RegExp, construct: (text: string) => unknown): Type {
  return new Type(`tag:yaml.org,2002:${name}`, {
    kind: "scalar",
    resolve: (text: string | null) => pattern.test(text ?? ""),
    construct: (text: string | null) => construct(text ?? ""),
  });
}

function parseInteger(text: string): number {
  const digits = text.replaceAll("_", "").replace(/^[-+]/, "");
  const value = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  // JSON has no negative zero.
  return text.startsWith("-") && value !== 0 ? -value : value;
}

/** Parses a number; one out of range stays text. */
function parseFloat11(text: string): number | string {
  const plain = text.replaceAll("_", "").toLowerCase();
  if (plain.endsWith(".inf")) return plain.startsWith("-") ? -Infinity : Infinity;
  if (plain === ".nan") return Number.NaN;
  return Number.isFinite(Number(plain)) ? Number(plain) : text;
}
