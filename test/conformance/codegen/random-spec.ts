/** Returns a random `Spec` with markers, some of them wrong; the same seed gives the same text. */
export function randomSpec(seed: number): string {
  const random = randomBelow(seed);
  const fields = Array.from({ length: 1 + random(3) }, (_, index) => randomField(`f${index}`, random));
  const rule = random(4) === 0 ? `// ${v}XValidation:rule="${pick(objectRules, random)}"\n` : "";
  return `import type { Int32, IntOrString, JSONValue, RawExtension, Time } from "tsop";
interface Item { k: string; o?: string; n?: Int32 }
// +structType=atomic
interface Atomic { a: string }
${rule}export interface Spec {
${fields.join("\n")}
}
`;
}

type Random = (below: number) => number;

const v = "+kubebuilder:validation:";
const rulesOf = (rules: readonly string[]): string[] => rules.map((rule) => `${v}XValidation:rule="${rule}"`);
const objectRules = ["has(self.f0)", "self.f9 == 1", "self.f0 == oldSelf.f0", "self", "true ? 1 : 2"];

/** Returns a type with markers that are allowed on it. */
const shapes: readonly (readonly [type: string, markers: readonly string[]])[] = [
  [
    "string",
    [
      `${v}Pattern=\`^a+$\``,
      `${v}Pattern=\`(?!a)\``,
      `${v}Pattern=\`[\``,
      `${v}MaxLength=5`,
      `${v}MinLength=2`,
      `${v}Format=date-time`,
      `${v}Format=ipv4`,
      `${v}Enum=a;aa;bbbbbb`,
      "+kubebuilder:default=a",
      "+kubebuilder:default=bbbbbb",
      "+kubebuilder:default=5",
      '+kubebuilder:default="2026-01-01T00:00:00Z"',
      ...rulesOf([
        "self != ''",
        "self.startsWith('a')",
        "self.matches('(')",
        "self + 1 == ''",
        "oldSelf == self",
        "size(self",
      ]),
    ],
  ],
  [
    "Int32",
    [
      `${v}Minimum=3`,
      `${v}Maximum=5`,
      `${v}MultipleOf=2`,
      `${v}Enum=1;2;3`,
      "+kubebuilder:default=4",
      "+kubebuilder:default=3000000000",
      "+kubebuilder:default=a",
      "+kubebuilder:default=1.5",
      ...rulesOf(["self > 1", "self > 1.0", "self == oldSelf", "self.x"]),
    ],
  ],
  ["boolean", ["+kubebuilder:default=true", "+kubebuilder:default=maybe", ...rulesOf(["self", "!self && 1"])]],
  [
    "Time",
    ['+kubebuilder:default="yesterday"', ...rulesOf(["self < timestamp('2026-01-01T00:00:00Z')", "self == ''"])],
  ],
  [
    "IntOrString",
    [
      "+kubebuilder:default=1",
      "+kubebuilder:default=a",
      `${v}Pattern=\`^a\``,
      ...rulesOf(["self == 1", "self.x == 1"]),
    ],
  ],
  [
    "string[]",
    [
      "+listType=set",
      "+listType=atomic",
      "+listType=map",
      `${v}MaxItems=3`,
      `${v}UniqueItems=true`,
      `${v}items:MaxLength=3`,
      "+kubebuilder:default={a,b}",
      "+kubebuilder:default={1,2}",
      "+kubebuilder:default={}",
      ...rulesOf(["self.all(x, x != '')", "self.all(x, self.all(y, x == y))", "self.exists(x, y)"]),
    ],
  ],
  [
    "Item[]",
    [
      "+listType=map",
      "+listType=map\n  // +listMapKey=k",
      "+listType=map\n  // +listMapKey=o",
      "+listType=map\n  // +listMapKey=gone",
      "+listType=set",
      "+listType=atomic",
      "+kubebuilder:default={{k: a}}",
      "+kubebuilder:default={{z: a}}",
      ...rulesOf(["self.all(x, x.k != '')", "self.all(x, x.z != '')"]),
    ],
  ],
  ["Atomic[]", ["+listType=set", "+listType=atomic"]],
  ["(string | null)[]", ["+listType=set", "+listType=atomic"]],
  [
    "Item",
    ["+structType=atomic", "+kubebuilder:default={}", "+kubebuilder:default={k: a}", ...rulesOf(["self.k == 'a'"])],
  ],
  [
    "Record<string, string>",
    [
      "+mapType=atomic",
      `${v}MaxProperties=2`,
      "+kubebuilder:default={a: b}",
      ...rulesOf(["self.all(k, self[k] != '')"]),
    ],
  ],
  ["JSONValue", ["+kubebuilder:default=1", ...rulesOf(["true"])]],
  ["RawExtension", [`${v}EmbeddedResource`, "+kubebuilder:default={a: 1}", ...rulesOf(["self == self"])]],
  ["{ a?: string }", [`${v}EmbeddedResource`, `${v}MinProperties=1`, "+nullable", "+kubebuilder:default={b: c}"]],
];

function randomField(name: string, random: Random): string {
  const [type, markers] = pick(shapes, random);
  const chosen = Array.from({ length: random(3) }, () => pick(markers, random));
  const lines = [...new Set(chosen)].map((marker) => `  // ${marker}\n`);
  return `${lines.join("")}  ${name}${random(2) ? "?" : ""}: ${type};`;
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[random(list.length)]!;
}

function randomBelow(seed: number): Random {
  let state = seed * 7919;
  return (below) => (state = (state * 48271) % 2147483647) % below;
}
