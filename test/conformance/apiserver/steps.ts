import { merge, type RequestStep } from "./scenario.ts";
import { PATCH, POST } from "./requests.ts";

export const namespaces = "/api/v1/namespaces";
export const core: string = `${namespaces}/{ns}`;
export const maps: string = `${core}/configmaps`;
export const pods: string = `${core}/pods`;
export const apps = "/apis/apps/v1/namespaces/{ns}";
export const batch = "/apis/batch/v1/namespaces/{ns}";
export const accounts: string = `${core}/serviceaccounts`;
export const claims: string = `${core}/persistentvolumeclaims`;
export const quotas: string = `${core}/resourcequotas`;
export const services: string = `${core}/services`;
export const deployments: string = `${apps}/deployments`;
export const jobs: string = `${batch}/jobs`;
export const autoscalers = "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers";
export const budgets = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets";
export const leases = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";
export const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles";
export const slices = "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices";
export const volumes = "/api/v1/persistentvolumes";

export const text = { type: "string" };

/** The part of an answer that says whether an object is refused, and why. */
export const refusal = ({ code, message, details }: any): unknown =>
  code === undefined ? "accepted" : { code, causes: details?.causes ?? message };

/** As `refusal`, without a word for an object that is accepted. */
export const reasons = (body: any): unknown => (body.code === undefined ? undefined : refusal(body));

/** Creates an object in a dry run. */
export const dry = (path: string, body: object): RequestStep =>
  POST(`${path}?dryRun=All`, { metadata: { name: "a" }, ...body }, { pick: refusal });

/** Creates an object, and shows whether it is refused. */
export const post = (path: string, name: string, spec: object): RequestStep =>
  POST(path, { metadata: { name }, spec }, { pick: refusal });

export const patch = (path: string, body: object): RequestStep => PATCH(path, merge, body, { pick: refusal });

/** Changes an object in a dry run. */
export const tryPatch = (path: string, body: object): RequestStep => patch(`${path}?dryRun=All`, body);

/** Returns the words of a text, which are separated by spaces and line breaks. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/);
