/** Formats the marker of a permission: `+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list`. */
export function formatRbac(rule: {
  readonly group: string;
  /** With its subresource: `pods/exec`. */
  readonly resource: string;
  readonly verbs: readonly string[];
}): string {
  return `+kubebuilder:rbac:groups=${rule.group || '""'},resources=${rule.resource},verbs=${rule.verbs.join(";")}`;
}
