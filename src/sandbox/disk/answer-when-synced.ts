import type { ApiServer, ServerResponse } from "../../apiserver/api-server.ts";

/**
 * Returns a server that shows nothing before it is on the disk: answers and events wait for the changes that were made
 * before them. Reads wait as well, as they may show an object that a power failure would take back.
 */
export function answerWhenSynced<Server extends ApiServer>(server: Server, synced: () => Promise<void>): Server {
  const handle = async (request: Parameters<ApiServer["handle"]>[0]): Promise<ServerResponse> => {
    const response = await server.handle(request);
    await synced();
    const { body } = response;
    return typeof body === "string" ? response : { ...response, body: delay(body, synced) };
  };
  return { ...server, handle };
}

async function* delay(chunks: AsyncIterable<string>, synced: () => Promise<void>): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    // The client of a stream that ends asks again, and learns the reason.
    if (!(await succeeds(synced()))) return;
    yield chunk;
  }
}

function succeeds(promise: Promise<void>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}
