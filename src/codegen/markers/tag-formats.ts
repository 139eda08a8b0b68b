/** What a `k8s:format` says in a schema. */
export interface TagFormat {
  readonly pattern: string;
  readonly maxLength?: number;
}

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;
const anyLabel = "[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?";
const qualified = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";

/** The formats of Kubernetes' own types, by their names. */
export const tagFormats: ReadonlyMap<string, TagFormat> = new Map([
  ["k8s-short-name", { pattern: `^${label}$`, maxLength: 63 }],
  ["k8s-long-name", { pattern: `^${subdomain}$`, maxLength: 253 }],
  ["k8s-long-name-caseless", { pattern: `^${anyLabel}(\\.${anyLabel})*$`, maxLength: 253 }],
  ["k8s-label-key", { pattern: `^(${subdomain}/)?${qualified}$`, maxLength: 317 }],
  ["k8s-prefixed-label-key", { pattern: `^${subdomain}/${qualified}$`, maxLength: 317 }],
  ["k8s-label-value", { pattern: `^(${qualified})?$`, maxLength: 63 }],
  ["k8s-path-segment-name", { pattern: "^([^/%.]|\\.[^/%.]|\\.\\.[^/%])[^/%]*$" }],
  ["k8s-resource-fully-qualified-name", { pattern: `^${subdomain}/[A-Za-z_][A-Za-z0-9_]*$`, maxLength: 96 }],
  ["k8s-resource-pool-name", { pattern: `^${subdomain}(/${subdomain})*$`, maxLength: 253 }],
  ["k8s-uuid", { pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", maxLength: 36 }],
]);
