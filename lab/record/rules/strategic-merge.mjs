// Asks a real API server for the results of strategic merge patches, and writes
// test/unit/apimachinery/recorded/strategic-merge.json.
//   node lab/record/rules/strategic-merge.mjs KUBECONFIG
// Run by hand; needs kubectl. PodTemplates represent all kinds: they have every kind of list, and no controller acts on
// them.
import { readRecorded, writeRecorded } from "./recorded.mjs";
import { createServerCaller } from "./server-caller.mjs";

const { live, cases } = readRecorded("apimachinery", "strategic-merge");
const call = createServerCaller(process.argv[2]);
const templates = "/api/v1/namespaces/default/podtemplates";
const recorded = {};
for (const [name, { patch }] of Object.entries(cases)) {
  const created = await call("POST", templates, {
    ...live,
    metadata: { ...live.metadata, name: undefined, generateName: "rules-" },
  });
  const url = `${templates}/${created.body.metadata.name}`;
  const { status, body, warnings } = await call("PATCH", url, patch, "application/strategic-merge-patch+json");
  await call("PATCH", url, { metadata: { finalizers: null } }, "application/merge-patch+json");
  await call("DELETE", url);
  const { labels, annotations, finalizers } = body.metadata;
  recorded[name] = {
    patch,
    status,
    ...(status === 200
      ? { metadata: { labels, annotations, finalizers }, template: body.template }
      : { message: body.message }),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}
writeRecorded("apimachinery", "strategic-merge", { live, cases: recorded });
