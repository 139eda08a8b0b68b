import { describe, expect, it } from "vitest";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import { hideSecret } from "../../../src/plan/copy/hide-secrets.ts";
import { entryOf, type Entry } from "../../../src/plan/report/entry.ts";
import { formatMarkdown } from "../../../src/plan/report/format-markdown.ts";
import { formatText, namesOf, titleOf } from "../../../src/plan/report/format-text.ts";
import { groupEntries, type Group } from "../../../src/plan/report/group-entries.ts";
import { compareChanges, type PlanReport } from "../../../src/plan/report/make-report.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

function workload(name: string, image: string, more: object = {}): UnstructuredObject {
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name, namespace: "default", uid: `uid-${name}` },
    spec: {
      replicas: 2,
      template: { spec: { containers: [{ name: "main", image, args: [`--name=${name}`] }] } },
      ...more,
    },
    status: { replicas: 2 },
  };
}

function entriesOf(
  ...pairs: [id: string, before: UnstructuredObject | undefined, after: UnstructuredObject | undefined][]
): Entry[] {
  return pairs.flatMap(
    ([id, before, after]) => entryOf({ id, before, after, by: "operator" }, { isCustom: () => false }) ?? [],
  );
}

function groupsOf(entries: readonly Entry[], others: [string, UnstructuredObject][] = []): Group[] {
  const objects = entries.flatMap(({ id, after }): [string, UnstructuredObject][] => (after ? [[id, after]] : []));
  return groupEntries(entries, new Map([...objects, ...others]));
}

function reportOf(groups: readonly Group[]): PlanReport {
  const none = { "deletes data": 0, deletes: 0, replaces: 0, "restarts pods": 0, changes: 0, creates: 0, pods: 0 };
  return {
    cluster: "https://example.com, context prod",
    takenAt: "2026-01-01T00:00:00Z",
    secrets: "hash",
    objects: 1,
    missing: [],
    groups,
    failures: [],
    breaks: [],
    uncalled: [],
    notes: [],
    counts: { ...none, "changes the status of": 0, "may change": 0 },
  };
}

describe("groups", () => {
  it("have the objects that change alike, apart from their names", () => {
    const pair = (name: string, image: string): [string, UnstructuredObject, UnstructuredObject] => {
      const after = workload(name, image, { serviceName: `${name}-nodes` });
      return [`apps/statefulsets default/${name}`, workload(name, "img:1"), after];
    };
    const groups = groupsOf(entriesOf(pair("a", "img:2"), pair("b", "img:2"), pair("c", "img:3")));
    expect(groups.map(titleOf)).toEqual([
      "restarts pods: 2 of 3 StatefulSets (4 pods)",
      "restarts pods: 1 of 3 StatefulSets (2 pods)",
    ]);
    expect(groups[0]!.names).toEqual(["default/a", "default/b"]);
  });

  it("restart no pods if these wait until they are deleted", () => {
    const strategy = { updateStrategy: { type: "OnDelete" } };
    const [before, after] = [workload("a", "img:1", strategy), workload("a", "img:2", strategy)];
    expect(groupsOf(entriesOf(["apps/statefulsets default/a", before, after])).map(titleOf)).toEqual([
      "changes: 1 of 1 StatefulSet",
    ]);
  });

  it("name what is deleted with an object, unless it is orphaned", () => {
    const owner = { apiVersion: "apps/v1", kind: "StatefulSet", name: "a", uid: "uid-a" };
    const pod: [string, UnstructuredObject] = [
      "/pods default/a-0",
      { apiVersion: "v1", kind: "Pod", metadata: { name: "a-0", namespace: "default", ownerReferences: [owner] } },
    ];
    const id = "apps/statefulsets default/a";
    const [deleted] = groupsOf(entriesOf([id, workload("a", "img:1"), undefined]), [pod]);
    expect(namesOf(deleted!, false)).toEqual(["default/a", "with it: /pods default/a-0"]);
    const { metadata, ...content } = workload("a", "img:1");
    const kept = {
      ...content,
      metadata: { ...metadata, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["orphan"] },
    };
    const [orphaned] = groupsOf(entriesOf([id, workload("a", "img:1"), kept]), [pod]);
    expect(namesOf(orphaned!, false)).toEqual(["default/a"]);
  });

  it("leave out times, versions and the authorities of webhooks", () => {
    const at = (time: string, caBundle: string): UnstructuredObject => ({
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: { name: "a", resourceVersion: time },
      spec: { clientConfig: { caBundle } },
      status: { seen: time },
    });
    const [before, after] = [at("2026-01-01T00:00:00Z", "x"), at("2026-01-02T00:00:00Z", "y")];
    expect(entriesOf(["example.com/widgets a", before, after])).toEqual([]);
  });
});

