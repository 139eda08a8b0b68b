// Asks a real API server how it parses YAML, and writes test/unit/apimachinery/recorded/yaml.json.
//   node lab/record/rules/yaml.mjs KUBECONFIG
// Run by hand. The data of a ControllerRevision is stored as the server parses it.
import { readRecorded, writeRecorded } from "./recorded.mjs";
import { createServerCaller } from "./server-caller.mjs";

const { scalars, documents } = readRecorded("apimachinery", "yaml");
const call = createServerCaller(process.argv[2]);
const url = "/apis/apps/v1/namespaces/default/controllerrevisions?dryRun=All&fieldValidation=Strict";

writeRecorded("apimachinery", "yaml", {
  scalars: Object.fromEntries(await readEach(scalars, (text) => `  x: ${text}`)),
  documents: Object.fromEntries(await readEach(documents, (text) => text.replaceAll(/^(?!---|\.\.\.)/gm, "  "))),
});

async function readEach(recorded, indent) {
  const entries = [];
  for (const text of Object.keys(recorded)) {
    const body = `apiVersion: apps/v1\nkind: ControllerRevision\nmetadata: {name: x}\nrevision: 1\ndata:\n${indent(text)}\n`;
    const { status, body: answer } = await call("POST", url, body, "application/yaml");
    entries.push([text, status === 201 ? { data: answer.data } : { message: answer.message }]);
  }
  return entries;
}
