// Asks a real API server for the cost of rules, and writes test/unit/apimachinery/cel/recorded/cel-costs.json.
//   node lab/record/rules/cel-costs.mjs KUBECONFIG
// Run by hand. A server reports a cost only if it exceeds the limit, with a factor; so each rule is put on the items of
// lists of different lengths until the server reports one.
import { readRecorded, writeRecorded } from "./recorded.mjs";
import { createServerCaller } from "./server-caller.mjs";

const call = createServerCaller(process.argv[2]);
const limit = 10_000_000;

const { schema, costs: recorded } = readRecorded("apimachinery/cel", "cel-costs");
const costs = {};
for (const rule of Object.keys(recorded)) {
  const cost = await costOf(rule);
  if (cost !== undefined) costs[rule] = cost;
}
writeRecorded("apimachinery/cel", "cel-costs", { schema, costs });

/** Returns the factor that the server reports, and the length of the list for which it reports it. */
async function costOf(rule) {
  for (let items = limit; items >= 1; items /= 10) {
    const { status, body } = await call(
      "POST",
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All",
      crd(rule, items),
    );
    if (status === 201) return { items, problem: null };
    const causes = body.details?.causes ?? [];
    if (causes.some(({ reason }) => reason !== "FieldValueForbidden")) return undefined;
    const problem = causes.find(({ message }) => message.startsWith("Forbidden: estimated rule cost"))?.message;
    if (problem && !problem.includes("100x")) return { items, problem };
    if (items === 1) return { items, problem: problem ?? null };
  }
}

function crd(rule, maxItems) {
  const spec = { type: "array", maxItems, items: { ...schema, "x-kubernetes-validations": [{ rule }] } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "rules.cel.example.com" },
    spec: {
      group: "cel.example.com",
      scope: "Cluster",
      names: { plural: "rules", kind: "Rule" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        },
      ],
    },
  };
}
