import { dnsLabelProblems, dnsSubdomainProblems } from "../../dns-names.ts";
import { CelError } from "../values/issue.ts";
import type { Run } from "../values/overload.ts";
import { CelOpaque } from "../values/values.ts";

/** Decides whether a user is authorized. */
export interface CelAuthorizer {
  readonly serviceAccount: (namespace: string, name: string) => CelAuthorizer;
  readonly decide: (question: CelQuestion) => CelDecision;
}

interface CelQuestion {
  readonly verb: string;
  readonly path?: string;
  readonly resource?: CelResource;
}

/** The resource in question; an empty text is absent. */
export interface CelResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

interface CelDecision {
  readonly allowed: boolean;
  readonly reason?: string;
}

interface Check {
  readonly authorizer: CelAuthorizer;
  readonly path?: string;
  readonly resource?: CelResource;
}

const [authorizerType, pathType, groupType, resourceType, decisionType] = [
  "Authorizer",
  "PathCheck",
  "GroupCheck",
  "ResourceCheck",
  "Decision",
].map((name) => `kubernetes.authorization.${name}`) as [string, string, string, string, string];

/** Creates the variable `authorizer`. */
export function authorizerValue(authorizer: CelAuthorizer): CelOpaque {
  return new CelOpaque(authorizerType, "", authorizer);
}

/** Creates the variable `authorizer.requestResource`. */
export function resourceCheckValue(authorizer: CelAuthorizer, resource: CelResource): CelOpaque {
  return checkValue(resourceType, { authorizer, resource });
}

/** Kubernetes' authz library, for expressions with an authorizer. */
export const authorizationFunctions: Readonly<Record<string, Run>> = {
  [`${authorizerType} -> path(string): ${pathType}`]: (of: CelOpaque, path: string) => {
    if (path.trim() === "") throw new CelError("path must not be empty");
    return checkValue(pathType, { authorizer: authorizerOf(of), path });
  },
  [`${authorizerType} -> group(string): ${groupType}`]: (of: CelOpaque, group: string) => {
    const resource = { group, resource: "", subresource: "", namespace: "", name: "" };
    return checkValue(groupType, { authorizer: authorizerOf(of), resource });
  },
  [`${authorizerType} -> serviceAccount(string, string): ${authorizerType}`]: (
    of: CelOpaque,
    namespace: string,
    name: string,
  ) => {
    if (dnsSubdomainProblems(name).length > 0) throw new CelError("Invalid service account name");
    if (dnsLabelProblems(namespace).length > 0) throw new CelError("Invalid service account namespace");
    return authorizerValue(authorizerOf(of).serviceAccount(namespace, name));
  },
  [`${groupType} -> resource(string): ${resourceType}`]: (of: CelOpaque, resource: string) => {
    if (resource.trim() === "") throw new CelError("resource must not be empty");
    return narrow(of, { resource });
  },
  [`${resourceType} -> subresource(string): ${resourceType}`]: (of: CelOpaque, subresource: string) =>
    narrow(of, { subresource }),
  [`${resourceType} -> namespace(string): ${resourceType}`]: (of: CelOpaque, namespace: string) =>
    narrow(of, { namespace }),
  [`${resourceType} -> name(string): ${resourceType}`]: (of: CelOpaque, name: string) => narrow(of, { name }),
  // The authorizers here ignore selectors.
  [`${resourceType} -> fieldSelector(string): ${resourceType}`]: (of: CelOpaque) => of,
  [`${resourceType} -> labelSelector(string): ${resourceType}`]: (of: CelOpaque) => of,
  [`${pathType} -> check(string): ${decisionType}`]: decide,
  [`${resourceType} -> check(string): ${decisionType}`]: decide,
  [`${decisionType} -> allowed(): bool`]: (of: CelOpaque) => (of.content as CelDecision).allowed,
  [`${decisionType} -> reason(): string`]: (of: CelOpaque) => (of.content as CelDecision).reason ?? "",
  [`${decisionType} -> errored(): bool`]: () => false,
  [`${decisionType} -> error(): string`]: () => "",
};

function authorizerOf({ content }: CelOpaque): CelAuthorizer {
  return content as CelAuthorizer;
}

function checkValue(type: string, check: Check): CelOpaque {
  return new CelOpaque(type, JSON.stringify([check.path, check.resource]), check);
}

function narrow({ content }: CelOpaque, more: Partial<CelResource>): CelOpaque {
  const { authorizer, resource } = content as Check;
  return resourceCheckValue(authorizer, { ...resource!, ...more });
}

function decide({ content }: CelOpaque, verb: string): CelOpaque {
  const { authorizer, path, resource } = content as Check;
  const decision = authorizer.decide({
    verb,
    ...(path !== undefined && { path }),
    ...(resource !== undefined && { resource }),
  });
  return new CelOpaque(decisionType, JSON.stringify(decision), decision);
}
