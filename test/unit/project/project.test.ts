import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { memoryDisk } from "../../../src/files/memory-disk.ts";
import { editYaml } from "../../../src/project/edit-yaml.ts";
import { findProjectRoot, loadProject } from "../../../src/project/load-project.ts";
import { formatProject, parseProject } from "../../../src/project/parse-project.ts";
import type { Project } from "../../../src/project/project.ts";

const text = `# mine
domain: example.com # the company's
layout:
- typescript.tsop.dev/v1
futureField:
    deep: [1, 2]
projectName: demo
resources:
# the first
- kind: Foo
  version: v1 # stable
  extra: kept
  api:
    crdVersion: v1
- kind: Bar
  version: v2
version: "3"
# the end
`;

describe("PROJECT", () => {
  it("keeps its bytes if nothing changes", () => {
    expect(formatProject(parseProject(text, "PROJECT"), text)).toBe(text);
  });

  it("keeps comments, order and unknown fields around a change", () => {
    const project = parseProject(text, "PROJECT");
    const [foo, bar] = project.resources!;
    const changed: Project = {
      ...project,
      multigroup: true,
      resources: [
        { ...foo!, controller: true, api: { crdVersion: "v1", namespaced: true } },
        bar!,
        { kind: "Baz", version: "v1" },
      ],
    };
    expect(formatProject(changed, text)).toBe(
      text
        .replace("projectName", "multigroup: true\nprojectName")
        .replace("    crdVersion: v1\n", "    crdVersion: v1\n    namespaced: true\n")
        .replace("- kind: Foo\n", "- controller: true\n  kind: Foo\n")
        .replace("  version: v2\n", "  version: v2\n- kind: Baz\n  version: v1\n"),
    );
  });

  it("keeps the line ends of Windows", () => {
    const windows = text.replaceAll("\n", "\r\n");
    const project = { ...parseProject(windows, "PROJECT"), multigroup: true };
    expect(formatProject(project, windows)).toBe(windows.replace("projectName", "multigroup: true\r\nprojectName"));
  });

  it("removes an item with the comment above it", () => {
    const project = parseProject(text, "PROJECT");
    const edited = formatProject({ ...project, resources: project.resources!.slice(1) }, text);
    expect(edited).toBe(text.replace(/# the first[^]*?(?=- kind: Bar)/, ""));
  });

  it.each([
    ["flow style", "{a: 1, b: [2]}\n", { a: 1, b: [2, 3] }],
    ["an anchor", "a: &x\n  b: 1\nc: *x\n", { a: { b: 2 }, c: { b: 1 } }],
    ["an emptied list", "a:\n- 1\nb: 2\n", { a: [], b: 2 }],
    ["a multi-line string", "a: |\n  one\n\n  two\nb: 1\n", { a: "one\n\ntwo\n", b: 2 }],
    ["a list replaced by a mapping", "a:\n- b: 1\n", { a: { b: 1 } }],
    ["indented lists", "a:\n  - x: 1\n    y: 2\n  - x: 3\n", { a: [{ x: 1, y: 9 }, { x: 3 }] }],
  ])("edits %s", (_name, before, next) => {
    const project = { version: "3", layout: ["typescript.tsop.dev/v1"], projectName: "p" };
    const whole = before.startsWith("{")
      ? before
      : `${before}version: "3"\nlayout: [typescript.tsop.dev/v1]\nprojectName: p\n`;
    const wanted = before.startsWith("{") ? next : { ...next, ...project };
    const edited = editYaml(whole, wanted);
    expect(load(edited)).toEqual(wanted);
  });

  it("is written sorted, with quotes only if YAML needs them", () => {
    const project: Project = {
      version: "3",
      projectName: "demo",
      domain: "example.com",
      layout: ["typescript.tsop.dev/v1"],
    };
    expect(formatProject(project).replace(/^#.*\n/gm, "")).toBe(
      'domain: example.com\nlayout:\n- typescript.tsop.dev/v1\nprojectName: demo\nversion: "3"\n',
    );
  });

  it.each([
    ["TSOP_PROJECT_INVALID", "a: [", ":2:1:"],
    ["TSOP_PROJECT_INVALID", "- a\n", "it must be a map"],
    ["TSOP_PROJECT_INVALID", "layout: [x]\n", "no version"],
    ["TSOP_PROJECT_VERSION", 'version: "4"\n', 'schema version "4"'],
    ["TSOP_PROJECT_LAYOUT", 'version: "3"\nlayout: [go.kubebuilder.io/v4]\n', "go.kubebuilder.io/v4"],
    ["TSOP_PROJECT_LAYOUT", 'version: "3"\nlayout: helm.sdk.operatorframework.io/v1\n', "helm.sdk"],
    ["TSOP_PROJECT_INVALID", 'version: "3"\nlayout: [typescript.tsop.dev/v1]\n', "projectName"],
    ["TSOP_PROJECT_INVALID", text.replace("- kind: Bar\n  ", "- "), "resources[1]"],
    [
      "TSOP_PROJECT_INVALID",
      text.replace("domain:", "domian:"),
      ":2:1: PROJECT can't be read: it has the unknown key domian: did you mean domain?",
    ],
    [
      "TSOP_PROJECT_INVALID",
      text.replace("resources:", "resource:"),
      ":8:1: PROJECT can't be read: it has the unknown key resource: did you mean resources?",
    ],
    [
      "TSOP_PROJECT_INVALID",
      text.replace('version: "3"', 'Version: "3"'),
      ":17:1: PROJECT can't be read: it has the unknown key Version: did you mean version?",
    ],
    [
      "TSOP_PROJECT_INVALID",
      text.replace("extra:", "controlers:"),
      ":12:3: PROJECT can't be read: resources[0] has the unknown key controlers: did you mean controllers?",
    ],
    [
      "TSOP_PROJECT_INVALID",
      text.replace(/^domain.*$/m, "#").replace("extra: kept", "domain: example.com"),
      "it has no domain, but resources[0] has one",
    ],
  ])("rejects with %s: %j", (code, bad, part) => {
    let error: unknown;
    try {
      parseProject(bad, "/p/PROJECT");
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code, message: expect.stringContaining(part) });
    expect((error as Error).message).toContain("/p/PROJECT");
  });

  it("may have all keys of the Go tools, and those of newer ones", () => {
    const go = `cliVersion: 4.15.0
componentConfig: true
multigroup: true
namespaced: true
plugins: {}
repo: example.com/demo
ui: {}
${text.replace("extra: kept", "extra: kept\n  controller: true\n  core: true\n  external: true\n  module: m\n  path: m/v1\n  plural: foos\n  webhooks: {}\n  x: 1")}`;
    expect(parseProject(go, "PROJECT")).toMatchObject({ futureField: { deep: [1, 2] }, componentConfig: true });
  });

  it("is found from a subfolder", async () => {
    const disk = memoryDisk({ "/p/PROJECT": text, "/p/a/b/c.ts": "" });
    expect(await findProjectRoot("/p/a/b", disk)).toBe("/p");
    expect((await loadProject("/p/a", disk)).project.projectName).toBe("demo");
    await expect(findProjectRoot("/q", disk)).rejects.toMatchObject({ code: "TSOP_PROJECT_NOT_FOUND" });
  });
});

describe("values of PROJECT that would leave the project or its texts", () => {
  const resource = (field: string): string =>
    `layout:\n- typescript.tsop.dev/v1\nprojectName: demo\nresources:\n- group: ship\n  kind: Frigate\n  version: v1\n  external: true\n  ${field}\nversion: "3"\n`;
  it.each([
    [resource("domain: ../../victim"), 9, 11, "resources[0].domain"],
    [resource("plural: a/b"), 9, 11, "resources[0].plural"],
    [resource("plural: 7"), 9, 3, "resources[0].plural"],
    [resource("path: ./../victim"), 9, 9, "resources[0].path"],
    [resource(`path: 'x"; import "evil'`), 9, 9, "resources[0].path"],
    [resource("module: pkg@1; touch pwn"), 9, 11, "resources[0].module"],
    [resource("webhooks: { defaultingPath: /../x }"), 9, 31, "resources[0].webhooks.defaultingPath"],
    [resource("webhooks: { spoke: [ ../../v1 ] }"), 9, 24, "resources[0].webhooks.spoke"],
    [resource("webhooks: { spoke: v1 }"), 9, 15, "resources[0].webhooks.spoke"],
    [resource("controllers: [ { name: ../x } ]"), 9, 26, "resources[0].controllers"],
    [resource("api: [v1]"), 9, 3, "resources[0].api"],
    [resource("x: 1").replace("group: ship", "group: ../../victim"), 5, 10, "resources[0].group"],
    [resource("x: 1").replace("kind: Frigate", "kind: ../Frigate"), 6, 9, "resources[0].kind"],
    [resource("x: 1").replace("version: v1", "version: ../v1"), 7, 12, "resources[0].version"],
    [resource("x: 1").replace("projectName: demo", "projectName: '../demo'"), 3, 14, "projectName"],
    [`domain: "a\\n/b"\n${resource("x: 1")}`, 1, 9, "domain"],
  ])("%j", (text, line, column, field) => {
    const parse = (): unknown => parseProject(text, "PROJECT");
    const message = expect.stringMatching(new RegExp(`^${field.replace(/[[\]]/g, "\\$&")} `));
    expect(parse).toThrow(
      expect.objectContaining({
        diagnostics: [expect.objectContaining({ file: "PROJECT", line, column, code: "TSOP_PROJECT_VALUE", message })],
      }),
    );
  });

  it("reports all of them", () => {
    const text = resource("plural: ../b").replace("group: ship", "group: ../a");
    expect(() => parseProject(text, "PROJECT")).toThrow(/PROJECT:5:10: error[^]*PROJECT:9:11: error/);
  });

  it.each([
    ["x: 1\na: &a [*a]\n", "2:8"],
    ["a: &a { b: *a }\n", "1:12"],
    [Array.from({ length: 12 }, (_, n) => `a${n}: &a${n} [${n ? `*a${n - 1}, `.repeat(9) : "x"}]\n`).join(""), "1:5"],
  ])("names the place of an anchor that contains itself, or of too many aliases: %#", (text, place) => {
    expect(() => parseProject(text, "PROJECT")).toThrow(
      expect.objectContaining({ code: "TSOP_PROJECT_INVALID", message: expect.stringContaining(`PROJECT:${place}:`) }),
    );
  });
});
