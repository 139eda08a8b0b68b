// Command zapflags logs a few lines with the given --zap-* flags, for test/conformance/runtime/zap-flags.test.ts.
package main

import (
	"errors"
	"flag"

	"sigs.k8s.io/controller-runtime/pkg/log/zap"
)

func main() {
	var options zap.Options
	options.BindFlags(flag.CommandLine)
	flag.Parse()
	log := zap.New(zap.UseFlagOptions(&options)).WithName("outer").WithName("inner").WithValues("kept", "yes")
	log.Info("at info", "number", 1)
	log.V(1).Info("at one")
	log.V(3).Info("at three", "list", []string{"a"})
	log.Error(errors.New("broken"), "with an error", "number", 2)
	log.Error(nil, "without an error")
}
