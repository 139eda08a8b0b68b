import { describe, expect, it } from "vitest";
import type { UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import { parseUses, formatUses, UseLog, type Use } from "../../../../src/apiserver/audit/use-log.ts";
import type { PolicyRule } from "../../../../src/apiserver/access/authorization.ts";
import { countFindings, formatCounts, formatRoles } from "../../../../src/release/roles/format-report.ts";
import { rulesOfManifests } from "../../../../src/release/roles/granted-rules.ts";
import { judgeRoles } from "../../../../src/release/roles/judge-roles.ts";
import { isUnused, type RoleReport } from "../../../../src/release/roles/role-report.ts";

const account = { namespace: "cache-system", name: "manager" };
const apiVersion = "rbac.authorization.k8s.io/v1";
const subjects = [{ kind: "ServiceAccount", ...account }];

function bound(kind: string, name: string, rules: readonly PolicyRule[], namespace?: string): UnstructuredObject[] {
  const metadata = { name, ...(namespace && { namespace }) };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind, name };
  return [
    { apiVersion, kind, metadata, rules },
    { apiVersion, kind: `${kind}Binding`, metadata, roleRef, subjects },
  ];
}

function use(verb: string, resource: string, more: Partial<Use> = {}): Use {
  return { verb, group: "", resource, count: 1, example: `${verb} ${resource}`, ...more };
}

function judge(objects: readonly UnstructuredObject[], uses: readonly Use[], texts: string[] = []): RoleReport {
  const manifests = objects.map((object) => ({ file: "install.yaml", object }));
  return judgeRoles(rulesOfManifests(manifests, account), { runs: 3, uses }, { account, calls: [], texts });
}

const core = (resources: string[], verbs: string[]): PolicyRule => ({ apiGroups: [""], resources, verbs });