describe("a report", () => {
  it("shows no value of a Secret, in any format", () => {
    const secret = (password: string): UnstructuredObject => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "a", annotations: { "kubectl.kubernetes.io/last-applied-configuration": password } },
      data: { password: base64(password) },
    });
    const groups = groupsOf(entriesOf(["/secrets default/a", secret("old secret"), secret("new secret")]));
    const report = reportOf(groups);
    const shown = [
      formatText(report, { verbose: true, colored: false }),
      formatMarkdown(report, true),
      JSON.stringify(report),
    ].join("\n");
    for (const text of ["old secret", "new secret"]) {
      expect(shown).not.toContain(text);
      expect(shown).not.toContain(base64(text));
    }
    expect(shown).toContain("+  password: <10 bytes, changed>");
  });

  it("shows names and texts as such in a comment", () => {
    const data = (text: string): UnstructuredObject => ({
      apiVersion: "v1",
      kind: "<b>Map</b>",
      metadata: { name: "a" },
      data: { text },
    });
    const comment = formatMarkdown(reportOf(groupsOf(entriesOf(["/maps `x`", data("a"), data("```\n# b")]))), false);
    expect(comment).toContain("#### changes: 1 of 1 \\<b\\>Map\\</b\\>");
    expect(comment).toContain("`` `x` ``");
    expect(comment).toMatch(/^````diff$/m);
    expect(comment.match(/^````$/gm)).toHaveLength(1);
  });

  it("colours differences as git does", () => {
    const id = "apps/statefulsets default/a";
    const groups = groupsOf(entriesOf([id, workload("a", "img:1"), workload("a", "img:2")]));
    const text = formatText(reportOf(groups), { verbose: false, colored: true });
    expect(text).toContain("\u001b[31m-        image: img:1\u001b[0m");
    expect(text).toContain("\u001b[32m+        image: img:2\u001b[0m");
    expect(text).toContain("\u001b[1m+++ b/apps/statefulsets/default/a\u001b[0m");
  });
});

describe("a Secret", () => {
  it("gets stand-ins of the same length, which are equal for equal values", () => {
    const data = {
      a: base64("one"),
      b: base64("one"),
      c: base64("x".repeat(200)),
      ".dockerconfigjson": base64("y".repeat(40)),
    };
    const annotations = { "kubectl.kubernetes.io/last-applied-configuration": "one", kept: "yes" };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "a", annotations }, data };
    const hidden = hideSecret(secret, Buffer.from("key"));
    const values = hidden["data"] as typeof data;
    expect(Object.values(values).map((value) => Buffer.from(value, "base64").length)).toEqual([3, 3, 200, 40]);
    expect(values.a).toBe(values.b);
    expect(values.a).not.toBe(data.a);
    expect(JSON.parse(Buffer.from(values[".dockerconfigjson"], "base64").toString())).toEqual({ auths: {} });
    expect(hidden.metadata.annotations).toEqual({ kept: "yes" });
    expect((hideSecret(secret, Buffer.from("another"))["data"] as typeof data).a).not.toBe(values.a);
  });

  it("does not change if the operator writes the value that a stand-in stands for", () => {
    const secret = (data: Record<string, string>) => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "a", uid: "u" },
      data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, base64(value)])),
    });
    const hide = (each: UnstructuredObject) => hideSecret(each, Buffer.from("key"));
    const copy = {
      cluster: "c",
      takenAt: "t",
      secrets: "hash",
      missing: [],
      resources: [],
      objects: [],
      hide,
    } as const;
    const compare = (before: UnstructuredObject, after: UnstructuredObject) => {
      const change = { id: "/secrets default/a", before: hide(before), after, by: "operator" } as const;
      return compareChanges([change], copy, () => false).map(({ effect }) => effect);
    };
    const config = "a file of settings";
    expect(compare(secret({ config }), secret({ config }))).toEqual([]);
    expect(compare(secret({ config }), secret({ config: `${config}, changed` }))).toEqual(["may change"]);
    expect(compare(secret({ config }), secret({ config, more: "x" }))).toEqual(["changes"]);
    // The stand-ins of these are equal for many values.
    expect(compare(secret({ flag: "0" }), secret({ flag: "1" }))).toEqual(["may change"]);
    const [auths, others] = ["one", "two"].map((user) => JSON.stringify({ auths: { "example.com": { user } } }));
    expect(compare(secret({ ".dockerconfigjson": auths! }), secret({ ".dockerconfigjson": others! }))).toEqual([
      "may change",
    ]);
    const labelled = { ...secret({ config }), metadata: { name: "a", uid: "u", labels: { new: "yes" } } };
    expect(compare(secret({ config }), labelled)).toEqual(["changes"]);
  });
});
