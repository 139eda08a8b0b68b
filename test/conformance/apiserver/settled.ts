import type { RecordedAnswer } from "./run-scenario.ts";

/**
 * Gives what controllers name by chance, or in an order of chance, names and an order that are the same in each run:
 * identities are told by the object's name, hashes by their order of appearance, lists are sorted.
 *
 * @param bodies - All answers as they came, which the names are learned from.
 */
export function settled(answers: readonly RecordedAnswer[], bodies: readonly unknown[]): RecordedAnswer[] {
  const names = new Names();
  for (const body of bodies) names.learn(body);
  // As a recording has it: without fields that are undefined.
  const plain = JSON.parse(JSON.stringify(answers)) as RecordedAnswer[];
  return plain.map((answer) => ordered(names.apply(answer)) as RecordedAnswer);
}

const hashLabels = ["pod-template-hash", "controller-revision-hash", "controller.kubernetes.io/hash"];
const chance = "[bcdfghjklmnpqrstvwxz2456789]";
const hash = new RegExp(`${chance}{6,10}$`);
const suffix = new RegExp(`-${chance}{5}$`);
const announced = new RegExp(`^((?:Created|Deleted) pod: .*-)${chance}{5}$`);
/** The name of a pod that was never created. */
const rejected = new RegExp(`(pods "[^"]*-)${chance}{5}(?=" is forbidden)`);
const revisionAnnotation = "deployment.kubernetes.io/revision";
const scheduledAnnotation = "batch.kubernetes.io/cronjob-scheduled-timestamp";

class Names {
  readonly #words = new Map<string, string>();
  readonly #uids = new Map<string, string>();
  #hashes = 0;
  #minutes = 0;

  learn(body: unknown): void {
    if (typeof body !== "object" || body === null) return;
    const { metadata, items } = body as { metadata?: Record<string, any>; items?: any[] };
    if (metadata?.["name"]) this.#learnObject(metadata);
    const revision = ({ metadata, revision }: any): number =>
      Number(revision ?? metadata?.annotations?.[revisionAnnotation] ?? 0);
    for (const item of (items ?? []).toSorted((a, b) => revision(a) - revision(b))) this.learn(item);
  }

  apply(value: unknown, key = ""): unknown {
    if (typeof value === "string") return this.#text(value, key);
    if (Array.isArray(value)) return value.map((item) => this.apply(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, child]) => [this.#text(name, ""), this.apply(child, name)]),
    );
  }

  #learnObject(metadata: Record<string, any>): void {
    const { name, generateName, uid, labels, annotations } = metadata;
    for (const label of hashLabels) {
      const found = hash.exec(labels?.[label])?.[0];
      if (found && !this.#words.has(found)) this.#words.set(found, `<hash ${++this.#hashes}>`);
    }
    if (generateName && suffix.test(name)) this.#words.set(name, name.replace(suffix, "-<suffix>"));
    if (annotations?.[scheduledAnnotation] && !this.#words.has(name)) {
      this.#words.set(name, name.replace(/\d+$/, `<minute ${++this.#minutes}>`));
    }
    if (uid) this.#uids.set(uid, name);
  }

  #text(text: string, key: string): string {
    if (key === "resourceVersion") return "<rv>";
    // Longest first: a ReplicaSet's name is part of its pods'.
    let result = text;
    for (const [word, name] of [...this.#words].sort(([a], [b]) => b.length - a.length)) {
      result = result.replaceAll(word, name);
    }
    for (const [uid, name] of this.#uids) {
      if (result.includes(uid)) result = result.replaceAll(uid, `<uid of ${this.#text(name, "")}>`);
    }
    return result
      .replace(announced, "$1<suffix>")
      .replace(rejected, "$1<suffix>")
      .replace(/\b10\.\d+\.\d+\.\d+\b/g, "<ip>");
  }
}

function ordered(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => ordered(item));
    return unordered.has(key) ? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, child]) => [name, ordered(child, name)]));
}

const unordered = new Set(["items", "finalizers", "endpoints", "addresses", "notReadyAddresses", "ports", "active"]);
