/** Replacements for a value. */
export type Random = () => number;

const strings = ["", "a", "A b", "x".repeat(70), "é", "1", "-1Gi", "true", "example.com/a", "2026-13-01T00:00:00Z"];
const numbers = [0, 1, -1, 1.5, 7, 101, 65_536, 2_147_483_648, 1e20];
const others: readonly unknown[] = [null, "s", 5, true, [], {}, [null], { a: "b" }, ["a", "a"], [{ name: "c" }]];

/** Returns a copy with one value changed, removed or added; the type mostly stays the same. */
export function mutate(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return mutateList(value, random);
  if (typeof value === "object" && value !== null) return mutateFields(value as Record<string, unknown>, random);
  if (random() < 0.3) return pick(others, random);
  if (typeof value === "string") return pick(strings, random);
  if (typeof value === "number") return pick(numbers, random);
  if (typeof value === "boolean") return !value;
  return pick(others, random);
}

function mutateList(list: readonly unknown[], random: Random): unknown {
  const chance = random();
  if (chance < 0.06) return pick(others, random);
  if (list.length === 0 || chance < 0.12) return [...list, list.length ? structuredClone(pick(list, random)) : "a"];
  const at = Math.floor(random() * list.length);
  if (chance < 0.2) return list.toSpliced(at, 1);
  return list.with(at, mutate(list[at], random));
}

function mutateFields(fields: Record<string, unknown>, random: Random): unknown {
  const names = Object.keys(fields);
  const chance = random();
  if (chance < 0.04) return pick(others, random);
  if (names.length === 0 || chance < 0.08)
    return { ...fields, [pick(["zz", "a", "Name"], random)]: pick(others, random) };
  const drawn = pick(names, random);
  // Scenarios cover changes of the type; here they would hide other differences.
  const name = (drawn === "kind" || drawn === "apiVersion") && random() < 0.9 ? pick(names, random) : drawn;
  const { [name]: value, ...rest } = fields;
  return chance < 0.2 ? rest : { ...fields, [name]: mutate(value, random) };
}

export function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}
