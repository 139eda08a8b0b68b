import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import type { UserInfo } from "../user-info.ts";

/** Asks the API server for the user of a token. */
export interface TokenReview extends KubeObject {
  spec: { token: string };
  status?: { authenticated?: boolean; user?: UserInfo; error?: string };
}

/** Asks the API server whether a user is authorized. */
export interface SubjectAccessReview extends KubeObject {
  spec: {
    user?: string;
    uid?: string;
    groups?: string[];
    extra?: Record<string, string[]>;
    nonResourceAttributes?: { path: string; verb: string };
  };
  status?: { allowed?: boolean; denied?: boolean; reason?: string };
}

export const TokenReview: Kind<TokenReview> = defineKind<TokenReview>({
  group: "authentication.k8s.io",
  version: "v1",
  kind: "TokenReview",
  plural: "tokenreviews",
  scope: "Cluster",
});

export const SubjectAccessReview: Kind<SubjectAccessReview> = defineKind<SubjectAccessReview>({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  scope: "Cluster",
});
