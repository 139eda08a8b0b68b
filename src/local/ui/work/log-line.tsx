import type { JSX } from "preact";

/** Fields that the panel shows elsewhere. */
const known = new Set([
  "level",
  "ts",
  "msg",
  "logger",
  "reconcileID",
  "controller",
  "controllerGroup",
  "controllerKind",
]);

/** A line of the operator's log; one of another format than JSON is shown as it is. */
export function LogLine({ line }: { readonly line: string }): JSX.Element {
  const fields = parse(line);
  if (!fields) return <code>{line}</code>;
  const { level, msg, stacktrace: _stack, ...rest } = fields;
  const others = Object.entries(rest).filter(([name]) => !known.has(name));
  return (
    <code>
      <span class={level === "error" ? "status bad" : "status"}>{String(level)}</span> {String(msg)}
      {others.map(([name, value]) => (
        <span class="quiet" key={name}>
          {" "}
          {name}={typeof value === "string" ? value : JSON.stringify(value)}
        </span>
      ))}
    </code>
  );
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
