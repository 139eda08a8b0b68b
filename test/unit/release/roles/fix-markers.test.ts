import { describe, expect, it } from "vitest";
import type { Use } from "../../../../src/apiserver/audit/use-log.ts";
import { loadCalls } from "../../../../src/codegen/run-generators.ts";
import { memoryDisk } from "../../../../src/files/memory-disk.ts";
import { fixMarkers, type MarkerFixes } from "../../../../src/release/roles/fix-markers.ts";
import { rulesOfMarkers } from "../../../../src/release/roles/granted-rules.ts";
import { judgeRoles } from "../../../../src/release/roles/judge-roles.ts";

const account = { namespace: "cache-system", name: "manager" };

async function fix(controller: string, uses: readonly Partial<Use>[]): Promise<MarkerFixes & { text: string }> {
  const disk = memoryDisk({ "/p/controller.ts": controller });
  const { packageMarkers, calls } = await loadCalls({ root: "/p", disk });
  const granted = rulesOfMarkers(packageMarkers, [], { account, roleName: "manager-role" });
  const all = uses.map((each): Use => ({ verb: "get", group: "", resource: "pods", count: 1, example: "", ...each }));
  const report = judgeRoles(granted, { runs: 1, uses: all }, { account, calls, texts: [controller] });
  const fixes = fixMarkers(report);
  const [change] = fixes.changes;
  return { ...fixes, text: change?.type === "update" ? change.text : controller };
}

const marker = (text: string): string => `  // +kubebuilder:rbac:${text}\n`;
const inClass = (...lines: string[]): string => `class R {\n${lines.join("")}  run() {}\n}\n`;

describe("fixMarkers", () => {
  it("changes nothing that fits", async () => {
    const { changes, left } = await fix(inClass(marker("groups=core,resources=pods,verbs=get")), [{}]);
    expect({ changes, left }).toEqual({ changes: [], left: [] });
  });

  it("keeps the ends of lines, and a file without a last one", async () => {
    const [first, second] = [
      marker("groups=core,resources=pods,verbs=get;delete"),
      marker("groups=core,resources=pods,verbs=get"),
    ];
    const before = `a();\r\n${first.replace("\n", "\r\n")}${second.trimEnd()}`;
    expect((await fix(before, [{}])).text).toBe(before.replace(";delete", ""));
  });

  it("removes verbs, and keeps the other words of the marker", async () => {
    const before = inClass(marker("groups=core,resources={pods},verbs=get;delete,namespace=system"));
    const { text } = await fix(before, [{ namespace: "cache-system" }]);
    expect(text).toBe(inClass(marker("groups=core,resources={pods},verbs=get,namespace=system")));
  });

  it("removes markers, and divides those whose resources differ", async () => {
    const before = inClass(
      marker('groups="";apps,resources=pods;services;nodes,verbs=create;delete'),
      marker("groups=batch,resources=jobs,verbs=delete"),
    );
    const uses = [{ verb: "create" }, { verb: "delete" }, { verb: "create", resource: "services" }];
    expect((await fix(before, uses)).text).toBe(
      inClass(
        marker('groups="";apps,resources=pods,verbs=create;delete'),
        marker('groups="";apps,resources=services,verbs=create'),
      ),
    );
  });

  it("adds verbs to the marker of the resource, and markers after the last", async () => {
    const before = inClass(marker('groups="",resources=pods,verbs=get'), marker("urls=/metrics,verbs=get"));
    const uses = [{}, { verb: "update" }, { verb: "list", group: "apps", resource: "deployments" }];
    expect((await fix(before, uses)).text).toBe(
      inClass(
        marker('groups="",resources=pods,verbs=get;update'),
        marker("urls=/metrics,verbs=get"),
        marker("groups=apps,resources=deployments,verbs=get;list;watch"),
      ),
    );
  });

  it("replaces stars by what is needed, also by calls that no run met", async () => {
    const before = `import { Pod } from "tsop/k8s/core/v1";\n${inClass(
      marker("groups=*,resources=*,verbs=*"),
      "  end() { return this.client.delete(Pod, key); }\n",
    )}`;
    const { text } = await fix(before, [
      { verb: "watch" },
      { verb: "update", resource: "pods", subresource: "status" },
    ]);
    expect(text).toContain(
      marker('groups="",resources=pods,verbs=get;list;watch;delete') +
        marker('groups="",resources=pods/status,verbs=update'),
    );
  });

  it("gives Secrets the names that the sources have", async () => {
    const before = inClass(marker("groups=core,resources=secrets,verbs=get;create"), '  name = "license";\n');
    const { text } = await fix(before, [
      { resource: "secrets", name: "license", namespace: "a" },
      { verb: "create", resource: "secrets", namespace: "a" },
    ]);
    expect(text).toContain(
      marker("groups=core,resources=secrets,verbs=create") +
        marker("groups=core,resources=secrets,verbs=get,resourceNames=license"),
    );
  });

  it("leaves what it cannot change to a person", async () => {
    const before = inClass("  /* +kubebuilder:rbac:groups=core,resources=pods,verbs=get;delete */\n");
    const { changes, left } = await fix(before, [{}]);
    expect({ changes, left }).toEqual({
      changes: [],
      left: ["controller.ts:2: the marker is not alone on its line"],
    });
    const missing = await fix("export const nothing = 1;\n", [{}]);
    expect(missing.left).toEqual([
      'no controller has a marker yet: // +kubebuilder:rbac:groups="",resources=pods,verbs=get',
    ]);
  });
});
