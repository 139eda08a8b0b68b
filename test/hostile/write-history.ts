import { expect } from "vitest";
import type { KubeObject } from "../../src/apimachinery/meta.ts";

export interface Written extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** The content of an object; `undefined` if it does not exist. */
type Content = string | undefined;

/** What clients of a server know about its objects: answers, events and writes without an answer, by name. */
export class WriteHistory {
  /** The state after the last answered write. */
  private readonly answered = new Map<string, Content>();
  /** Writes whose answer has not come. */
  private readonly unanswered = new Map<string, Content>();
  private readonly lastEvents = new Map<string, { readonly revision: number; readonly content: Content }>();
  private readonly contents = new Map<number, string>();
  private newest = 0;
  /** The number of answered writes. */
  count = 0;

  /** Notes a write around its request. */
  async write(name: string, content: Content, request: () => Promise<Written | void>): Promise<void> {
    this.unanswered.set(name, content);
    const object = await request();
    this.unanswered.delete(name);
    this.answered.set(name, content);
    this.count++;
    if (object) this.see(object, content);
  }

  /** Returns the content of an object after the last answered write. */
  contentOf(name: string): Content {
    return this.answered.get(name);
  }

  event(type: string, object: Written): void {
    const content = type === "DELETED" ? undefined : contentOf(object);
    const revision = this.see(object, content);
    this.lastEvents.set(nameOf(object), { revision, content });
  }

  /** Compares a list after a restart with what clients know, and continues from it. */
  compare({ items, metadata }: { items: Written[]; metadata: { resourceVersion?: string } }): void {
    expect(Number(metadata.resourceVersion), "the version of the list").toBeGreaterThanOrEqual(this.newest);
    const found = new Map(items.map((object) => [nameOf(object), object]));
    for (const object of items) this.see(object, contentOf(object));
    for (const name of new Set([...found.keys(), ...this.answered.keys(), ...this.unanswered.keys()])) {
      const object = found.get(name);
      const content = object && contentOf(object);
      const possible = [this.answered.get(name)];
      if (this.unanswered.has(name)) possible.push(this.unanswered.get(name));
      expect(possible, `the content of ${name}`).toContain(content);
      this.compareWithEvents(name, object);
      this.answered.set(name, content);
    }
    this.unanswered.clear();
    this.lastEvents.clear();
  }

  /** Checks that no state is older than the last event. */
  private compareWithEvents(name: string, object: Written | undefined): void {
    const last = this.lastEvents.get(name);
    if (!last) return;
    if (object) expect(Number(object.metadata.resourceVersion), name).toBeGreaterThanOrEqual(last.revision);
    else expect(this.wasDeletedAfter(name, last.content), `the end of ${name}, whose event was seen`).toBe(true);
    if (object && Number(object.metadata.resourceVersion) === last.revision)
      expect(contentOf(object), name).toBe(last.content);
  }

  /** Reports whether an object may be gone although its last event had a content. */
  private wasDeletedAfter(name: string, content: Content): boolean {
    if (content === undefined) return true;
    if (!this.unanswered.has(name)) return this.answered.get(name) === undefined;
    const next = this.unanswered.get(name);
    return next === undefined || (this.answered.get(name) === undefined && next !== content);
  }

  /** Notes a version and its content, which must always be the same. */
  private see(object: Written, content: Content): number {
    const revision = Number(object.metadata.resourceVersion);
    const text = `${nameOf(object)} ${content === undefined ? "deleted" : content}`;
    expect(this.contents.get(revision) ?? text, `what version ${revision} is`).toBe(text);
    this.contents.set(revision, text);
    this.newest = Math.max(this.newest, revision);
    return revision;
  }
}

function contentOf({ data }: Written): string {
  return data?.["id"] ?? "";
}

function nameOf({ metadata }: Written): string {
  return metadata.name ?? "";
}
