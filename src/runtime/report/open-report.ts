import { Socket } from "node:net";
import type { ReportMessage } from "./report-message.ts";
import { createWorkReport, type WorkReport } from "./report-work.ts";

/** The bytes that may wait for a tool that does not read. */
const longestQueue = 8 * 1024 * 1024;

let opened: WorkReport | undefined;

/** Returns the report of this process; its managers share the pipe. */
export function openReport(descriptor: number): WorkReport {
  return (opened ??= reportOn(descriptor));
}

/** Reports on the pipe that the tool has opened as a file descriptor. It never delays the operator or its end. */
function reportOn(descriptor: number): WorkReport {
  const pipe = new Socket({ fd: descriptor, readable: false, writable: true });
  pipe.unref();
  let dropped = 0;
  let isOpen = true;
  // The operator continues after the tool has ended.
  pipe.on("error", () => {
    isOpen = false;
  });
  const write = (message: ReportMessage): void => void pipe.write(`${JSON.stringify(message)}\n`);
  return createWorkReport((message) => {
    if (!isOpen) return;
    if (pipe.writableLength > longestQueue) {
      dropped++;
      return;
    }
    if (dropped > 0) write({ type: "dropped", count: dropped });
    dropped = 0;
    write(message);
  });
}
