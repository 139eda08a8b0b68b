/** The cost at which an API server ends an evaluation. */
const costLimit = 1_000_000;

/** Ends an evaluation that costs too much. It is not a CelError, so that no operator catches it. */
export class CostLimitError extends Error {
  override readonly name: string = "CostLimitError";
}

/** Counts the cost of one evaluation, in the API server's units. */
export class CostMeter {
  spent = 0;

  /** Adds a cost. Throws a CostLimitError if the sum exceeds the limit. */
  charge(cost: number): void {
    this.spent += cost;
    if (this.spent > costLimit) throw new CostLimitError("operation cancelled: actual cost limit exceeded");
  }
}
