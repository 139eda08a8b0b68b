import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { CustomResourceDefinition } from "../../manifests/install-crds.ts";
import { CsvKind, InstallPlanKind, OperatorConditionKind, SubscriptionKind } from "../../manifests/olm-kinds.ts";
import {
  ConfigMapKind,
  DeploymentKind,
  NamespaceKind,
  SecretKind,
  ServiceAccountKind,
} from "../simulation/context/simulated-kinds.ts";
import { ServiceKind } from "../simulation/services/service-kinds.ts";
import { ClusterRoleBindingKind, ClusterRoleKind, RoleBindingKind, RoleKind } from "./account-rules.ts";

const ApiServiceKind = defineKind({
  group: "apiregistration.k8s.io",
  version: "v1",
  kind: "APIService",
  plural: "apiservices",
  scope: "Cluster",
});

/** The kinds of the objects of which OLM says that an operator is made. */
export const componentKinds = [
  DeploymentKind,
  ServiceKind,
  NamespaceKind,
  ApiServiceKind,
  CustomResourceDefinition,
  SubscriptionKind,
  InstallPlanKind,
  CsvKind,
  OperatorConditionKind,
  SecretKind,
  ConfigMapKind,
  ServiceAccountKind,
  RoleKind,
  RoleBindingKind,
  ClusterRoleKind,
  ClusterRoleBindingKind,
] as unknown as readonly Kind<UnstructuredObject>[];
