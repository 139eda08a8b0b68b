import { readFileSync } from "node:fs";

/** Reads an answer of a real kube-apiserver 1.36; each file is a JSON object with a recorded answer a line. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what was recorded
export function recorded<T = Record<string, any>>(name: string): T {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8")) as T;
}
