import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { join } from "node:path";
import { createAuthority, type Certificate } from "../../apimachinery/certificates/issue-certificates.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { readIfThere, writeWhole } from "./write-whole.ts";

/** The identity of a server: clients that trust it trust each later server with the same one. */
export interface Authority {
  /** Issues the server's certificate, a new one at each start. */
  readonly ca: Certificate;
  /** The key of all tokens, in base64. */
  readonly tokenKey: string;
}

const format = 1;
const years = 10;
/** An authority is replaced if it expires within this time: a server may run for long. */
const renewBeforeMs = 30 * 24 * 3600_000;

/** Reads the authority of a folder. Creates a missing one, and replaces one that expires soon. */
export async function loadAuthority(folder: string): Promise<Authority> {
  const file = join(folder, "authority.json");
  const saved = readAuthority(file);
  const now = Date.now();
  if (saved && Date.parse(new X509Certificate(saved.ca.cert).validTo) - now > renewBeforeMs) return saved;
  const tokenKey = saved?.tokenKey ?? randomBytes(32).toString("base64");
  const authority = { ca: createAuthority(now, years), tokenKey };
  await writeWhole(file, `${JSON.stringify({ format, ...authority }, null, 2)}\n`);
  return authority;
}

function readAuthority(file: string): Authority | undefined {
  const text = readIfThere(file);
  try {
    return text && parseAuthority(text.toString(), file);
  } catch (cause) {
    if (cause instanceof TsopError) throw cause;
    throw new TsopError("TSOP_STATE_INVALID", { file, reason: messageOf(cause) }, { cause });
  }
}

function parseAuthority(text: string, file: string): Authority {
  const { format: found, ca, tokenKey } = JSON.parse(text) as Authority & { format: number };
  if (found > format) throw new TsopError("TSOP_STATE_NEWER", { file, format: found, known: format });
  if (found !== format) throw new Error("this version does not read its format");
  const isPair = new X509Certificate(ca.cert).checkPrivateKey(createPrivateKey(ca.key));
  if (!isPair) throw new Error("the key does not belong to the certificate");
  if (Buffer.from(tokenKey, "base64").length !== 32) throw new Error("tokenKey does not have 32 bytes");
  return { ca, tokenKey };
}
