import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

const pack = promisify(gzip);

/** Fast rather than small, as a real server does it. */
export function compress(text: string): Promise<Buffer> {
  return pack(text, { level: constants.Z_BEST_SPEED });
}
