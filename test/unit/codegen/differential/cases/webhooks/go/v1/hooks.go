package v1

// +kubebuilder:webhook:verbs=create;update,path=/validate-b,mutating=false,failurePolicy=fail,matchPolicy=Equivalent,groups=b.example.com,resources=bs;bs/status,versions=v1;v2,name=zvalidate.b.kb.io,sideEffects=None,timeoutSeconds=10,admissionReviewVersions=v1;v1beta1
// +kubebuilder:webhook:verbs=delete,path=/validate-a,mutating=false,failurePolicy=Ignore,groups=core,resources=*,versions=*,name=avalidate.a.kb.io,sideEffects=noneondryrun,admissionReviewVersions=v1,serviceName=hooks,serviceNamespace=tools,servicePort=9443
// +kubebuilder:webhook:verbs=*,path=/mutate-a,mutating=true,failurePolicy=fail,groups=apps;core,resources=deployments;pods/*,versions=v1,name=mutate.a.kb.io,sideEffects=None,admissionReviewVersions=v1,reinvocationPolicy=IfNeeded
// +kubebuilder:webhook:verbs=connect,url="https://hooks.example.com:8443/x?y=z",mutating=true,failurePolicy=ignore,groups="",resources=pods/exec,versions=v1,name=exec.kb.io,sideEffects=None,admissionReviewVersions=v1,reinvocationPolicy=never,webhookVersions=v1
// +kubebuilder:webhook:verbs=create,path=/selected,mutating=false,failurePolicy=fail,groups=apps,resources=deployments,versions=v1,name=selected.kb.io,sideEffects=None,admissionReviewVersions=v1,patch=`{"namespaceSelector":{"matchLabels":{"on":"yes"}},"objectSelector":{"matchExpressions":[{"key":"skip","operator":"DoesNotExist"}]},"matchConditions":[{"name":"not-leases","expression":"!(request.resource.group == 'coordination.k8s.io')"}]}`
// +kubebuilder:webhookconfiguration:mutating=true,name=my-mutations

func hooks() {}
