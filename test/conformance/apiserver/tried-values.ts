import { merge, type RequestStep, type Step } from "./scenario.ts";
import { PATCH, POST } from "./requests.ts";

const shown = ({ code, message, details, spec, status }: any): unknown =>
  code === undefined ? { spec, status } : { code, causes: details?.causes ?? message };

export interface Tried {
  readonly path: string;
  /** The spec of a valid object. */
  readonly spec: object;
  /** What new objects have instead. */
  readonly wished: readonly object[];
  /** What the valid object gets. */
  readonly changes: readonly object[];
}

/** Tries values of new objects, and changes of an existing one. */
export function tried({ path, spec, wished, changes }: Tried): readonly Step[] {
  const change = (body: object): RequestStep => PATCH(`${path}/a?dryRun=All`, merge, body, { pick: shown });
  return [
    ...wished.map((fields) =>
      POST(`${path}?dryRun=All`, { metadata: { name: "z" }, spec: { ...spec, ...fields } }, { pick: shown }),
    ),
    POST(path, { metadata: { name: "a" }, spec }, { pick: shown }),
    ...changes.map((fields) => change({ spec: fields })),
  ];
}

export const container = { name: "c", image: "i:1" };
export const template = (fields: object = {}): object => ({
  metadata: { labels: { a: "b" } },
  spec: { containers: [container], ...fields },
});
export const selected: object = { selector: { matchLabels: { a: "b" } }, template: template() };
export const strategies = (...list: object[]): object[] => list.map((updateStrategy) => ({ updateStrategy }));
export const rolling = (rollingUpdate: object): object => ({ rollingUpdate });
export const other = { selector: { matchLabels: { c: "d" } } };
export const newImage: object = { template: { spec: { containers: [{ ...container, image: "i:2" }] } } };
export const ofTemplates: readonly object[] = [
  { selector: null },
  { selector: {} },
  { selector: { matchLabels: { x: "y" } } },
  { template: template({ restartPolicy: "Never" }) },
  { template: template({ activeDeadlineSeconds: 5 }) },
  { minReadySeconds: -1 },
  { revisionHistoryLimit: -1 },
];
