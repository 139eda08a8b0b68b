import type { Resource } from "../../project.ts";
import type { FlagsOf, FlagValues } from "../scaffold-flag.ts";
import type { DeployImage } from "./deploy-image.ts";
import { createFlags, nameFlags, sharedValues } from "./resource-flags.ts";

const ownFlags = {
  resource: { flag: "--resource [bool]", help: "write the types (default: ask on a terminal, else yes)" },
  controller: { flag: "--controller [bool]", help: "write the controller (default: ask on a terminal, else yes)" },
  controllerName: { flag: "--controller-name <name>", help: "name of an additional controller of a kind that has one" },
  ssa: { flag: "--ssa", help: "write a controller that applies the fields it owns (server-side apply)" },
  namespaced: { flag: "--namespaced [bool]", help: "the kind is namespaced", byDefault: true },
  fromCrd: {
    flag: "--from-crd <source>",
    help: "write the types of foreign kinds: a file, folder or URL with CRDs, or - for stdin",
  },
  fromCluster: {
    flag: "--from-cluster <name>",
    help: "write the types of foreign kinds: the name of a CRD in the cluster, or a group",
  },
  output: { flag: "--output <dir>", help: "folder of these types (default: api/external/<group>)" },
  kubeconfig: { flag: "--kubeconfig <file>", help: "use the cluster of this kubeconfig" },
  context: { flag: "--context <name>", help: "use the cluster of this context" },
  image: { flag: "--image <image>", help: "write a complete controller that runs this image" },
  imageContainerCommand: {
    flag: "--image-container-command <words>",
    help: "the container's command, its words separated by commas",
  },
  imageContainerPort: { flag: "--image-container-port <port>", help: "the container's port", type: "number" },
  runAsUser: { flag: "--run-as-user <uid>", help: "the container's user", type: "number" },
} as const;

/** The flags of `tsop create api`. */
export const apiFlags: typeof ownFlags & typeof nameFlags & typeof createFlags = {
  ...nameFlags,
  ...ownFlags,
  ...createFlags,
};

export type ApiFlags = FlagsOf<typeof apiFlags>;

/** Returns the flags of the command that recreates the types with the first controller, and of one for each other. */
export function apiValues(
  resource: Resource,
  [first, ...others]: readonly string[],
  image: DeployImage | undefined,
): FlagValues<typeof apiFlags>[] {
  const { api, kind } = resource;
  if (!api && first === undefined) return [];
  const names = sharedValues(resource);
  return [
    {
      ...names,
      resource: api !== undefined,
      controller: first !== undefined,
      controllerName: first === kind.toLowerCase() ? undefined : first,
      ssa: api?.ssa,
      namespaced: api && !api.namespaced ? false : undefined,
      image: image?.image,
      imageContainerCommand: image?.containerCommand,
      imageContainerPort: image?.containerPort,
      runAsUser: image?.runAsUser,
    },
    ...others.map((controllerName) => ({ ...names, resource: false, controller: true, controllerName })),
  ];
}
