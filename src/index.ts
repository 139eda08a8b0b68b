/**
 * The operator library: the imports of controllers, webhooks and main.ts.
 *
 * @module tsop
 */
export { TsopError } from "./errors/tsop-error.ts";
export type { ErrorCode, Facts } from "./errors/catalogue.ts";

export {
  apiVersionOf,
  defineKind,
  groupKindOf,
  metadataOnly,
  type Kind,
  type KindDefinition,
} from "./apimachinery/kind.ts";
export type { ExclusiveMax, ExclusiveMin, Max, Min, MultipleOf } from "./apimachinery/bounds.ts";
export type { MaxItems, MaxProperties, MinItems, MinProperties } from "./apimachinery/bounds.ts";
export type { MaxLength, MinLength, Pattern } from "./apimachinery/bounds.ts";
export { objectReference, type ObjectReference } from "./apimachinery/object-reference.ts";
export {
  objectKey,
  type Bytes,
  type Condition,
  type DeepReadonly,
  type Duration,
  type EmbeddedObject,
  type Float,
  type Int32,
  type Int64,
  type IntOrString,
  type JSONValue,
  type KubeList,
  type KubeObject,
  type LabelSelector,
  type LabelSelectorRequirement,
  type ListMeta,
  type ManagedFieldsEntry,
  type MicroTime,
  type Named,
  type ObjectKey,
  type ObjectMeta,
  type ObjectRef,
  type OwnerReference,
  type PartialObjectMetadata,
  type Quantity,
  type RawExtension,
  type Time,
  type UnstructuredObject,
  type WatchEvent,
} from "./apimachinery/meta.ts";
export {
  ApiError,
  isAlreadyExists,
  isApiError,
  isBadRequest,
  isConflict,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotAllowed,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
  reasonOf,
  type Status,
  type StatusCause,
  type StatusDetails,
  type StatusReason,
} from "./apimachinery/status.ts";
export { invalidError } from "./apimachinery/invalid-error.ts";
export { fieldError, type FieldError, type FieldErrorReason, type FieldErrors } from "./apimachinery/field-error.ts";
export { dns1035LabelProblems, dnsLabelProblems, dnsSubdomainProblems } from "./apimachinery/dns-names.ts";
export { labelKeyProblems, labelValueProblems } from "./apimachinery/label-syntax.ts";
export type { JsonPatchOperation } from "./apimachinery/patch/json-patch.ts";
export { formatLabelSelector, matchesLabelSelector, type AnyLabelSelector } from "./apimachinery/selectors.ts";
export { migrateStoredVersions, type MigrationOptions } from "./client/manifests/migrate-stored-versions.ts";
export { cloneJson, type DeepWritable } from "./apimachinery/clone.ts";
export { compareDurations, durationToMs, formatDuration } from "./apimachinery/duration.ts";
export { kindOf, type StandardJsonSchema } from "./apimachinery/kind.ts";
export { equalJson } from "./apimachinery/equal.ts";
export { scaledIntOrPercent } from "./apimachinery/int-or-percent.ts";
export { addQuantities, multiplyQuantity, subtractQuantities } from "./apimachinery/quantity.ts";
export { compareQuantities, formatQuantity, parseQuantity, quantityToNumber } from "./apimachinery/quantity.ts";
export type { ParsedQuantity } from "./apimachinery/quantity.ts";
export { omitEmpty } from "./apimachinery/omit-empty.ts";
export { addTime, compareTimes, parseTime, timeSince } from "./apimachinery/time.ts";
export { formatMicroTime, formatTime, type PointInTime } from "./apimachinery/time.ts";

