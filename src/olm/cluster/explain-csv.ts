import type { CsvObject } from "../../client/manifests/olm-kinds.ts";
import { explainDeployment } from "./describe-deployment.ts";
import type { OlmHost } from "./olm-host.ts";

/** Names the requirements of a CSV that are not met, and its deployments and pods that do not run. */
export async function explainCsv(where: Pick<OlmHost, "client" | "namespace">, csv: CsvObject): Promise<string[]> {
  const requirements = (csv.status?.requirementStatus ?? []).flatMap(
    ({ kind, name, status, message, dependents = [] }) => [
      ...(status === "Present" ? [] : [`${kind} ${name}: ${status}${message && `: ${message}`}`]),
      ...dependents.filter((each) => each.status !== "Satisfied").map((each) => `${name} lacks ${each.message}`),
    ],
  );
  const names = (csv.spec.install?.spec?.deployments ?? []).map(({ name }) => name);
  const webhooks = (csv.spec.webhookdefinitions ?? [])
    .filter(({ deploymentName = "" }) => !names.includes(deploymentName))
    .map(
      ({ generateName, deploymentName = "" }) => `webhook ${generateName}: no deployment ${deploymentName} in the CSV`,
    );
  const workloads = await Promise.all(names.map((name) => explainDeployment(where, name)));
  return [...requirements, ...webhooks, ...workloads.flat()];
}
