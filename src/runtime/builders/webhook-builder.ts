import { groupKindOf, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Manager } from "../manager/manager.ts";
import type { AdmissionHandler } from "../webhook/admission.ts";
import { withObject, type AdmissionWebhookOptions, type WebhookLogConstructor } from "../webhook/admission-endpoint.ts";
import type { Converter } from "../webhook/converter.ts";
import { defaulterHandler, type Defaulter } from "../webhook/defaulter.ts";
import { validatorHandler, type Validator } from "../webhook/validator.ts";

/** Where a webhook is served. */
export interface WebhookPathOptions {
  /** Replaces the path of the generated manifests. */
  readonly path?: string;
}

/** Builds the webhooks of a kind. */
export class WebhookBuilder<T extends KubeObject> {
  private readonly manager: Manager;
  private readonly kind: Kind<T>;
  private readonly handlers = new Map<string, AdmissionHandler>();
  private converter: Converter | undefined;
  private options: AdmissionWebhookOptions = {};

  constructor(manager: Manager, kind: Kind<T>) {
    this.manager = manager;
    this.kind = kind;
  }

  /** Sets the defaulting webhook, served at `/mutate-<group>-<version>-<kind>`. */
  withDefaulter(defaulter: Defaulter<T>, options: WebhookPathOptions = {}): this {
    this.handlers.set(options.path ?? webhookPath("mutate", this.kind), defaulterHandler(defaulter));
    return this;
  }

  /** Sets the validating webhook, served at `/validate-<group>-<version>-<kind>`. */
  withValidator(validator: Validator<T>, options: WebhookPathOptions = {}): this {
    this.handlers.set(options.path ?? webhookPath("validate", this.kind), validatorHandler(validator));
    return this;
  }

  /** Sets the conversion between the versions of the kind, served at `/convert`. */
  withConverter(converter: Converter): this {
    this.converter = converter;
    return this;
  }

  /** Replaces the logger of the calls. */
  withLogConstructor(logConstructor: WebhookLogConstructor): this {
    this.options = { ...this.options, logConstructor };
    return this;
  }

  /** False aborts the connection after an unexpected error instead of rejecting the request; the default is true. */
  recoverPanic(recoverPanic: boolean): this {
    this.options = { ...this.options, recoverPanic };
    return this;
  }

  /** Registers the webhooks with the manager's webhook server. A path that is already registered does not change. */
  complete(): void {
    const kind = this.kind;
    if (this.handlers.size === 0 && !this.converter)
      throw new TsopError("TSOP_WEBHOOK_INCOMPLETE", { kind: kind.kind });
    if (this.converter && this.converter.groupKind !== groupKindOf(kind)) {
      const facts = { kind: groupKindOf(kind), version: kind.version, groupKind: this.converter.groupKind };
      throw new TsopError("TSOP_CONVERTER_VERSION", facts);
    }
    const { webhookServer } = this.manager;
    const logConstructor = withObject(kind.kind, { webhookGroup: kind.group, webhookKind: kind.kind });
    for (const [path, handler] of this.handlers) {
      if (!webhookServer.has(path)) webhookServer.register(path, handler, { logConstructor, ...this.options });
    }
    if (this.converter) webhookServer.registerConverter(this.converter);
  }
}

/**
 * Starts to build the webhooks of a kind.
 *
 * @example
 * webhookManagedBy(mgr, Memcached)
 *   .withDefaulter({
 *     default({ spec }) {
 *       spec.size ??= 1;
 *     },
 *   })
 *   .withValidator({
 *     validateUpdate(old, { spec }) {
 *       if ((spec.size ?? 0) < (old.spec.size ?? 0)) throw new AdmissionError("size must not shrink");
 *     },
 *   })
 *   .complete();
 */
export function webhookManagedBy<T extends KubeObject>(manager: Manager, kind: Kind<T>): WebhookBuilder<T> {
  return new WebhookBuilder(manager, kind);
}

/**
 * Returns the path in generated manifests: `/mutate-cache-example-com-v1-memcached`; `/mutate--v1-pod` for the core
 * group.
 *
 * @example
 * mgr.webhookServer.register(webhookPath("mutate", Pod), addSidecar); // /mutate--v1-pod
 */
export function webhookPath(verb: "mutate" | "validate", { group, version, kind }: Kind): string {
  return `/${verb}-${group.replaceAll(".", "-")}-${version}-${kind.toLowerCase()}`;
}
