import { basename } from "node:path";
import type { Command, Option } from "commander";
import { parseSync } from "oxc-parser";
import { expect, it } from "vitest";
import { emitYaml } from "../../../src/apimachinery/yaml/emit.ts";
import { parseYamlDocuments } from "../../../src/apimachinery/yaml/parse.ts";
import { main } from "../../../src/cli/main.ts";
import { createProgram } from "../../../src/cli/program.ts";
import { apiFlags } from "../../../src/project/scaffold/api/api-flags.ts";
import { initFlags } from "../../../src/project/scaffold/init/init-flags.ts";
import { webhookFlags } from "../../../src/project/scaffold/webhook/webhook-flags.ts";
import { boatCrd } from "../codegen/from-crd/boat-crd.ts";
import { memoryIo, type MemoryIo } from "./memory-io.ts";
import { projectWith } from "./project-io.ts";

/** Values that would end a comment, a text, a line or a folder of the file that they go into. */
const hostile = [
  "*/ pwned() /*",
  '"; pwned(); "',
  "'; pwned(); '",
  'x"; import "pwned',
  "`${pwned()}`",
  "x\npwned: 1\n",
  "x\r\npwned:\n\ttouch pwned\n",
  'x", "pwned": "1',
  "name@1; touch pwned",
  "name@$(pwned)",
  "../../pwned",
  "/etc/pwned",
  "./../pwned",
  "a/../../pwned",
  "x\u2028pwned()",
  "x\u0000pwned",
  "{{pwned}}",
  "- pwned",
  "x: pwned",
  "x # pwned",
  "x\nRUN pwned",
  "__proto__",
  "constructor",
  "",
];

const init = "init --domain example.com --project-name demo --skip-install --tsop ^1.0.0 --license none";
const memcached = "create api --group cache --kind Memcached --make=false";
const foreign = "create api --group cert-manager --version v1 --kind Certificate --resource=false --make=false";
const webhook = "create webhook --group cache --kind Memcached --defaulting --programmatic-validation --make=false";
const foreignWebhook = "create webhook --group x --version v1 --kind Certificate --defaulting --make=false";
const image = "create api --group cache --kind Redis --image redis:8 --make=false";
const external = "--external-api-path cert-manager-types --external-api-domain io";
const deploy = "--deploy-dir deploy --version 0.0.1";

interface Case {
  /** Commands that succeed before. */
  readonly before: readonly string[];
  /** The command, which succeeds without the flag or with a harmless value of it. */
  readonly line: string;
  /** The flags with a value that this line tries; by default all that no other line of the command tries. */
  readonly flags?: readonly string[];
}

const cases: readonly Case[] = [
  { before: [], line: "init --skip-install --tsop ^1.0.0 --project-name demo" },
  { before: [init], line: "create api --group cache --kind Redis --make=false", flags: ["--group", "--version"] },
  { before: [init], line: memcached },
  {
    before: [init, memcached],
    line: memcached.replace("--make", "--resource=false --make"),
    flags: ["--controller-name"],
  },
  {
    before: [init],
    line: `${foreign} ${external}`,
    flags: ["--group", "--version", "--kind", "--external-api-path", "--external-api-domain", "--external-api-module"],
  },
  {
    before: [init],
    line: image,
    flags: ["--image", "--image-container-command", "--image-container-port", "--run-as-user"],
  },
  { before: [init], line: "create api --from-crd crds/boat.yaml", flags: ["--from-crd", "--output"] },
  {
    before: [init],
    line: "create api --from-cluster boats.sea.example.com --kubeconfig absent",
    flags: ["--from-cluster", "--kubeconfig", "--context"],
  },
  { before: [init, memcached], line: webhook, flags: ["--group", "--version", "--kind", "--plural"] },
  { before: [init, memcached], line: webhook },
  {
    before: [init, memcached, memcached.replace("--make", "--version v1 --controller=false --make")],
    line: "create webhook --group cache --version v1 --kind Memcached --conversion --make=false",
    flags: ["--spoke"],
  },
  {
    before: [init],
    line: `${foreignWebhook} ${external}`,
    flags: ["--group", "--version", "--kind", "--plural", "--external-api-path", "--external-api-domain"],
  },
  { before: [init], line: `${foreignWebhook} ${external}`, flags: ["--external-api-module"] },
  { before: [init, memcached], line: "edit --make=false", flags: ["--owner", "--license-file", "--license"] },
  { before: [init, memcached], line: "edit --make=false", flags: ["--multigroup", "--namespaced", "--plugins"] },
  { before: [init, memcached], line: "edit --namespaced", flags: ["--make"] },
  {
    before: [init, memcached],
    line: "edit --plugins helm --manifests deploy/deployment.yaml",
    flags: ["--manifests", "--output-dir", "--crd-chart"],
  },
  {
    before: [init, memcached],
    line: "generate kustomize manifests",
    flags: ["--package", "--input-dir", "--output-dir", "--apis-dir", "--interactive"],
  },
  {
    before: [init, memcached],
    line: `generate bundle ${deploy}`,
    flags: ["--version", "--package", "--channels", "--default-channel", "--extra-service-accounts", "--overwrite"],
  },
  {
    before: [init, memcached],
    line: `generate bundle ${deploy}`,
    flags: ["--output-dir", "--input-dir", "--crds-dir", "--deploy-dir", "--kustomize-dir", "--image-digest-map"],
  },
];
const rows = { init: initFlags, "create api": apiFlags, "create webhook": webhookFlags };
const attempts = cases.flatMap(({ flags, ...each }) =>
  (flags ?? otherFlags(each.line)).map((flag) => ({ ...each, flag })),
);

