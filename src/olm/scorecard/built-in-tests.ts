import { parseApiVersion } from "../../apimachinery/kind.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { Bundle } from "../bundle/bundle.ts";
import type { Crd } from "../bundle/crd.ts";
import type { CrdDescription } from "../csv/csv.ts";
import { formatFinding } from "../validate/finding.ts";
import { parseExamples, type Example } from "../validate/rules/examples.ts";
import { validateBundle } from "../validate/validate-bundle.ts";

/** The result of a test. */
export interface TestResult {
  readonly name?: string;
  readonly log?: string;
  readonly state: "pass" | "fail" | "error";
  readonly errors?: readonly string[];
  readonly suggestions?: readonly string[];
  readonly creationTimestamp: string | null;
}

/** The tests of the image scorecard-test, by name. They only read the bundle, so they need no cluster. */
export const builtInTests: Readonly<Record<string, (bundle: Bundle) => TestResult | Promise<TestResult>>> = {
  "basic-check-spec": (bundle) => withExamples("basic-check-spec", bundle, { unreadable: "fail", check: checkSpec }),
  "olm-bundle-validation": checkValidity,
  "olm-crds-have-validation": (bundle) =>
    withExamples("olm-crds-have-validation", bundle, { unreadable: "error", check: checkSchemas }),
  "olm-crds-have-resources": checkResources,
  "olm-spec-descriptors": (bundle) =>
    withExamples("olm-spec-descriptors", bundle, { unreadable: "error", check: checkSpecDescriptors }),
  "olm-status-descriptors": (bundle) =>
    withExamples("olm-status-descriptors", bundle, { unreadable: "error", check: checkStatusDescriptors }),
};

class Findings {
  readonly errors: string[] = [];
  readonly suggestions: string[] = [];
  failed = false;

  fail(error?: string, suggestion?: string): void {
    this.failed = true;
    if (error) this.errors.push(error);
    if (suggestion) this.suggestions.push(suggestion);
  }

  result(name: string, log: string): TestResult {
    return {
      name,
      ...(log ? { log } : {}),
      state: this.failed ? "fail" : "pass",
      ...(this.errors.length > 0 ? { errors: this.errors } : {}),
      ...(this.suggestions.length > 0 ? { suggestions: this.suggestions } : {}),
      creationTimestamp: null,
    };
  }
}

interface ExampleCheck {
  /** The state if the examples cannot be parsed. */
  readonly unreadable: "fail" | "error";
  readonly check: (example: Example, bundle: Bundle, findings: Findings) => void;
}

function withExamples(name: string, bundle: Bundle, { unreadable, check }: ExampleCheck): TestResult {
  const text = bundle.csv.metadata.annotations?.["alm-examples"];
  const examples = text ? parseExamples(text) : { list: [] };
  if ("problem" in examples) {
    return { name, state: unreadable, errors: [`alm-examples ${examples.problem}`], creationTimestamp: null };
  }
  const findings = new Findings();
  for (const example of examples.list) check(example, bundle, findings);
  return findings.result(name, `Loaded ${examples.list.length} custom resources from alm-examples\n`);
}

function checkSpec({ spec, metadata }: Example, _: Bundle, findings: Findings): void {
  // One suggestion is enough.
  if (!spec && findings.suggestions.length === 0)
    findings.suggestions.push(`spec missing from ${metadata?.name ?? "an example"}`);
}

async function checkValidity(bundle: Bundle): Promise<TestResult> {
  const findings = new Findings();
  for (const finding of await validateBundle(bundle)) {
    if (finding.level === "error") findings.fail(formatFinding(finding));
    else findings.suggestions.push(formatFinding(finding));
  }
  return findings.result("olm-bundle-validation", "");
}

function checkSchemas(example: Example, { crds }: Bundle, findings: Findings): void {
  const { version } = parseApiVersion(example.apiVersion);
  for (const { spec } of crds.filter(({ spec }) => same(spec.names.kind, example.kind))) {
    for (const [name, schema] of schemasOf(spec).filter(([name]) => same(name, version))) {
      if (!schema) findings.suggestions.push(`Add CRD validation for ${spec.names.kind}/${name}`);
      else checkFields(example, schema, findings);
    }
  }
}

/** Returns the schema of each version. A CRD of v1beta1 can have one schema, and one version, for all. */
function schemasOf(spec: Crd["spec"]): [version: string, schema: JsonSchema | undefined][] {
  const versions = spec.versions ?? [{ name: spec.version ?? "" }];
  return versions.map((version: { name: string; schema?: unknown }) => {
    const { openAPIV3Schema: schema } = (version.schema ?? spec["validation"] ?? {}) as {
      openAPIV3Schema?: JsonSchema;
    };
    return [version.name, schema];
  });
}

function checkFields(example: Example, schema: JsonSchema, findings: Findings): void {
  const { version } = parseApiVersion(example.apiVersion);
  for (const part of ["spec", "status"] as const) {
    const known = schema.properties?.[part]?.properties ?? {};
    for (const field of Object.keys(example[part] ?? {}).filter((field) => !known[field])) {
      findings.fail(undefined, `Add CRD validation for ${part} field ${field} in ${example.kind}/${version}`);
    }
  }
}

function checkResources({ csv }: Bundle): TestResult {
  const findings = new Findings();
  const without = csv.spec.customresourcedefinitions?.owned?.find(({ resources = [] }) => resources.length === 0);
  if (without) {
    findings.fail(`Owned CRD ${without.name} (${without.version}) lists no resources`);
  }
  return findings.result("olm-crds-have-resources", `Loaded ClusterServiceVersion: ${csv.metadata.name}\n`);
}

function checkSpecDescriptors(example: Example, bundle: Bundle, findings: Findings): void {
  if (!example.spec) return findings.fail(`Example ${example.metadata?.name ?? ""} of ${example.kind} has no spec`);
  const owned = ownedCrd(example, bundle, findings);
  if (!owned) return;
  const described = new Set(owned.specDescriptors?.map(({ path }) => path));
  for (const field of Object.keys(example.spec).filter((field) => !described.has(field))) {
    findings.fail(`${field} does not have a spec descriptor`, `Add a spec descriptor for ${field}`);
  }
}

function checkStatusDescriptors(example: Example, bundle: Bundle, findings: Findings): void {
  const owned = ownedCrd(example, bundle, findings);
  if (!owned) return;
  if (Object.keys(example.status ?? {}).length === 0) {
    findings.suggestions.push(
      `The example of ${owned.name} has no status; give it one, so that its descriptors can be checked`,
    );
  } else if (!owned.statusDescriptors?.length) {
    findings.fail(
      `${owned.name} does not have a status descriptor`,
      `Add status descriptors for ${owned.name}: +operator-sdk:csv:customresourcedefinitions:type=status`,
    );
  }
}

function ownedCrd(
  { apiVersion, kind, metadata }: Example,
  { csv }: Bundle,
  findings: Findings,
): CrdDescription | undefined {
  const { version } = parseApiVersion(apiVersion);
  const owned = csv.spec.customresourcedefinitions?.owned?.find(
    (entry) => entry.kind === kind && entry.version === version,
  );
  if (!owned) findings.fail(`Failed to find an owned CRD for ${metadata?.name ?? ""} (${apiVersion}, ${kind})`);
  return owned;
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
