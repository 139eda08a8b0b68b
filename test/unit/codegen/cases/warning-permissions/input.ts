// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=gett;update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;Update;craete;wacth;deletecolection
// +kubebuilder:rbac:groups=apps,resources=deployment;statefulset/status;daemonsets/statu,verbs=get
// +kubebuilder:rbac:groups="",resources=ConfigMap;NetworkPolicy;secret,verbs=get
// +kubebuilder:rbac:groups=networking.k8s.io,resources=NetworkPolicy,verbs=get
// +kubebuilder:rbac:groups=app;batchs,resources=jobs,verbs=get
// +kubebuilder:rbac:groups=app.com,resources=deployments;deployments/scale,verbs=get
// +kubebuilder:rbac:groups=networking.k8s.oi,resources=ingresses,verbs=get
// +kubebuilder:rbac:groups=example.com,resources=smaples/status;boats,verbs=get
// +kubebuilder:rbac:groups=exampel.com,resources=samples,verbs=get
// +kubebuilder:rbac:urls=/metrics,verbs=gte

// These are as they should be, or may be.
// +kubebuilder:rbac:groups=core;apps,resources=pods;deployments;deployments/scale,verbs=get;operate;set-size;*
// +kubebuilder:rbac:groups="",resources=nodes;nodes/stats;nodes/metrics;pods/eviction;serviceaccounts,verbs=impersonate
// +kubebuilder:rbac:groups=app.k8s.io;argoproj.io,resources=applications,verbs=get;list
// +kubebuilder:rbac:groups=metrics.k8s.io,resources=pods;nodes,verbs=get;list
// +kubebuilder:rbac:groups=batch.volcano.sh,resources=jobs,verbs=get;list
// +kubebuilder:rbac:groups=example.com,resources=samples;samples/status;samples/finalizers,verbs=get;update
// +kubebuilder:rbac:groups=*,resources=*;*/scale,verbs=*
// +kubebuilder:rbac:groups=certificates.k8s.io,resources=signers,resourceNames=a/b,verbs=approve;sign
// +kubebuilder:rbac:groups=policy,resources=podsecuritypolicies,verbs=use
// +kubebuilder:rbac:urls=/metrics,verbs=get;post;head
export interface Spec {
  a: string;
}
