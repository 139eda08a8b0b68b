import type { Scenario } from "../scenario.ts";
import { accountScenarios } from "./controllers/accounts.ts";
import { autoscalerScenarios } from "./controllers/autoscalers.ts";
import { budgetScenarios } from "./controllers/budgets.ts";
import { cronJobScenarios } from "./controllers/cron-jobs.ts";
import { daemonSetScenarios } from "./controllers/daemon-sets.ts";
import { deploymentScenarios } from "./controllers/deployments.ts";
import { endScenarios } from "./controllers/ends.ts";
import { jobScenarios } from "./controllers/jobs.ts";
import { podSecurityControllerScenarios } from "./controllers/pod-security.ts";
import { quotaControllerScenarios } from "./controllers/quotas.ts";
import { replicaSetScenarios } from "./controllers/replica-sets.ts";
import { serviceScenarios } from "./controllers/services.ts";
import { statefulSetScenarios } from "./controllers/stateful-sets.ts";
import { volumeScenarios } from "./controllers/volumes.ts";

/** What controllers make of objects; the longest waits come first, as they run side by side. */
export const controllerScenarios: readonly Scenario[] = [
  ...cronJobScenarios,
  ...autoscalerScenarios,
  ...endScenarios,
  ...jobScenarios,
  ...deploymentScenarios,
  ...replicaSetScenarios,
  ...podSecurityControllerScenarios,
  ...statefulSetScenarios,
  ...daemonSetScenarios,
  ...serviceScenarios,
  ...accountScenarios,
  ...volumeScenarios,
  ...quotaControllerScenarios,
  ...budgetScenarios,
];
