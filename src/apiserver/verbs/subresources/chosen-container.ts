import { badRequest } from "../../refusals.ts";

interface Named {
  readonly name: string;
}

/** The containers of a pod. */
export interface PodWithContainers {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly Named[];
    readonly initContainers?: readonly Named[];
    readonly ephemeralContainers?: readonly Named[];
  };
}

/** Returns the container that a request wants, or the only one of the pod. */
export function chosenContainer(name: string, wanted: string | null | undefined, { spec }: PodWithContainers): string {
  const names = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map((container) => container.name);
  if (wanted) {
    const added = spec?.ephemeralContainers ?? [];
    if (names.includes(wanted) || added.some((container) => container.name === wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${name}`);
  }
  if (names.length === 1) return names[0]!;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(" ")}]`);
}
