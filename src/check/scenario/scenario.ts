import type { UnstructuredObject } from "../../apimachinery/meta.ts";

/** An object by its identity. */
export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** An act of a user, after which the operator does its work. */
export type Action =
  | { readonly type: "apply"; readonly objects: readonly UnstructuredObject[] }
  /** A merge patch: of a custom resource, or of an object of the operator's as somebody else edits it. */
  | {
      readonly type: "patch";
      readonly target: ObjectRef;
      readonly patch: object;
      /** True if the operator may have deleted the object, as one with a time to live does; there is nothing to change then. */
      readonly ifPresent?: true;
    }
  | { readonly type: "delete"; readonly targets: readonly ObjectRef[] }
  | { readonly type: "wait"; readonly target: ObjectRef; readonly condition: string; readonly status: string };

export interface Step {
  /** A few words, unique in the scenario. */
  readonly name: string;
  readonly action: Action;
}

/** The actions of users on the custom resources, in order. Each step ends when the operator has nothing left to do. */
export interface Scenario {
  readonly steps: readonly Step[];
}

/** Returns the identity of an object. */
export function refOf({ apiVersion = "", kind = "", metadata }: UnstructuredObject): ObjectRef {
  const { namespace, name = "" } = metadata;
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name };
}

/** Reports whether an object, in any version, is among others. */
export function isAmong(others: readonly ObjectRef[], { kind, name }: ObjectRef): boolean {
  return others.some((other) => other.kind === kind && other.name === name);
}

/** Formats an identity as `Memcached default/sample`. */
export function formatRef({ kind, namespace, name }: ObjectRef): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
