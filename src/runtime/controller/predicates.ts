import { equalJson } from "../../apimachinery/equal.ts";
import type { KubeObject, Named } from "../../apimachinery/meta.ts";
import { labelSelectorMatcher, type AnyLabelSelector } from "../../apimachinery/selectors.ts";
import type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from "./events.ts";
import { readingAs, readingMetadata } from "./metadata-readers.ts";

/** Decides which events reach a handler; a missing function accepts all. */
export interface Predicate<T extends KubeObject = KubeObject> {
  // Properties, since methods would accept a predicate of pods for other kinds.
  readonly create?: (event: CreateEvent<T>) => boolean;
  readonly update?: (event: UpdateEvent<T>) => boolean;
  readonly delete?: (event: DeleteEvent<T>) => boolean;
  readonly generic?: (event: GenericEvent<T>) => boolean;
}

/**
 * Creates a predicate of the object of every event; of an update, the new one.
 *
 * @example
 * const inDefault = predicateFuncs(({ metadata }) => metadata.namespace === "default");
 * controllerManagedBy(mgr).for(Memcached, { predicates: [inDefault] });
 */
export function predicateFuncs<T extends KubeObject>(filter: (object: Named<T>) => boolean): Predicate<T> {
  return {
    create: ({ object }) => filter(object),
    update: ({ objectNew }) => filter(objectNew),
    delete: ({ object }) => filter(object),
    generic: ({ object }) => filter(object),
  };
}

/**
 * Accepts updates of the specification, and no updates of status or metadata and no resyncs.
 *
 * @example
 * controllerManagedBy(mgr).for(Memcached, { predicates: [generationChanged()] });
 */
export function generationChanged(): Predicate {
  return readingMetadata<Predicate>({
    update: ({ objectOld, objectNew }) => objectOld.metadata.generation !== objectNew.metadata.generation,
  });
}

/**
 * Accepts all updates except resyncs.
 *
 * @example
 * controllerManagedBy(mgr).for(Memcached).owns(Deployment, { predicates: [resourceVersionChanged()] });
 */
export function resourceVersionChanged(): Predicate {
  return readingMetadata<Predicate>({
    update: ({ objectOld, objectNew }) => objectOld.metadata.resourceVersion !== objectNew.metadata.resourceVersion,
  });
}

/**
 * Accepts updates that change labels.
 *
 * @example
 * controllerManagedBy(mgr).for(Memcached, { predicates: [or(generationChanged(), labelChanged())] });
 */
export function labelChanged(): Predicate {
  return readingMetadata<Predicate>({
    update: ({ objectOld, objectNew }) => !equalJson(objectOld.metadata.labels, objectNew.metadata.labels),
  });
}

/**
 * Accepts updates that change annotations.
 *
 * @example
 * controllerManagedBy(mgr).for(Memcached, { predicates: [or(generationChanged(), annotationChanged())] });
 */
export function annotationChanged(): Predicate {
  return readingMetadata<Predicate>({
    update: ({ objectOld, objectNew }) => !equalJson(objectOld.metadata.annotations, objectNew.metadata.annotations),
  });
}

/**
 * Accepts events of objects whose labels match.
 *
 * @example
 * const ours = labelSelectorPredicate({ matchLabels: { team: "a" } });
 * controllerManagedBy(mgr).for(Memcached, { predicates: [ours] });
 */
export function labelSelectorPredicate(selector: AnyLabelSelector): Predicate {
  const matcher = labelSelectorMatcher(selector);
  return readingMetadata(predicateFuncs((object) => matcher.matches(object.metadata.labels ?? {})));
}

/**
 * Accepts events that all predicates accept.
 *
 * @example
 * const inDefault = predicateFuncs(({ metadata }) => metadata.namespace === "default");
 * controllerManagedBy(mgr).for(Memcached, { predicates: [and(inDefault, generationChanged())] });
 */
export function and<T extends KubeObject>(...predicates: Predicate<T>[]): Predicate<T> {
  return combine(predicates, (ask) => predicates.every(ask));
}

/**
 * Accepts events that one of the predicates accepts.
 *
 * @example
 * controllerManagedBy(mgr).for(Memcached).withEventFilter(or(generationChanged(), labelChanged(), annotationChanged()));
 */
export function or<T extends KubeObject>(...predicates: Predicate<T>[]): Predicate<T> {
  return combine(predicates, (ask) => predicates.some(ask));
}

/**
 * Accepts events that the predicate rejects.
 *
 * @example
 * const paused = labelSelectorPredicate({ matchLabels: { "example.com/paused": "true" } });
 * controllerManagedBy(mgr).for(Memcached, { predicates: [not(paused)] });
 */
export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return combine([predicate], (ask) => !ask(predicate));
}

function combine<T extends KubeObject>(
  predicates: readonly Predicate<T>[],
  decide: (ask: (predicate: Predicate<T>) => boolean) => boolean,
): Predicate<T> {
  return readingAs<Predicate<T>>(predicates, {
    create: (event) => decide((predicate) => predicate.create?.(event) ?? true),
    update: (event) => decide((predicate) => predicate.update?.(event) ?? true),
    delete: (event) => decide((predicate) => predicate.delete?.(event) ?? true),
    generic: (event) => decide((predicate) => predicate.generic?.(event) ?? true),
  });
}
