import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

const pack = promisify(gzip);

/** Fast rather than small, as a real server does it. */
export function compress(bytes: Buffer): Promise<Buffer> {
  return pack(bytes, { level: constants.Z_BEST_SPEED });
}
