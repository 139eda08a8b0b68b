import type { Logger } from "../../../src/runtime/log/logger.ts";
import { zapLogger, type ZapOptions } from "../../../src/runtime/log/zap-logger.ts";

/** Returns a logger, and the lines that it writes. */
export function loggedLines(options: ZapOptions = {}): { logger: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { logger: zapLogger({ write, ...options }), lines };
}
