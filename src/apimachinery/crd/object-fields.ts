/** The fields that every object has: a server checks them itself. */
export const objectFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);