export { isKindNotServed } from "./client/calls/api-caller.ts";
export type {
  ApplyConfiguration,
  ApplyOptions,
  CallOptions,
  Client,
  DeleteOptions,
  DeepPartial,
  GetOptions,
  ListOptions,
  Patch,
  PatchType,
  Reader,
  ReadonlyListOptions,
  SubResourceClient,
  WatchOptions,
  WriteOptions,
  Writer,
} from "./client/client.ts";
export type { AuthProviderConfig, ClientConfig, ExecConfig, Impersonation } from "./client/config/config.ts";
export { execInContainer, type CommandOutput, type ContainerCommand } from "./client/exec/exec-in-container.ts";
export { createClient, type ClientDefaults, type ClientOptions } from "./client/create-client.ts";
export { extractApplied, type ExtractOptions } from "./client/extract-applied.ts";
export { HttpTransport, type HttpTransportOptions } from "./client/transport/http-transport.ts";
export { ignoreAlreadyExists, ignoreNotFound } from "./client/ignore-not-found.ts";
export { loadConfig, type LoadConfigOptions } from "./client/config/load-config.ts";
export { loadSecretConfig } from "./client/config/load-config.ts";
export { namespacedClient } from "./client/namespaced-client.ts";
export {
  jsonPatch,
  mergeFrom,
  mergePatch,
  rawPatch,
  strategicMergePatch,
  type MergeFromOptions,
} from "./client/patches.ts";
export type { RequestLabels, RequestObserver } from "./client/transport/request-observer.ts";
export { retryOnConflict, type RetryOptions } from "./client/retry-on-conflict.ts";
export type { Transport, TransportRequest, TransportResponse } from "./client/transport.ts";
export { dryRunClient, withFieldOwner, withFieldValidation } from "./client/with-write-options.ts";

