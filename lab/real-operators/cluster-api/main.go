// Serves the conversion webhook of cluster-api alone.
package main

import (
	"net/http"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	clusterv1alpha4 "sigs.k8s.io/cluster-api/api/v1alpha4"
	clusterv1beta1 "sigs.k8s.io/cluster-api/api/v1beta1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
)

func main() {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clusterv1alpha4.AddToScheme, clusterv1beta1.AddToScheme} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	http.Handle("/convert", conversion.NewWebhookHandler(scheme))
	dir := os.Getenv("TSOP_WEBHOOK_CERT_DIR")
	panic(http.ListenAndServeTLS("127.0.0.1:"+os.Getenv("TSOP_WEBHOOK_PORT"), dir+"/tls.crt", dir+"/tls.key", nil))
}
