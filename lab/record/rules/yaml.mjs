// Asks a real API server how it parses YAML, and writes test/unit/apimachinery/recorded/yaml.json.
//   node lab/record/rules/yaml.mjs KUBECONFIG
// Run by hand. The data of a ControllerRevision is stored as the server parses it.
import { createServerCaller } from "./server-caller.mjs";
import { writeRecorded } from "./write-recorded.mjs";

const scalars = `
y|Y|yes|Yes|YES|on|On|ON|true|True|TRUE|n|N|no|off|false|False|yEs|tRUE|null|Null|NULL|~||
0|1|-1|+1|0644|0o644|0b101|0x1F|0X1F|08|1_000|9007199254740991|-0|00|0777_0|1__0|_1|
1.5|-1.5|+1.5|.5|1.|1e3|1e+3|1E-3|1.5e3|1.5e+3|1_0.5|.inf|-.INF|.nan|0.10|1e400|
2001-01-01|2001-12-14t21:59:43.10-05:00|12:30|190:20:30|1.2.3|'yes'|"no"|"a\\\\nb"|'a''b'|!!str 1|!!int "3"|!!binary aGk=|!!float 3|
a b|a: b|- a|[a, 1, yes]|{a: 1, b: [c]}|"\\\\u00e9"|<<|=|@a|%a|a#b|a #b|!x a`
  .trim()
  .replaceAll("\n", "")
  .split("|");

const documents = [
  "a: &x {b: 1}\nc: *x",
  "a: &x {b: 1}\nc: {<<: *x, d: 2}",
  "a: |\n  x\n  y\nb: >-\n  x\n  y\nc: |+\n  x\n\nd: 1",
  "a: 1\n---\nb: 2",
  "a: 1\n...\nb: 2",
  "# a comment\na: 1 # another\n",
  "? a\n: b",
  "1: a\ntrue: b\n1.5: c\nnull: d\nyes: e",
  "a:\n- b\n- c: 1\n  d: 2",
  "a:\n  b: 1\n c: 2",
  "a:\n\tb: 1",
  "a: [1, 2",
  "a: *x",
  "a: 'x",
  "a: 1\na: 2",
  "a: {b: 1, b: 2}",
  "a: b: c",
];

const call = createServerCaller(process.argv[2]);
const url = "/apis/apps/v1/namespaces/default/controllerrevisions?dryRun=All&fieldValidation=Strict";

writeRecorded("apimachinery", "yaml", {
  scalars: Object.fromEntries(await readEach(scalars, (text) => `  x: ${text}`)),
  documents: Object.fromEntries(await readEach(documents, (text) => text.replaceAll(/^(?!---|\.\.\.)/gm, "  "))),
});

async function readEach(texts, indent) {
  const entries = [];
  for (const text of texts) {
    const body = `apiVersion: apps/v1\nkind: ControllerRevision\nmetadata: {name: x}\nrevision: 1\ndata:\n${indent(text)}\n`;
    const { status, body: answer } = await call("POST", url, body, "application/yaml");
    entries.push([text, status === 201 ? { data: answer.data } : { message: answer.message }]);
  }
  return entries;
}
