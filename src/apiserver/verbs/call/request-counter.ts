/** What a request was, in the words of `apiserver_request_total`. */
export interface RequestLabels {
  readonly dryRun: string;
  readonly group: string;
  readonly resource: string;
  readonly scope: "cluster" | "namespace" | "resource";
  readonly subresource: string;
  readonly verb: string;
  readonly version: string;
}

/** How many requests there were of each kind. */
export class RequestCounter {
  readonly #counts = new Map<string, number>();

  count({ dryRun, group, resource, scope, subresource, verb, version }: RequestLabels, code: number): void {
    const key = `${code} ${dryRun} ${group} ${resource} ${scope} ${subresource} ${verb} ${version}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  *counts(): Generator<[labels: Record<string, string>, count: number]> {
    for (const [key, count] of this.#counts) {
      const [
        code = "",
        dry_run = "",
        group = "",
        resource = "",
        scope = "",
        subresource = "",
        verb = "",
        version = "",
      ] = key.split(" ");
      yield [{ code, component: "apiserver", dry_run, group, resource, scope, subresource, verb, version }, count];
    }
  }
}
