export type Fields = Record<string, unknown>;

/** A strategic merge patch that can't be applied, with the API server's words and the code of its answer. */
export class StrategicMergeError extends Error {
  override readonly name: string = "StrategicMergeError";
  readonly code: 400 | 422 | 500;

  constructor(code: 400 | 422 | 500, message: string) {
    super(message);
    this.code = code;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as Go prints it, which the API server's texts show: `map[a:1 b:[2 3]]`. */
export function showGoValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(showGoValue).join(" ")}]`;
  if (value === null) return "<nil>";
  if (!isFields(value)) return typeof value === "string" ? value : JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `map[${keys.map((key) => `${key}:${showGoValue(value[key])}`).join(" ")}]`;
}
