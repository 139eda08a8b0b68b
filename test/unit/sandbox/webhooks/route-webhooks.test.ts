import { expect, it } from "vitest";
import { mergeCrdPatches } from "../../../../src/client/manifests/read-crds.ts";
import { routeConfiguration, routeConversion } from "../../../../src/sandbox/webhooks/route-webhooks.ts";

const endpoint = {
  host: "127.0.0.1",
  port: 9443,
  certDir: "/certs",
  names: ["tls.crt", "tls.key"] as const,
  url: "https://127.0.0.1:9443",
  caBundle: "Y2E=",
  certificate: { cert: "", key: "" },
};
const service = { name: "webhook-service", namespace: "system", path: "/mutate" };
const type = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
const metadata = { name: "widgets.example.com" };

it("routes webhooks of a service to the endpoint, and keeps those with a URL", () => {
  const elsewhere = { name: "b", clientConfig: { url: "https://example.com/validate" } };
  const configuration = {
    metadata: { name: "a" },
    webhooks: [{ name: "a", clientConfig: { service }, sideEffects: "None" }, elsewhere],
  };
  expect(routeConfiguration(configuration, endpoint)).toEqual({
    metadata: { name: "a" },
    webhooks: [
      { name: "a", clientConfig: { url: "https://127.0.0.1:9443/mutate", caBundle: "Y2E=" }, sideEffects: "None" },
      elsewhere,
    ],
  });
});

it("routes conversions of a CRD to the endpoint", () => {
  const conversion = {
    strategy: "Webhook",
    webhook: { conversionReviewVersions: ["v1"], clientConfig: { service: { path: "/convert" } } },
  };
  expect(routeConversion({ ...type, metadata, spec: { group: "example.com", conversion } }, endpoint)["spec"]).toEqual({
    group: "example.com",
    conversion: {
      strategy: "Webhook",
      webhook: {
        conversionReviewVersions: ["v1"],
        clientConfig: { url: "https://127.0.0.1:9443/convert", caBundle: "Y2E=" },
      },
    },
  });
  const plain = { ...type, metadata, spec: { group: "example.com" } };
  expect(routeConversion(plain, endpoint)).toBe(plain);
});

it("merges kustomize's patches into CRDs", () => {
  const crd = { ...type, metadata, spec: { group: "example.com", scope: "Namespaced" } };
  const patch = { ...type, metadata, spec: { conversion: { strategy: "Webhook" } } };
  const stray = { ...patch, metadata: { name: "others.example.com" } };
  const other = { apiVersion: "v1", kind: "ConfigMap", metadata };
  expect(mergeCrdPatches([patch, crd, stray, other])).toEqual([
    { ...crd, spec: { group: "example.com", scope: "Namespaced", conversion: { strategy: "Webhook" } } },
  ]);
});
