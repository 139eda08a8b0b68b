interface Waiting {
  readonly bytes: number;
  enter(): void;
}

/** Four of the largest reviews of admission, for which a container with the usual limit of 128 MiB has memory. */
const defaultBytes = 32 * 1024 * 1024;
/** The longest `timeoutSeconds` of a webhook: later, the API server reads no answer. */
const defaultTimeoutMs = 30_000;

/**
 * Limits the bytes of the bodies that are read at the same time. Requests get room in the order in which they ask for
 * it. A body that is larger than all of the room is read alone.
 */
export class BodyRoom {
  /** The time in which a body must arrive, with the wait for room. */
  readonly timeoutMs: number;
  private readonly bytes: number;
  private free: number;
  private readonly waiting: Waiting[] = [];

  constructor(bytes: number = defaultBytes, timeoutMs: number = defaultTimeoutMs) {
    this.bytes = bytes;
    this.free = bytes;
    this.timeoutMs = timeoutMs;
  }

  /** Waits for room for a body; the caller must call the returned function when it has read the body. */
  enter(size: number): Promise<() => void> {
    const bytes = Math.min(size, this.bytes);
    const leave = (): void => {
      this.free += bytes;
      this.admit();
    };
    return new Promise((resolve) => {
      this.waiting.push({ bytes, enter: () => resolve(leave) });
      this.admit();
    });
  }

  private admit(): void {
    for (let next; (next = this.waiting[0]) && next.bytes <= this.free; this.waiting.shift()) {
      this.free -= next.bytes;
      next.enter();
    }
  }
}
