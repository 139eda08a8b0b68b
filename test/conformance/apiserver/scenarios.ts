import type { Scenario } from "./scenario.ts";
import { bindingScenarios } from "./scenarios/bindings.ts";
import { builtInRefusalScenarios } from "./scenarios/built-in-refusals.ts";
import { builtInScenarios } from "./scenarios/built-in.ts";
import { crdScenarios } from "./scenarios/crd.ts";
import { crdRefusalScenarios } from "./scenarios/crd-refusals.ts";
import { accessScenarios } from "./scenarios/access.ts";
import { addressScenarios } from "./scenarios/addresses.ts";
import { admissionPartScenarios } from "./scenarios/admission-parts.ts";
import { admissionScenarios } from "./scenarios/admission.ts";
import { aggregationScenarios } from "./scenarios/aggregation.ts";
import { anonymousScenarios } from "./scenarios/anonymous.ts";
import { applyConversionScenarios } from "./scenarios/apply-conversion.ts";
import { applyCornerScenarios } from "./scenarios/apply-corners.ts";
import { applyScenarios } from "./scenarios/apply.ts";
import { autoscalingScenarios } from "./scenarios/autoscaling.ts";
import { celCostScenarios } from "./scenarios/cel-costs.ts";
import { celScenarios } from "./scenarios/cel.ts";
import { changingScenarios } from "./scenarios/changing.ts";
import { conversionDefaultsScenarios } from "./scenarios/conversion-defaults.ts";
import { createScenarios } from "./scenarios/create.ts";
import { decisionScenarios } from "./scenarios/decisions.ts";
import { deleteScenarios } from "./scenarios/delete.ts";
import { deletionScenarios } from "./scenarios/deletions.ts";
import { endScenarios } from "./scenarios/ends.ts";
import { findingScenarios } from "./scenarios/findings.ts";
import { formerAnnotationScenarios } from "./scenarios/former-annotations.ts";
import { jobScenarios } from "./scenarios/jobs.ts";
import { kindChangeScenarios } from "./scenarios/kind-changes.ts";
import { kindCornerScenarios } from "./scenarios/kind-corners.ts";
import { kindValueScenarios } from "./scenarios/kind-values.ts";
import { kindRuleScenarios } from "./scenarios/kind-rules.ts";
import { guardedWriteScenarios } from "./scenarios/guarded-writes.ts";
import { declaredRuleScenarios } from "./scenarios/declared-rules.ts";
import { disabledFieldScenarios } from "./scenarios/disabled-fields.ts";
import { dryRunWebhookScenarios } from "./scenarios/dry-run-webhooks.ts";
import { endpointScenarios } from "./scenarios/endpoints.ts";
import { httpScenarios } from "./scenarios/http.ts";
import { limitRangeScenarios } from "./scenarios/limit-ranges.ts";
import { limitScenarios } from "./scenarios/limits.ts";
import { podChangeScenarios } from "./scenarios/pod-changes.ts";
import { podCornerScenarios } from "./scenarios/pod-corners.ts";
import { podPartScenarios } from "./scenarios/pod-parts.ts";
import { podStatusScenarios } from "./scenarios/pod-status.ts";
import { podSecurityScenarios } from "./scenarios/pod-security.ts";
import { podSecurityOrderScenario } from "./scenarios/pod-security-order.ts";
import { podSecurityWriteScenarios } from "./scenarios/pod-security-writes.ts";
import { protobufScenarios } from "./scenarios/protobuf.ts";
import { mutatingPolicyScenarios } from "./scenarios/mutating-policies.ts";
import { policyRefusalScenarios } from "./scenarios/policy-refusals.ts";
import { policyScenarios } from "./scenarios/policies.ts";
import { quotaScenarios } from "./scenarios/quotas.ts";
import { readingScenarios } from "./scenarios/reading.ts";
import { listScenarios } from "./scenarios/list.ts";
import { openApiScenarios } from "./scenarios/open-api.ts";
import { ownerScenarios } from "./scenarios/owners.ts";
import { requestScenarios } from "./scenarios/requests.ts";
import { ruleCornerScenarios } from "./scenarios/rule-corners.ts";
import { sampleScenarios } from "./scenarios/samples.ts";
import { claimSourceScenarios } from "./scenarios/claim-sources.ts";
import { columnValueScenarios } from "./scenarios/column-values.ts";
import { missingStatusScenarios } from "./scenarios/missing-status.ts";
import { releasedScenarios } from "./scenarios/released-in-dry-run.ts";
import { noOpUpdateScenarios } from "./scenarios/no-op-updates.ts";
import { nodeScenarios } from "./scenarios/nodes.ts";
import { numberTextScenarios } from "./scenarios/number-text.ts";
import { patchCornerScenarios } from "./scenarios/patch-corners.ts";
import { schemaChangeScenarios } from "./scenarios/schema-changes.ts";
import { schemaCornerScenarios } from "./scenarios/schema-corners.ts";
import { serviceScenarios } from "./scenarios/services.ts";
import { typedScenarios } from "./scenarios/typed.ts";
import { undividedScenarios } from "./scenarios/undivided.ts";
import { scaleManagerScenarios } from "./scenarios/scale-managers.ts";
import { updateScenarios } from "./scenarios/update.ts";
import { userRequestScenarios } from "./scenarios/user-requests.ts";
import { validationScenarios } from "./scenarios/validation.ts";
import { volumeScenarios } from "./scenarios/volumes.ts";
import { webhookCornerScenarios } from "./scenarios/webhook-corners.ts";
import { webhookScenarios } from "./scenarios/webhooks.ts";
import { watchScenarios } from "./scenarios/watch.ts";
import { workloadValueScenarios } from "./scenarios/workload-values.ts";

