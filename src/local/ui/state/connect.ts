import { signal } from "@preact/signals";
import type { Batch, Hello } from "../../window/contract.ts";
import { Refused, send } from "./ask.ts";
import { EventReader } from "./read-events.ts";
import { begin, take } from "./records.ts";

export type Connection = "connecting" | "live" | "lost" | "refused";

export const connection = signal<Connection>("connecting");

const retryMs = 1_000;

/** Follows the server's stream for ever; after a loss it starts over with the whole state. */
export async function connect(): Promise<never> {
  for (;;) {
    try {
      await follow();
      connection.value = "lost";
    } catch (error) {
      connection.value = error instanceof Refused ? "refused" : "lost";
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

async function follow(): Promise<void> {
  const { body } = await send("/api/stream");
  if (!body) return;
  const reader = new EventReader();
  const parts = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await parts.read(); !part.done; part = await parts.read())
    for (const { event, data } of reader.push(part.value)) {
      if (event === "hello") begin(JSON.parse(data) as Hello);
      else take(JSON.parse(data) as Batch);
      connection.value = "live";
    }
}
