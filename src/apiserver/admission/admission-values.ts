import { dynamicValue } from "../../cel/values/dynamic-value.ts";
import { authorizerValue, resourceCheckValue, type CelAuthorizer } from "../../cel/functions/authorization.ts";
import type { CelValue } from "../../cel/values/values.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { User } from "../api-server.ts";
import type { Authorizer } from "../access/authorization.ts";
import type { AdmissionAttributes } from "./admission-attributes.ts";
import { admissionReview } from "./admission-review.ts";

export interface AdmissionSurroundings {
  readonly authorize: Authorizer;
  /** The namespace of the object, where expressions may see it. */
  readonly namespace?: UnstructuredObject | undefined;
  readonly params?: UnstructuredObject | undefined;
}

/** What an expression of admission sees of a write. */
export function admissionValues(
  attributes: AdmissionAttributes,
  { authorize, namespace, params }: AdmissionSurroundings,
): Record<string, CelValue> {
  const { object, oldObject, user, resource, subresource = "", name } = attributes;
  const authorizer = authorizerFor(user, authorize);
  const what = { group: resource.group, resource: resource.plural, namespace: attributes.namespace ?? "" };
  return {
    object: dynamicValue(object),
    oldObject: dynamicValue(oldObject),
    request: dynamicValue(requestOf(attributes)),
    namespaceObject: dynamicValue(namespace && shownNamespace(namespace)),
    params: dynamicValue(params),
    authorizer: authorizerValue(authorizer),
    "authorizer.requestResource": resourceCheckValue(authorizer, { ...what, subresource, name }),
  };
}

/** Who asks and what for; the objects have variables of their own. */
function requestOf(attributes: AdmissionAttributes): Record<string, unknown> {
  const { request } = admissionReview(attributes, "") as { request: Record<string, unknown> };
  const { uid: _uid, object: _object, oldObject: _oldObject, ...rest } = request;
  return rest;
}

function shownNamespace({ metadata, spec, status }: UnstructuredObject): Record<string, unknown> {
  const { managedFields: _fields, ownerReferences: _owners, ...shown } = metadata;
  return { metadata: shown, spec, status };
}

function authorizerFor(user: User, authorize: Authorizer): CelAuthorizer {
  return {
    serviceAccount: (namespace, name) =>
      authorizerFor(
        {
          username: `system:serviceaccount:${namespace}:${name}`,
          groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
        },
        authorize,
      ),
    decide({ verb, path = "", resource }) {
      if (!resource) return authorize({ user, verb, path });
      const { group, subresource, namespace, name } = resource;
      return authorize({
        user,
        verb,
        group,
        resource: resource.resource,
        ...(subresource && { subresource }),
        ...(namespace && { namespace }),
        ...(name && { name }),
      });
    },
  };
}
