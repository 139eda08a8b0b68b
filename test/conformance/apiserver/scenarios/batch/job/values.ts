import { merge, type RequestStep, type Scenarios } from "../../../scenario.ts";
import { PATCH, POST } from "../../../requests.ts";
import { jobs, reasons } from "../../../steps.ts";

const pods = { restartPolicy: "Never", containers: [{ name: "c", image: "i:1" }] };
const create = (spec: object): RequestStep =>
  POST(
    `${jobs}?dryRun=All`,
    { metadata: { name: "z" }, spec: { template: { spec: pods }, ...spec } },
    {
      pick: ({ spec, ...rest }: any) => {
        const { selector: _selector, template: _template, ...others } = spec ?? {};
        return reasons(rest) ?? others;
      },
    },
  );
const make = (name: string, spec: object, labels: object = {}): RequestStep =>
  POST(jobs, { metadata: { name, labels }, spec: { template: { spec: pods }, ...spec } }, { unrecorded: true });
const relabel = (name: string, labels: object): RequestStep =>
  PATCH(`${jobs}/${name}`, merge, { metadata: { labels } }, { pick: ({ metadata }) => metadata.labels });

/** Policies of jobs. */
export const scenarios: Scenarios = {
  "job-policies": [
    ...["A B", "a.b/c", `a.b/${"c".repeat(59)}`, `a.b/${"c".repeat(60)}`].map((managedBy) => ({ managedBy })),
    { completionMode: "" },
    { podReplacementPolicy: "" },
    { managedBy: "" },
    { managedBy: `a.b/${"c".repeat(64)}` },
  ].map((spec) => create(spec)),
  "labels-of-templates": [
    make("labelled", {}, { app: "a" }),
    relabel("labelled", { app: null }),
    relabel("labelled", { app: "b", "job-name": null }),
  ],
};
