// +kubebuilder:rbac:groups=batch.io,resources=cronjobs,verbs=get;watch;create
// +kubebuilder:rbac:groups=batch.io,resources=cronjobs/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=art,resources=jobs,verbs=get,namespace=zoo
// +kubebuilder:rbac:groups=batch;batch;cron,resources=jobs/status,verbs=watch
// +kubebuilder:rbac:groups=batch;cron,resources=jobs/status,verbs=create;get
// +kubebuilder:rbac:groups=cron;batch,resources=jobs/status,verbs=get;create
// +kubebuilder:rbac:groups=batch,resources=jobs/status,verbs=get
// +kubebuilder:rbac:groups=art,resources=jobs,verbs=get,namespace=park
export async function reconcile(): Promise<void> {
  // +kubebuilder:rbac:groups=batch.io,resources=cronjobs,resourceNames=foo;bar;baz,verbs=get;watch
  // +kubebuilder:rbac:groups=wave,resources=jobs,verbs=get;list,roleName=other,namespace=zoo
  // +kubebuilder:rbac:groups="",resources=configmaps;secrets;configmaps,verbs=list;get;list
  // +kubebuilder:rbac:groups=core,resources=events,verbs=create;patch
  // +kubebuilder:rbac:urls="/url-to-1";/metrics,verbs=get;post
  // +kubebuilder:rbac:urls=/other,verbs=get;post
  await Promise.resolve();
}

/**
 * Sets up.
 * +kubebuilder:rbac:groups=apps,resources=*,verbs=*
 * +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;*
 * +kubebuilder:rbac:groups=*,resources=*,verbs=get;list
 * +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch
 * +kubebuilder:rbac:groups=coordination.k8s.io,resources=leases,verbs=get;list;watch;create;update;patch;delete
 * +kubebuilder:rbac:groups=networking.k8s.io,resources=ingresses;networkpolicies,verbs=get;list;watch
 * +kubebuilder:rbac:groups=extensions,resources=ingresses;networkpolicies,verbs=get;list;watch
 */
export function setup(): void {}
