import type { Container } from "../csv/csv.ts";
import type { Bundle } from "./bundle.ts";

/**
 * Returns what the deployments of a bundle run, as lines: image, command, arguments and variables of each container.
 * Values are quoted, so that none looks like a line of its own.
 */
export function listPrograms({ csv }: Bundle): string[] {
  const deployments = csv.spec.install?.spec?.deployments ?? [];
  return deployments.flatMap(({ name, spec }) => {
    const { initContainers = [], containers = [] } = spec.template?.spec ?? {};
    const all = [...initContainers, ...containers];
    return all.flatMap((container) => [
      `deployment ${JSON.stringify(name)}, container ${JSON.stringify(container.name)}`,
      ...listFields(container).map((line) => `  ${line}`),
    ]);
  });
}

function listFields({ image, command, args, env = [], envFrom }: Container): string[] {
  const fields = Object.entries({ image, command, args, envFrom }).filter(([, value]) => value !== undefined);
  const variables = env.map((variable) => [
    `env ${JSON.stringify(variable.name)}`,
    variable.value ?? variable.valueFrom,
  ]);
  return [...fields, ...variables].map(([name, value]) => `${String(name)}: ${JSON.stringify(value ?? "")}`);
}