describe("judgeRoles", () => {
  it("reports verbs that no request used, and where their rule is", () => {
    const objects = bound("ClusterRole", "manager", [core(["pods", "services"], ["create", "delete", "patch"])]);
    const report = judge(objects, [use("create", "pods", { namespace: "a" }), use("delete", "services")]);
    expect(formatRoles(report)).toBe(
      [
        "install.yaml, document 1: pods, services of core",
        "  create pods: 1 request: create pods",
        "  delete, patch pods: never used in 3 runs",
        "  create, patch services: never used in 3 runs",
        "  delete services: 1 request: delete services",
        "in 3 runs: 4 verbs never used",
        "",
      ].join("\n"),
    );
  });

  it("compares namespaces and names as the authorizer does", () => {
    const named = { ...core(["secrets"], ["get"]), resourceNames: ["certificate"] };
    const objects = [
      ...bound("Role", "near", [named], "cache-system"),
      ...bound("Role", "far", [core(["pods"], ["delete"])], "elsewhere"),
    ];
    const report = judge(objects, [
      use("get", "secrets", { namespace: "default", own: true, name: "certificate" }),
      use("get", "secrets", { namespace: "default", own: true, name: "other" }),
      use("delete", "pods", { namespace: "default" }),
    ]);
    expect(report.rules.map(({ verbs: [verb] }) => verb?.requests)).toEqual([1, 0]);
    expect(report.missing.map(({ resource, verbs }) => [resource, verbs])).toEqual([
      ["secrets", ["get"]],
      ["pods", ["delete"]],
    ]);
  });

  it("takes a subject without a namespace for an account in the operator's, as kustomize does", () => {
    const objects = bound("ClusterRole", "manager", [core(["pods"], ["create"])]);
    const near = objects.map((object) =>
      "subjects" in object ? { ...object, subjects: [{ ...subjects[0], namespace: undefined }] } : object,
    );
    expect(judge(near, []).rules).toHaveLength(1);
  });

  it("ignores roles of other accounts", () => {
    const objects = bound("ClusterRole", "manager", [core(["pods"], ["create"])]);
    const others = objects.map((object) => ("subjects" in object ? { ...object, subjects: [] } : object));
    expect(judge(others, []).rules).toEqual([]);
  });

  it("keeps what caches, events, leases, finalizers and granted roles need", () => {
    const rules: PolicyRule[] = [
      core(["pods"], ["get", "list", "watch"]),
      core(["events"], ["create", "patch"]),
      { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["delete"] },
      { apiGroups: ["example.com"], resources: ["caches/finalizers"], verbs: ["update"] },
      core(["endpoints"], ["get", "update"]),
      { apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles"], verbs: ["create", "escalate"] },
    ];
    const group = "rbac.authorization.k8s.io";
    const report = judge(bound("ClusterRole", "manager", rules), [
      use("watch", "pods"),
      use("create", "roles", { group, namespace: "a", grants: [core(["endpoints"], ["get"])] }),
    ]);
    const unused = report.rules.flatMap(({ verbs }) => verbs.filter((each) => !each.requests && !each.kept));
    expect(unused.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(["update endpoints"]);
  });

  it("names what a star stands for", () => {
    const rule = { apiGroups: ["apps"], resources: ["*"], verbs: ["*"] };
    const ofKind = { apiGroups: ["x.io"], resources: ["as", "as/status", "as/finalizers"], verbs: ["*"] };
    const uses = [
      use("list", "deployments", { group: "apps" }),
      use("update", "deployments", { group: "apps" }),
      use("get", "as", { group: "x.io" }),
    ];
    const { rules } = judge(bound("ClusterRole", "manager", [rule, ofKind]), uses);
    expect(rules.flatMap(({ wider }) => wider.map(({ text }) => text))).toEqual([
      "verbs=* and resources=*, and it needs deployments.apps get, list, watch, update",
      "verbs=*, and it needs as.x.io get; as.x.io/status get, update, patch; as.x.io/finalizers update",
    ]);
    expect(rules.flatMap(({ verbs }) => verbs.filter(isUnused))).toEqual([]);
  });

  it("says when one namespace would do, if users' objects are elsewhere", () => {
    const objects = bound("ClusterRole", "manager", [core(["configmaps"], ["update"])]);
    const own = use("update", "configmaps", { namespace: "cache-system", own: true, name: "state" });
    const status = (namespace: string): Use => use("update", "caches", { subresource: "status", namespace });
    const widths = (uses: Use[]): number => judge(objects, uses).rules[0]!.wider.length;
    expect(widths([own, status("default")])).toBe(2);
    expect(widths([own, status("cache-system")])).toBe(0);
    expect(widths([own, { ...own, namespace: "other", own: undefined } as unknown as Use])).toBe(0);
  });

  it("wants names for Secrets only if the sources have them", () => {
    const objects = bound("ClusterRole", "manager", [core(["secrets"], ["get", "create"])]);
    const uses = [use("get", "secrets", { namespace: "default", name: "license" })];
    expect(judge(objects, uses).rules[0]!.wider).toEqual([]);
    expect(judge(objects, uses, ['get(Secret, { name: "license" })']).rules[0]!.wider).toEqual([
      { text: "all secrets, and only license was used", names: ["license"], resource: "secrets" },
    ]);
  });

  it("counts findings", () => {
    expect(formatCounts(countFindings(judge([], [use("get", "pods")])))).toBe("1 missing");
    expect(formatCounts({ unused: 1, missing: 0, wider: 2 })).toBe("1 verb never used, 2 wider than needed");
    const review = use("create", "selfsubjectaccessreviews", { group: "authorization.k8s.io" });
    expect(formatCounts(countFindings(judge([], [review])))).toBe("");
  });
});

describe("the file of uses", () => {
  it("adds the counts of appended records", () => {
    const record = { runs: 2, uses: [use("get", "pods", { namespace: "a", name: "b" })] };
    const text = formatUses(record) + formatUses(record);
    expect(parseUses(text)).toEqual({ runs: 4, uses: [{ ...record.uses[0], count: 2 }] });
  });

  it("refuses other lines", () => {
    expect(() => parseUses('{"runs":1}\n{"a":1}\n')).toThrow("line 2 is not a use");
    expect(() => parseUses("null\n")).toThrow(SyntaxError);
  });

  it("keeps twenty names apart", () => {
    const log = new UseLog();
    for (let index = 0; index < 50; index++) log.add(use("delete", "pods", { name: `pod-${index}` }));
    expect(log.all).toHaveLength(20);
    expect(log.all.at(-1)?.count).toBe(31);
  });
});