export { asReconciler, type ObjectReconciler } from "./runtime/controller/reconciler.ts";
export {
  controllerManagedBy,
  type ControllerBuilder,
  type OwnerMatch,
  type OwnsOptions,
} from "./runtime/builders/builder.ts";
export type { Cache, CacheOptions, CacheSelection } from "./runtime/cache/cache.ts";
export type { Informer, InformerHandler, Transform } from "./runtime/cache/informer.ts";
export type { IndexFunction } from "./runtime/cache/object-store.ts";
export type { Namespaces, NamespaceSelection } from "./runtime/cache/watch-scopes.ts";
export type { Clock } from "./apimachinery/clock.ts";
export { createCluster, type Cluster, type ClusterOptions } from "./runtime/manager/cluster.ts";
export type { ClusterProvider, FleetChange } from "./runtime/fleet/cluster-provider.ts";
export { clusterProfiles, type ClusterProfilesOptions } from "./runtime/fleet/cluster-profiles.ts";
export { createFleet, type Fleet, type FleetCluster, type FleetOptions } from "./runtime/fleet/fleet.ts";
export {
  fleetControllerManagedBy,
  type FleetControllerBuilder,
  type HubWatchOptions,
} from "./runtime/fleet/fleet-controller-builder.ts";
export type { FleetRequest, RequestInFleet } from "./runtime/fleet/fleet-controller-builder.ts";
export { fleetSource } from "./runtime/fleet/fleet-source.ts";
export { kubeconfigFiles, type KubeconfigFilesOptions } from "./runtime/fleet/kubeconfig-files.ts";
export {
  clusterApiSecrets,
  kubeconfigSecrets,
  type KubeconfigSecretsOptions,
} from "./runtime/fleet/kubeconfig-secrets.ts";
export {
  findCondition,
  isConditionFalse,
  isConditionPresentAndEqual,
  isConditionTrue,
  removeCondition,
  setCondition,
  setStatusCondition,
  type AnyCondition,
  type NewCondition,
  type SettableCondition,
} from "./apimachinery/conditions.ts";
export type { Controller } from "./runtime/controller/controller.ts";
export type { CoreEventRecorder } from "./runtime/event-recorder/core-event-recorder.ts";
export { createManager } from "./runtime/manager/create-manager.ts";
export { applyStrategicMerge } from "./runtime/objects/apply-strategic-merge.ts";
export { createOrPatch, createOrUpdate, type CreateOrUpdateResult } from "./runtime/objects/create-or-update.ts";
export type { AnnotatedEventRecorder, EventRecorder } from "./runtime/event-recorder/event-recorder.ts";
export type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from "./runtime/controller/events.ts";
export { exitWithError } from "./runtime/manager/exit-with-error.ts";
export {
  addFinalizer,
  containsFinalizer,
  FinalizeError,
  Finalizers,
  removeFinalizer,
  type Finalizer,
  type FinalizeResult,
} from "./runtime/objects/finalizers.ts";
export {
  enqueueForObject,
  enqueueForOwner,
  enqueueFromMap,
  withLowPriorityWhenUnchanged,
  type Enqueue,
  type EventHandler,
  type MapFunction,
  type OwnerOptions,
} from "./runtime/controller/handlers.ts";
export { loadFrontProxy, type FrontProxy } from "./runtime/servers/front-proxy.ts";
export { informersSynced, ping, type HealthCheck } from "./runtime/servers/health.ts";
export type { LeaderElectionOptions } from "./runtime/leader-election/leader-election-options.ts";
export { discardLogger, type Fields, type Logger } from "./runtime/log/logger.ts";
export { zapLogger, type ZapOptions } from "./runtime/log/zap-logger.ts";
export type { TimeEncoding } from "./runtime/log/zap-encoders.ts";
export type { Manager, ManagerOptions, ControllerDefaults } from "./runtime/manager/manager.ts";
export type { Metrics } from "./runtime/metrics/metrics.ts";
export type { CachedClientOptions } from "./runtime/manager/cached-client.ts";
export { parseManagerFlags, type Flag, type Flags, type ManagerFlags } from "./runtime/manager/manager-flags.ts";
export type { MetricsFilter, MetricsOptions } from "./runtime/servers/metrics-server.ts";
export { ObjectTimers } from "./runtime/controller/object-timers.ts";
export {
  controllerOf,
  hasControllerReference,
  hasOwnerReference,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from "./runtime/objects/owner-references.ts";
export {
  and,
  annotationChanged,
  generationChanged,
  labelChanged,
  labelSelectorPredicate,
  not,
  or,
  predicateFuncs,
  resourceVersionChanged,
  type Predicate,
} from "./runtime/controller/predicates.ts";
export {
  bucketRateLimiter,
  exponentialRateLimiter,
  fastSlowRateLimiter,
  maxOfRateLimiter,
  withMaxWaitRateLimiter,
  type RateLimiter,
} from "./runtime/queue/rate-limiter.ts";
export type { AddOptions, Taken, WorkQueue } from "./runtime/queue/work-queue.ts";
export {
  isTerminalError,
  TerminalError,
  type ReconcileContext,
  type Reconciler,
  type Result,
} from "./runtime/controller/reconciler.ts";
export type { Request } from "./runtime/controller/request.ts";
export { requeueAt } from "./runtime/controller/reconciler.ts";
export type { Runnable } from "./runtime/runnable.ts";
export { Server, type ServerOptions } from "./runtime/servers/server.ts";
export type { TlsOptions } from "./runtime/servers/serving-certificate.ts";
export type { Shard } from "./runtime/sharding/shard.ts";
export type { ShardingOptions } from "./runtime/sharding/sharding-options.ts";
export { setupSignalHandler } from "./runtime/manager/signals.ts";
export {
  channelSource,
  EventChannel,
  funcSource,
  kindSource,
  type KindSourceOptions,
  type Source,
  type SourceContext,
} from "./runtime/controller/sources.ts";
export {
  typedControllerManagedBy,
  type AnyWatchOptions,
  type BuilderOptions,
  type LogConstructor,
  type TypedControllerBuilder,
  type MetadataOnlyOptions,
  type WatchKindOptions,
} from "./runtime/builders/typed-controller-builder.ts";
export type { UserInfo } from "./runtime/user-info.ts";
export {
  admission,
  type AdmissionContext,
  type AdmissionHandler,
  type AdmissionRequest,
  type AdmissionResponse,
  type GroupVersionKind,
  type GroupVersionResource,
} from "./runtime/webhook/admission.ts";
export type { AdmissionWebhookOptions, WebhookLogConstructor } from "./runtime/webhook/admission-endpoint.ts";
export { AdmissionError, type AdmissionErrorOptions } from "./runtime/webhook/admission.ts";
export { hubSpoke, spoke, type Converter, type Spoke } from "./runtime/webhook/converter.ts";
export type { Defaulter } from "./runtime/webhook/defaulter.ts";
export { multiMutatingHandler, multiValidatingHandler } from "./runtime/webhook/admission.ts";
export { standaloneWebhook } from "./runtime/webhook/admission-endpoint.ts";
export type {
  TokenReviewHandler,
  TokenReviewRequest,
  TokenReviewResponse,
} from "./runtime/webhook/token-review-endpoint.ts";
export type { Validator, Warnings } from "./runtime/webhook/validator.ts";
export {
  webhookManagedBy,
  webhookPath,
  type WebhookBuilder,
  type WebhookPathOptions,
} from "./runtime/builders/webhook-builder.ts";
export type { WebhookOptions, WebhookServer } from "./runtime/webhook/webhook-server.ts";
