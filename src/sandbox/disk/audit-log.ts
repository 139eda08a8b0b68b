import { closeSync, openSync, writeSync } from "node:fs";
import { type AuditEvent, formatAuditEvent } from "../../apiserver/audit/audit-event.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { diskReason } from "../../files/disk-reason.ts";

/** A file with a line of JSON for each request. It contains the content of Secrets, so that only its owner may read it. */
export class AuditLog {
  private readonly file: string;
  private readonly descriptor: number;
  private readonly onError: (error: unknown) => void;
  private hasFailed = false;

  /** Opens the file; an existing one is continued. */
  constructor(file: string, onError: (error: unknown) => void) {
    this.file = file;
    this.onError = onError;
    try {
      this.descriptor = openSync(file, "a", 0o600);
    } catch (cause) {
      throw new TsopError("TSOP_FILE_UNUSABLE", { file, reason: diskReason(cause) }, { cause });
    }
  }

  /** Writes an event. Reports the first failure, and continues. */
  write(event: AuditEvent): void {
    try {
      writeSync(this.descriptor, `${JSON.stringify(formatAuditEvent(event))}\n`);
      this.hasFailed = false;
    } catch (cause) {
      if (this.hasFailed) return;
      this.hasFailed = true;
      this.onError(new TsopError("TSOP_FILE_UNUSABLE", { file: this.file, reason: diskReason(cause) }, { cause }));
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