function commandOf(line: string): string {
  return line.split(" --")[0]!;
}

function otherFlags(line: string): string[] {
  const tried = cases.flatMap(({ line: other, flags = [] }) => (commandOf(other) === commandOf(line) ? flags : []));
  const words = Object.values(rows[commandOf(line) as keyof typeof rows]).map(({ flag }) => flag.split(" "));
  return words.flatMap(([name, value]) => (value === undefined || tried.includes(name) ? [] : [name!]));
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: demo }
spec:
  selector: { matchLabels: { app: demo } }
  template:
    metadata: { labels: { app: demo } }
    spec: { containers: [{ name: manager, image: "demo:1" }] }
`;

const made = new Map<string, Record<string, string>>();

/** Returns a copy of the project that the commands make. */
async function project(before: readonly string[]): Promise<MemoryIo> {
  const files = made.get(before.join()) ?? Object.fromEntries((await makeProject(before)).disk.files);
  made.set(before.join(), files);
  return memoryIo({ files });
}

async function makeProject(before: readonly string[]): Promise<MemoryIo> {
  const crd = emitYaml(boatCrd({ type: "object" }));
  return projectWith({ files: { "/p/deploy/deployment.yaml": deployment, "/p/crds/boat.yaml": crd } }, ...before);
}

/** The files that are harmless. Most are the same after each attempt. */
const harmless = new Set<string>();

/** Asserts that a file has the structure that its template has, whatever texts are in it. */
function expectHarmless(path: string, text: string): void {
  const file = `${path}\n${text}`;
  if (harmless.has(file)) return;
  const hasKey = (value: unknown): boolean =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(value).some(([key, item]) => /pwned/.test(key) || hasKey(item));
  if (/\.ts(\.txt)?$/.test(path)) {
    const { errors, program } = parseSync("file.ts", text);
    expect([path, errors]).toEqual([path, []]);
    expect(JSON.stringify(program)).not.toMatch(/"name":"pwned"|"value":"pwned"/);
  } else if (path.endsWith(".json")) {
    expect(hasKey(JSON.parse(text))).toBe(false);
  } else if (/\.ya?ml$|PROJECT$/.test(path) && !path.includes("/chart/templates/")) {
    expect(hasKey(parseYamlDocuments(text))).toBe(false);
  } else if (/Dockerfile/.test(basename(path))) {
    const lines = text.replace(/\\\n/g, "").split("\n").filter(Boolean);
    for (const line of lines)
      expect(line).toMatch(/^(#[^\n]*|FROM|ARG|WORKDIR|COPY|RUN|USER|ENTRYPOINT|CMD|LABEL|ENV) ?/);
    expect(lines.filter((line) => /^(RUN|FROM) .*pwned/.test(line))).toEqual([]);
  } else {
    expect(text).not.toContain("pwned");
  }
  harmless.add(file);
}

it.each(attempts)("$line $flag: is escaped, or rejected before anything is written", async ({ before, line, flag }) => {
  for (const value of hostile) {
    const io = await project(before);
    const files = Object.fromEntries(io.disk.files);
    const code = await main([...line.split(" "), `${flag}=${value}`], io);
    expect([value, code, code === 70 ? io.err() : ""]).toEqual([value, expect.any(Number), ""]);
    expect([0, 1, 2]).toContain(code);
    if (code !== 0) expect([value, Object.fromEntries(io.disk.files)]).toEqual([value, files]);
    for (const [path, text] of io.disk.files) {
      // The user may name any folder for a bundle.
      if (flag !== "--output-dir") expect(path).toMatch(/^\/p\/(?!.*\.\.\/)[^\s"'`$;*{}]*$/);
      expectHarmless(path, text);
    }
  }
});

/** Flags whose value is a network address, a number, or the name of something that exists; none lands in a file. */
const unwritten = /^--(registry-.*|ca-file|skip-tls.*|use-http|pull-.*|authfile|plain-http)$/;

it("tries every flag with a value of every command that writes from flags", async () => {
  for (const words of new Set(cases.map(({ line }) => commandOf(line)))) {
    const program = await createProgram(memoryIo(), words.split(" "));
    const command = words
      .split(" ")
      .reduce((found: Command, name) => found.commands.find((each) => each.name() === name)!, program);
    const takesValue = ({ required, optional }: Option): boolean => required || optional;
    const isGo = (option: Option): boolean => option.hidden && option.long !== "--plugins";
    const flags = command.options.filter((option) => takesValue(option) && !isGo(option)).map(({ long }) => long!);
    const tried = attempts.filter(({ line }) => line.startsWith(words)).map(({ flag }) => flag);
    const left = flags.filter((flag) => !tried.includes(flag) && !unwritten.test(flag));
    expect([words, left]).toEqual([words, []]);
  }
});