/** All scenarios; each has a recording under test/conformance/recorded/apiserver. */
export const scenarios: readonly Scenario[] = [
  ...createScenarios,
  ...validationScenarios,
  ...updateScenarios,
  ...requestScenarios,
  ...sampleScenarios,
  ...patchCornerScenarios,
  ...schemaChangeScenarios,
  ...schemaCornerScenarios,
  ...columnValueScenarios,
  ...numberTextScenarios,
  ...ruleCornerScenarios,
  ...typedScenarios,
  ...deleteScenarios,
  ...deletionScenarios,
  ...endScenarios,
  ...listScenarios,
  ...watchScenarios,
  ...crdScenarios,
  ...crdRefusalScenarios,
  ...changingScenarios,
  ...celScenarios,
  ...celCostScenarios,
  ...applyScenarios,
  ...applyCornerScenarios,
  ...applyConversionScenarios,
  ...conversionDefaultsScenarios,
  ...admissionScenarios,
  ...admissionPartScenarios,
  ...webhookScenarios,
  ...webhookCornerScenarios,
  ...policyScenarios,
  ...noOpUpdateScenarios,
  ...releasedScenarios,
  ...missingStatusScenarios,
  ...scaleManagerScenarios,
  ...mutatingPolicyScenarios,
  ...autoscalingScenarios,
  ...policyRefusalScenarios,
  ...accessScenarios,
  ...decisionScenarios,
  ...openApiScenarios,
  ...builtInScenarios,
  ...builtInRefusalScenarios,
  ...ownerScenarios,
  ...kindChangeScenarios,
  ...declaredRuleScenarios,
  ...disabledFieldScenarios,
  ...claimSourceScenarios,
  ...volumeScenarios,
  ...guardedWriteScenarios,
  ...serviceScenarios,
  ...nodeScenarios,
  ...workloadValueScenarios,
  ...jobScenarios,
  ...kindCornerScenarios,
  ...addressScenarios,
  ...anonymousScenarios,
  ...dryRunWebhookScenarios,
  ...undividedScenarios,
  ...findingScenarios,
  ...formerAnnotationScenarios,
  ...kindRuleScenarios,
  ...kindValueScenarios,
  ...podChangeScenarios,
  ...podCornerScenarios,
  ...podPartScenarios,
  ...podStatusScenarios,
  ...bindingScenarios,
  ...podSecurityScenarios,
  ...podSecurityWriteScenarios,
  podSecurityOrderScenario,
  ...userRequestScenarios,
  ...httpScenarios,
  ...limitScenarios,
  ...limitRangeScenarios,
  ...quotaScenarios,
  ...protobufScenarios,
  ...endpointScenarios,
  ...readingScenarios,
  ...aggregationScenarios,
];
