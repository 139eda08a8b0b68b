import { listAt, textAt } from "./field-access.ts";

/** Returns the names and the images of the containers of a pod template. */
export function containerCells(template: unknown): [names: string, images: string] {
  const containers = listAt(template, "spec", "containers");
  const column = (field: string): string => containers.map((container) => textAt(container, field)).join(",");
  return [column("name"), column("image")];
}
