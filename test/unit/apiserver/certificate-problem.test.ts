import { expect, it } from "vitest";
import { certificateProblem } from "../../../src/apiserver/post-json.ts";

// The texts are those of a real server, whose text for an expired certificate goes on with the times.
it.each([
  ["127.0.0.1", "DNS:a.b, DNS:c.d", "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs"],
  ["127.0.0.1", "IP Address:10.0.0.1, DNS:a.b", "certificate is valid for 10.0.0.1, not 127.0.0.1"],
  ["a.svc", "DNS:a.b, DNS:c.d, IP Address:10.0.0.1", "certificate is valid for a.b, c.d, not a.svc"],
  ["a.svc", undefined, "certificate is not valid for any names, but wanted to match a.svc"],
])("describes a certificate that is not for %s but for %s", (host, subjectaltname, text) => {
  const error = Object.assign(new Error(), { code: "ERR_TLS_CERT_ALTNAME_INVALID", host, cert: { subjectaltname } });
  expect(certificateProblem(error)).toBe(`x509: ${text}`);
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
