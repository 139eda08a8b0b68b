/**
 * Answers a ConversionReview: v1's `host`, `ports` and `tags` are v2's `endpoint.address`, `endpoint.listeners` and keys
 * of `labels`. What else a spec has, both versions have.
 */
export function convertReview({ apiVersion, kind, request }: any): unknown {
  const { uid, desiredAPIVersion, objects } = request;
  const convert = String(desiredAPIVersion).endsWith("/v2") ? toV2 : toV1;
  const convertedObjects = objects.map(({ spec, ...rest }: any) => ({
    ...rest,
    apiVersion: desiredAPIVersion,
    ...(spec && { spec: convert(spec) }),
  }));
  return { apiVersion, kind, response: { uid, convertedObjects, result: { status: "Success" } } };
}

function toV2({ host, ports, tags, ...both }: any): unknown {
  const listeners = ports?.map(({ port, ...rest }: any) => ({ number: port, ...rest }));
  const endpoint = { ...(host !== undefined && { address: host }), ...(listeners && { listeners }) };
  const labels = tags && Object.fromEntries(tags.map((tag: string) => [tag, "yes"]));
  return { ...both, ...(Object.keys(endpoint).length > 0 && { endpoint }), ...(labels && { labels }) };
}

function toV1({ endpoint: { address, listeners } = {} as any, labels, ...both }: any): unknown {
  const ports = listeners?.map(({ number, ...rest }: any) => ({ port: number, ...rest }));
  const tags = labels && Object.keys(labels);
  return { ...both, ...(address !== undefined && { host: address }), ...(ports && { ports }), ...(tags && { tags }) };
}
