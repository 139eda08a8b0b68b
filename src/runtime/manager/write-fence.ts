import type { Transport, TransportRequest, TransportResponse } from "../../client/transport.ts";

/** Lets writes through while this process holds its leases, up to the moment in which their bytes leave. */
export class WriteFence {
  /** Throws if the leases may be another process' by now. */
  private readonly assertHeld: () => void;
  private readonly unanswered = new Set<Promise<unknown>>();

  constructor(assertHeld: () => void) {
    this.assertHeld = assertHeld;
  }

  /** Returns a transport that rejects writes once a lease is not held; reads still work. */
  around(transport: Transport): Transport {
    return {
      request: (request) => (request.method === "GET" ? transport.request(request) : this.write(transport, request)),
      retrying: (request, code) => transport.retrying?.(request, code),
      close: () => transport.close(),
    };
  }

  /** Resolves when each write is answered or has failed. */
  async settled(): Promise<void> {
    while (this.unanswered.size > 0) await Promise.allSettled(this.unanswered);
  }

  private async write(transport: Transport, request: TransportRequest): Promise<TransportResponse> {
    this.assertHeld();
    const answer = transport.request({ ...request, fence: this.assertHeld });
    this.unanswered.add(answer);
    try {
      return await answer;
    } finally {
      this.unanswered.delete(answer);
    }
  }
}
