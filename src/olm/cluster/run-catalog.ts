import { annotationKeys, type Bundle } from "../bundle/bundle.ts";
import { renderBundle } from "../catalog/render-bundle.ts";

/** The channel of the catalogs of `run bundle`. */
export const runChannel = "operator-sdk-run-bundle";

/** A bundle, and the image that it came from; none if it came from a folder. */
export interface RunnableBundle {
  readonly bundle: Bundle;
  readonly image: string;
}

export function packageOf({ annotations }: Bundle): string {
  return annotations[annotationKeys.package] ?? "";
}

/**
 * Returns the documents of a catalog whose only channel has the bundles in their order. A bundle without an image is in
 * the catalog with all of its objects, so that nothing has to be pulled.
 */
export function runCatalog(bundles: readonly RunnableBundle[]): object[] {
  const rendered = bundles.map(({ bundle, image }) => renderBundle(bundle, image));
  const [first] = rendered;
  const entries = rendered.map(({ name }, index) => {
    const before = rendered[index - 1];
    return before ? { name, replaces: before.name } : { name };
  });
  const name = first?.package ?? "";
  return [
    { schema: "olm.package", name, defaultChannel: runChannel },
    { schema: "olm.channel", package: name, name: runChannel, entries },
    ...rendered,
  ];
}
