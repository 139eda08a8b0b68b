import type { Fault } from "./plan.ts";

/** Describes a fault in a sentence; `write` names the operator's write at which it acts. */
export function describeFault(fault: Fault, write = ""): string {
  switch (fault.type) {
    case "crash":
      return `the operator is killed ${fault.when} its write “${write}” is committed, and starts again`;
    case "lost-answer":
      return `its write “${write}” is done, but the connection ends before the answer`;
    case "refused":
      return `its write “${write}” is refused once with ${fault.reason}`;
    case "outage":
      return `the server restarts when the operator sends “${write}”: the write is lost, and all connections end`;
    case "deletion":
      return `the custom resource is deleted right after the write “${write}”`;
    case "lag": {
      const late = fault.delayMs === 500 ? "half a second late" : `${fault.delayMs} ms late`;
      return fault.watch === undefined
        ? `watches show each change ${late}`
        : `the watch of ${fault.watch} shows each change ${late}, the others at once`;
    }
    case "unobserved":
      return `watches show only the result of what happens in the step “${fault.step}”`;
    case "watch":
      return `all watches end in the step “${fault.step}”${fault.expired ? " and cannot be resumed (410 Gone)" : ""}`;
    case "restart":
      return `the operator starts again after the step “${fault.step}”, when all is settled`;
    case "stale":
      return `the operator is down during the step after “${fault.step}” and starts with a state from before it`;
    case "time-travel":
      return `the operator starts again after the step “${fault.step}”, with a state from before it`;
    case "recreated":
      return "the custom resource is deleted and created again, and the operator starts again with the state in which the first one was deleted";
    case "handover":
      return `the leader is frozen in the step “${fault.step}”, another instance takes over, and the first one wakes up`;
    case "lease-expiry":
      return `its lease expires while its write “${write}” is under way, which arrives when another instance has taken over`;
  }
}
