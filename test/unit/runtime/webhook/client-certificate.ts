import { generateKeyPairSync, sign } from "node:crypto";
import { bits, integer, oid, sequence, set, time, utf8 } from "../../../../src/apimachinery/certificates/der.ts";

/** Creates a self-signed certificate without a purpose: it is its own authority, and valid for a client. */
export function clientCertificate(): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const ecdsaWithSha256 = sequence(oid("1.2.840.10045.4.3.2"));
  const name = sequence(set(sequence(oid("2.5.4.3"), utf8("client"))));
  const [from, until] = [Date.now() - 3600_000, Date.now() + 24 * 3600_000];
  const body = sequence(
    integer(Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(new Date(from)), time(new Date(until))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const der = sequence(body, ecdsaWithSha256, bits(sign("sha256", body, privateKey)));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString("base64")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
