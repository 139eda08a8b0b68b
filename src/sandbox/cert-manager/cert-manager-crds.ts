import type { Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { crdOf, openSchema } from "../../client/manifests/crd-of.ts";
import { CertificateKind, ClusterIssuerKind, IssuerKind } from "./cert-manager-kinds.ts";
import { knownUsages } from "./issue-certificate.ts";

const text = { type: "string" };
const whole = { type: "integer", format: "int32" };
const duration = { type: "string", pattern: "^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$" };
const list = (items: object): object => ({ type: "array", items });
const choice = (...values: string[]): object => ({ type: "string", enum: values });
const map = { type: "object", additionalProperties: text };
const open = (properties: object, further: object = {}): object => ({ ...openSchema, properties, ...further });

/** Returns cert-manager's CRDs. The fields that the sandbox reads are checked, others are kept. */
export function certManagerCrds(): UnstructuredObject[] {
  return [
    crd(IssuerKind, issuerSpec, []),
    crd(ClusterIssuerKind, issuerSpec, []),
    crd(
      CertificateKind,
      certificateSpec,
      [
        { name: "Secret", type: "string", jsonPath: ".spec.secretName" },
        { name: "Issuer", type: "string", jsonPath: ".spec.issuerRef.name", priority: 1 },
      ],
      ["cert", "certs"],
    ),
  ];
}

function crd(kind: Kind, spec: object, columns: readonly object[], shortNames?: readonly string[]): UnstructuredObject {
  const ofReady = (field: string): string => `.status.conditions[?(@.type == "Ready")].${field}`;
  return crdOf(kind, {
    names: { categories: ["cert-manager"], ...(shortNames && { shortNames }) },
    version: {
      subresources: { status: {} },
      additionalPrinterColumns: [
        { name: "Ready", type: "string", jsonPath: ofReady("status") },
        ...columns,
        { name: "Status", type: "string", jsonPath: ofReady("message"), priority: 1 },
        { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
    },
    schema: { type: "object", required: ["spec"], properties: { spec, status: openSchema } },
  });
}

const issuerSpec = open({
  selfSigned: openSchema,
  ca: open({ secretName: text }, { required: ["secretName"] }),
  acme: openSchema,
  vault: openSchema,
  venafi: openSchema,
});

const holder = ["commonName", "dnsNames", "ipAddresses", "uris", "emailAddresses"];

const certificateSpec = open(
  {
    secretName: text,
    secretTemplate: { type: "object", properties: { annotations: map, labels: map } },
    issuerRef: {
      type: "object",
      required: ["name"],
      properties: { name: text, kind: text, group: text },
    },
    commonName: text,
    dnsNames: list(text),
    ipAddresses: list(text),
    uris: list(text),
    emailAddresses: list(text),
    duration,
    renewBefore: duration,
    renewBeforePercentage: whole,
    isCA: { type: "boolean" },
    usages: list(choice(...knownUsages)),
    privateKey: {
      type: "object",
      properties: {
        algorithm: choice("RSA", "ECDSA", "Ed25519"),
        encoding: choice("PKCS1", "PKCS8"),
        rotationPolicy: choice("Never", "Always"),
        size: whole,
      },
    },
    revisionHistoryLimit: whole,
  },
  {
    required: ["issuerRef", "secretName"],
    "x-kubernetes-validations": [
      {
        rule: holder.map((field) => `has(self.${field})`).join(" || "),
        message: `at least one of ${holder.join(", ")} must be set`,
      },
      {
        rule: "!has(self.duration) || duration(self.duration) >= duration('1h')",
        message: "duration must be at least 1h",
      },
      {
        rule: "!has(self.renewBefore) || duration(self.renewBefore) < (has(self.duration) ? duration(self.duration) : duration('2160h'))",
        message: "renewBefore must be shorter than duration",
      },
    ],
  },
);
