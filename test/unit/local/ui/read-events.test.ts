import { expect, it } from "vitest";
import { EventReader } from "../../../../src/local/ui/state/read-events.ts";

it("reads events that arrive in any parts, and skips comments", () => {
  const text = 'event: hello\ndata: {"a":1}\n\n:\n\nevent: batch\ndata: {"b":2}\n\n';
  for (const size of [1, 7, text.length]) {
    const reader = new EventReader();
    const events = text.match(new RegExp(`[^]{1,${size}}`, "g"))!.flatMap((part) => reader.push(part));
    expect(events).toEqual([
      { event: "hello", data: '{"a":1}' },
      { event: "batch", data: '{"b":2}' },
    ]);
  }
});
