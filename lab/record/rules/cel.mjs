// Asks a real API server to evaluate rules in CEL, and writes test/unit/apimachinery/cel/recorded/cel.json.
//   node lab/record/rules/cel.mjs KUBECONFIG
// Run by hand. Each rule is tried in a CRD of its own with a dry run; those that compile are run together on one
// object.
import { readRecorded, writeRecorded } from "./recorded.mjs";
import { createServerCaller } from "./server-caller.mjs";

const { schema, value, ...recorded } = readRecorded("apimachinery/cel", "cel");
const [rules, texts] = [recorded.cases, recorded.texts].map(Object.keys);
const call = createServerCaller(process.argv[2]);
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const crd = (spec) => ({
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
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec },
          },
        },
      },
    ],
  },
});

const cases = {};
for (const rule of rules) {
  const { status, body } = await call(
    "POST",
    `${crds}?dryRun=All`,
    crd({ ...schema, "x-kubernetes-validations": [{ rule }] }),
  );
  const causes =
    status === 201
      ? []
      : body.details.causes.map(({ reason, message, field }) => ({
          reason,
          message,
          field: field.replace(/^.*\]\./, ""),
        }));
  cases[rule] = causes.length > 0 ? { causes } : {};
}
const usable = rules.filter((rule) => !cases[rule].causes);
await eachChunk(
  usable,
  (rule, index) => ({ rule, message: `#${index}` }),
  (rule, error) => {
    cases[rule].result =
      error === undefined ? true : error.replace(/^Invalid value: ("object": )?/, "").replace(/#\d+$/, "");
  },
);
writeRecorded("apimachinery/cel", "cel", { schema, value, cases, texts: await showTexts() });

/** Makes each text the message of a rule of its own field: a number, because that needs no schema. */
async function showTexts() {
  const fields = texts.map((text, index) => [
    `t${index}`,
    { type: "integer", "x-kubernetes-validations": [{ rule: "self == 0", message: "#", messageExpression: text }] },
  ]);
  const values = Object.fromEntries(fields.map(([name]) => [name, 1]));
  const errors = await tryRules({ type: "object", properties: Object.fromEntries(fields) }, values);
  return Object.fromEntries(
    texts.map((text, index) => {
      const { message } = errors.find(({ field }) => field === `spec.t${index}`);
      return [text, message.replace(/^Invalid value: 1: /, "")];
    }),
  );
}

/** Puts many rules into one CRD, and passes on the server's message about each for an object. */
async function eachChunk(sources, toRule, receive) {
  for (let start = 0; start < sources.length; start += 30) {
    const chunk = sources.slice(start, start + 30);
    const errors = await tryRules({ ...schema, "x-kubernetes-validations": chunk.map(toRule) }, value);
    chunk.forEach((source, index) => {
      const error = errors.find(({ message }) => new RegExp(`#${index}$`).test(message));
      receive(source, error?.message);
    });
  }
}

async function tryRules(specSchema, spec) {
  const created = await call("POST", crds, crd(specSchema));
  if (created.status !== 201) throw new Error(JSON.stringify(created.body.details.causes, null, 1));
  const errors = await evaluate(spec);
  await call("DELETE", `${crds}/rules.cel.example.com`);
  await waitUntilSettled(async () => (await call("GET", `${crds}/rules.cel.example.com`)).status === 404);
  return errors;
}

/** Returns the problems of one object once its kind is served. */
async function evaluate(spec) {
  let answer;
  await waitUntilSettled(async () => {
    answer = await call("POST", "/apis/cel.example.com/v1/rules?dryRun=All", {
      apiVersion: "cel.example.com/v1",
      kind: "Rule",
      metadata: { name: "x" },
      spec,
    });
    return answer.status !== 404;
  });
  if (answer.status === 201) return [];
  return answer.body.details.causes;
}

async function waitUntilSettled(isSettled) {
  const deadline = Date.now() + 20_000;
  while (!(await isSettled())) {
    if (Date.now() > deadline) throw new Error("the server did not get there");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
