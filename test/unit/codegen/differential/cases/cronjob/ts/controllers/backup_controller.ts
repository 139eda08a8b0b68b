export class BackupReconciler {
  // +kubebuilder:rbac:groups=batch.tutorial.example.com,resources=backupjobs,verbs=get;list;watch
  // +kubebuilder:rbac:groups=core,resources=pods;services,verbs=get
  // +kubebuilder:rbac:groups=core,resources=pods,verbs=list
  async reconcile(): Promise<void> {
    // +kubebuilder:rbac:urls=/metrics;/healthz,verbs=get
  }

  /**
   * +kubebuilder:rbac:groups=apps;batch,resources=jobs,verbs=*
   * +kubebuilder:rbac:groups=apps,resources=deployments,resourceNames=one,verbs=get;delete,namespace=system
   * +kubebuilder:rbac:groups="",resources=secrets,verbs=get,roleName=secret-reader
   */
  setupWithManager(): void {}
}

// +kubebuilder:webhook:path=/mutate,mutating=true,failurePolicy=fail,sideEffects=None,groups=batch.tutorial.example.com,resources=backupjobs,verbs=create;update,versions=v1,name=mbackup.kb.io,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/validate,mutating=false,failurePolicy=ignore,matchPolicy=Exact,sideEffects=NoneOnDryRun,groups=core,resources=pods,verbs=create;delete,versions=v1,name=vbackup.kb.io,admissionReviewVersions={v1,v1beta1},timeoutSeconds=5
// +kubebuilder:webhook:url=https://example.com/hook,mutating=false,failurePolicy=fail,sideEffects=None,groups=*,resources=*,verbs=*,versions=*,name=avalidate.kb.io,admissionReviewVersions=v1
export function setupWebhooks(): void {}
