/**
 * Returns about how many bytes a value of JSON takes in memory, together with its text, which the store keeps: an empty
 * object takes more than its two characters.
 */
export function memorySize(value: unknown): number {
  // Without recursion, which deep objects would exhaust.
  const pending: unknown[] = [value];
  let bytes = 0;
  while (pending.length > 0) {
    const each = pending.pop();
    if (typeof each === "string") bytes += 2 * each.length;
    if (typeof each !== "object" || each === null) continue;
    bytes += objectBytes;
    for (const key in each) {
      bytes += memberBytes;
      pending.push((each as Record<string, unknown>)[key]);
    }
  }
  return bytes;
}

const objectBytes = 56;
const memberBytes = 32;
