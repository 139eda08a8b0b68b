import { expect, it } from "vitest";
import { certificateProblem } from "../../../src/apiserver/call-webhook.ts";

it.each([
  ["DNS:a.b, DNS:c.d", "certificate is valid for DNS:a.b, DNS:c.d, not a.svc"],
  [undefined, "certificate is valid for no name, not a.svc"],
])("describes a certificate for %s that is not for the host", (subjectaltname, text) => {
  const error = { code: "ERR_TLS_CERT_ALTNAME_INVALID", host: "a.svc", cert: { subjectaltname } };
  expect(certificateProblem(Object.assign(new Error(), error))).toBe(`x509: ${text}`);
});

it.each([
  ["CERT_HAS_EXPIRED", "x509: certificate has expired or is not yet valid"],
  ["CERT_NOT_YET_VALID", "x509: certificate has expired or is not yet valid"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "x509: certificate signed by unknown authority"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "x509: certificate signed by unknown authority"],
  ["ECONNREFUSED", undefined],
])("describes %s", (code, text) => {
  expect(certificateProblem(Object.assign(new Error(), { code }))).toBe(text);
});
