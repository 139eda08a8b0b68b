import type { RecordedAnswer } from "./run-scenario.ts";

export interface NormalizeOptions {
  readonly managedFields: boolean;
}

/**
 * Replaces what differs from run to run: identities by their order of appearance, times, versions by how many of the
 * objects' are not newer. A collection's may be: a real server writes things of its own at any moment.
 */
export class Normalizer {
  readonly #options: NormalizeOptions;
  readonly #uids = new Map<string, string>();
  #versions: readonly number[] = [];

  constructor(options: NormalizeOptions) {
    this.#options = options;
  }

  answers(answers: readonly RecordedAnswer[]): RecordedAnswer[] {
    const seen = new Set<number>();
    collectVersions(answers, seen);
    this.#versions = [...seen];
    return answers.map((answer) => this.#value(answer, "") as RecordedAnswer);
  }

  #value(value: unknown, key: string): unknown {
    if (typeof value === "string") return this.#text(value, key);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#value(item, ""));
      if (key === "cells") return items.map((cell) => (isAge(cell) ? "<age>" : cell));
      return key === "causes" || key === "warnings" ? items.toSorted(byJson) : items;
    }
    return this.#fields(value as Record<string, any>);
  }

  #fields(fields: Record<string, any>): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const name of Object.keys(fields).toSorted()) {
      if (name === "managedFields" && !this.#options.managedFields) continue;
      const value = this.#value(fields[name], name);
      result[name] = name === "managedFields" && Array.isArray(value) ? value.toSorted(byManager) : value;
    }
    if (typeof fields["generateName"] === "string" && typeof fields["name"] === "string") {
      const { name } = fields;
      result["name"] = name.replace(/[bcdfghjklmnpqrstvwxz2456789]{5}$/, "<suffix>");
    }
    // The causes are compared; their order in the text is random.
    if (fields["kind"] === "Status" && fields["details"]?.causes?.length > 1)
      result["message"] = String(fields["message"]).replace(/is invalid: .*/s, "is invalid: …");
    return result;
  }

  #text(text: string, key: string): string {
    if (key === "uid") return named(this.#uids, text, "uid");
    if (key === "resourceVersion" && isVersion(text))
      return `rv${this.#versions.filter((version) => version <= Number(text)).length}`;
    if (key === "continue" && text !== "") return "<continue>";
    if (key === "fingerprint" || key === "clusterIP") return text === "None" || text === "" ? text : "<ip>";
    const uids = [...this.#uids].reduce((result, [uid, name]) => result.replaceAll(uid, name), text);
    return uids
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>")
      .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uid>")
      .replace(/https:\/\/127\.0\.0\.1:\d{2,}/g, "https://<host>")
      .replace(/^10\.\d+\.\d+\.\d+$/, "<ip>");
  }
}

function collectVersions(value: unknown, seen: Set<number>): void {
  if (typeof value !== "object" || value === null) return;
  const { name, resourceVersion } = value as Record<string, unknown>;
  if (name !== undefined && isVersion(resourceVersion)) seen.add(Number(resourceVersion));
  for (const child of Object.values(value)) collectVersions(child, seen);
}

function isVersion(value: unknown): value is string {
  return typeof value === "string" && /^[1-9]\d*$/.test(value);
}

function named(names: Map<string, string>, value: string, word: string): string {
  if (!/^[0-9a-f]{8}-/.test(value)) return value;
  const known = names.get(value) ?? `<${word} ${names.size + 1}>`;
  names.set(value, known);
  return known;
}

function isAge(cell: unknown): boolean {
  return typeof cell === "string" && /^\d+s$/.test(cell);
}

function byJson(a: unknown, b: unknown): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The server orders managers by the second of their write, which differs from run to run. */
function byManager(a: Record<string, unknown>, b: Record<string, unknown>): number {
  const key = ({ operation, manager, apiVersion, subresource }: Record<string, unknown>): string =>
    JSON.stringify([operation, manager, apiVersion, subresource ?? ""]);
  return key(a) < key(b) ? -1 : 1;
}
