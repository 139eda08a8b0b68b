import { forbidden, type FieldError } from "../../field-error.ts";

/** The limits for the estimated cost of a rule, and of all rules of a schema. */
export const ruleCostLimit = 10_000_000;
const totalCostLimit = 100_000_000;

const expensiveCount = 4;

/** Sums the estimated costs of a schema's rules. */
export class CostBudget {
  private total = 0;
  private readonly costs: { readonly path: string; readonly cost: number }[] = [];

  add(path: string, cost: number): void {
    this.total += cost;
    this.costs.push({ path, cost });
  }

  /** Reports the most expensive rules if the total exceeds the limit. `path` is the schema's. */
  errors(path: string): FieldError[] {
    if (this.total <= totalCostLimit) return [];
    const expensive = this.costs.toSorted((a, b) => b.cost - a.cost).slice(0, expensiveCount);
    const share = totalCostLimit / 100;
    return [
      ...expensive
        .filter(({ cost }) => cost > share)
        .map((item) =>
          forbidden(
            item.path,
            "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
          ),
        ),
      forbidden(
        path,
        costProblem(
          "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
          this.total,
          totalCostLimit,
        ),
      ),
    ];
  }
}

/** Describes by how much a cost exceeds its limit, in the API server's words. */
export function costProblem(what: string, cost: number, limit: number): string {
  const times = cost / limit;
  const factor = times > 100 ? "more than 100x" : `${times.toFixed(times < 1.5 ? 6 : 1)}x`;
  return `${what} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
