import { describe, expect, it } from "vitest";
import {
  collection,
  embed,
  Inline,
  lines,
  members,
  optional,
  renderManifest,
  when,
} from "../../../../src/project/helm/template.ts";

describe("a manifest with slots", () => {
  it.each([
    ["a value in its line", { replicas: new Inline("{{ .Values.a }}") }, "replicas: {{ .Values.a }}\n"],
    ["a part of a text", { name: `${embed("{{ .Values.a }}")}-role` }, "name: {{ .Values.a }}-role\n"],
    ["braces of the manifest, escaped", { note: "{{ x }}" }, `note: '{{ "{{" }} x }}'\n`],
    [
      "a member under a condition",
      { spec: { b: when(".Values.on", { c: 1 }) } },
      "spec:\n  {{- if .Values.on }}\n  b:\n    c: 1\n  {{- end }}\n",
    ],
    [
      "an item under a condition, with another one otherwise, and names in it",
      { list: ["first", when(".Values.on", { a: embed("{{ .Name }}"), b: 1 }, "other")] },
      "list:\n- first\n{{- if .Values.on }}\n- a: {{ .Name }}\n  b: 1\n{{- else }}\n- other\n{{- end }}\n",
    ],
    [
      "a list of the values in a list of mappings",
      { containers: [{ args: ["a", members(".Values.more")] }] },
      "containers:\n- args:\n  - a\n  {{- with .Values.more }}\n  {{- toYaml . | nindent 2 }}\n  {{- end }}\n",
    ],
    [
      "a mapping of the values",
      { spec: { a: collection("x") } },
      "spec:\n  a:\n    {{- toYaml .Values.x | nindent 4 }}\n",
    ],
    [
      "an optional mapping of the values",
      { a: optional("x") },
      "{{- with .Values.x }}\na:\n  {{- toYaml . | nindent 2 }}\n{{- end }}\n",
    ],
    ["lines beside members", { "~": lines("{{- x }}"), b: 1 }, "{{- x }}\nb: 1\n"],
  ])("renders %s", (_title, manifest, text) => {
    expect(renderManifest(manifest)).toBe(text);
  });

  it("rejects lines in place of a part of a text", () => {
    expect(() => renderManifest([{ a: lines("{{- x }}") }])).toThrow("a block needs a line of its own: - a: ");
  });
});
