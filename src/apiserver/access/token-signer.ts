import { createECDH, createHash, createPrivateKey, createPublicKey, randomUUID, sign, verify } from "node:crypto";
import type { JsonWebKey, KeyObject } from "node:crypto";

interface Keys {
  readonly secret: KeyObject;
  readonly open: KeyObject;
  readonly kid: string;
}

/**
 * Signs JSON web tokens. The key is a number of 32 bytes; a signer with the same number verifies the tokens of an
 * earlier one.
 */
export class TokenSigner {
  private readonly number: Uint8Array;
  private keys: Keys | undefined;

  constructor(number: Uint8Array) {
    this.number = number;
  }

  /** Signs the claims as a token with an identity of its own. */
  sign(claims: object): string {
    const { secret, kid } = this.getKeys();
    const parts = [
      { alg: "ES256", kid },
      { ...claims, jti: randomUUID() },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    const signature = sign("sha256", Buffer.from(text), { key: secret, dsaEncoding: "ieee-p1363" });
    return `${text}.${signature.toString("base64url")}`;
  }

  /** Returns the claims of a token; `undefined` for a text that was not signed with this key. */
  read(token: string): unknown {
    const [header, claims, signature, ...more] = token.split(".");
    if (header === undefined || claims === undefined || signature === undefined || more.length > 0) return undefined;
    const bytes = Buffer.from(signature, "base64url");
    const key = { key: this.getKeys().open, dsaEncoding: "ieee-p1363" } as const;
    if (!verify("sha256", Buffer.from(`${header}.${claims}`), key, bytes)) return undefined;
    return JSON.parse(Buffer.from(claims, "base64url").toString()) as unknown;
  }

  /** Creates the keys with their first use: most servers issue no token. */
  private getKeys(): Keys {
    return (this.keys ??= keysOf(this.number));
  }
}

function keysOf(number: Uint8Array): Keys {
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(number);
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const jwk: JsonWebKey = { kty: "EC", crv: "P-256", x: x!, y: y!, d: Buffer.from(number).toString("base64url") };
  const secret = createPrivateKey({ key: jwk, format: "jwk" });
  const open = createPublicKey(secret);
  const der = open.export({ type: "spki", format: "der" });
  const kid = createHash("sha256").update(der).digest("base64url");
  return { secret, open, kid };
}
