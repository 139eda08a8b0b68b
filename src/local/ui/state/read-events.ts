/** An event of a stream of server-sent events. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** Splits text that arrives in parts into events. */
export class EventReader {
  private rest = "";

  /** Returns the events that a part completes. */
  push(text: string): StreamEvent[] {
    const blocks = (this.rest + text).split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap(parseEvent);
  }
}

function parseEvent(block: string): StreamEvent[] {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) event = line.slice(7);
    else if (line.startsWith("data: ")) data.push(line.slice(6));
  }
  return data.length > 0 ? [{ event, data: data.join("\n") }] : [];
}
