// Evaluates expressions with the libraries and the limit of kube-apiserver, and prints the cost of each evaluation.
// It reads {schema, value, expressions}; `self` has the type of the schema, or is dynamic.
package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/interpreter"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/cel/mutation"
)

type input struct {
	Schema      json.RawMessage `json:"schema"`
	Value       json.RawMessage `json:"value"`
	Expressions []string        `json:"expressions"`
}

// A cost, or "limit" if the evaluation was ended. It is absent if the expression does not compile, or has several costs.
type answer struct {
	Typed   any `json:"typed,omitempty"`
	Dynamic any `json:"dynamic,omitempty"`
}

func main() {
	var in input
	check(json.NewDecoder(os.Stdin).Decode(&in))
	var value any
	check(utiljson.Unmarshal(in.Value, &value))
	schema := structuralOf(in.Schema)
	declared := model.SchemaDeclType(schema, false).MaybeAssignTypeName("selfType")
	typed := typedEnv(declared)
	dynamic := dynamicEnv()
	answers := map[string]answer{}
	for _, expression := range in.Expressions {
		answers[expression] = answer{
			Typed:   evaluate(typed, expression, schemacel.UnstructuredToVal(value, schema)),
			Dynamic: evaluate(dynamic, expression, value),
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(answers))
}

func structuralOf(text []byte) *structuralschema.Structural {
	var v1 apiextensionsv1.JSONSchemaProps
	check(json.Unmarshal(text, &v1))
	var internal apiextensions.JSONSchemaProps
	check(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &internal, nil))
	structural, err := structuralschema.NewStructural(&internal)
	check(err)
	return structural
}

// The environment of a rule.
func typedEnv(declared *apiservercel.DeclType) *cel.Env {
	return envOf(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", declared.CelType())},
		DeclTypes:         []*apiservercel.DeclType{declared},
	})
}

// The environment of a policy.
func dynamicEnv() *cel.Env {
	return envOf(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			cel.Variable("self", cel.DynType),
			cel.Variable("authorizer", library.AuthorizerType),
			environment.UnversionedLib(library.JSONPatch),
			common.ResolverEnvOption(&mutation.DynamicTypeResolver{}),
		},
	})
}

func envOf(options environment.VersionedOptions) *cel.Env {
	set, err := environment.MustBaseEnvSet(version.MajorMinor(1, 36)).Extend(options)
	check(err)
	env, err := set.Env(environment.StoredExpressions)
	check(err)
	return env
}

func allowAll(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionAllow, "", nil
}

func evaluate(env *cel.Env, expression string, self any) any {
	ast, issues := env.Compile(expression)
	if issues != nil && issues.Err() != nil {
		return nil
	}
	program, err := env.Program(ast, cel.InterruptCheckFrequency(100))
	if err != nil {
		return nil
	}
	variables := map[string]any{
		"self":       self,
		"authorizer": library.NewAuthorizerVal(&user.DefaultInfo{Name: "ada"}, authorizer.AuthorizerFunc(allowAll)),
	}
	first := costOf(program, variables)
	for range 20 {
		if costOf(program, variables) != first {
			// It depends on the order of a map's entries, which is another one each time.
			return nil
		}
	}
	return first
}

func costOf(program cel.Program, variables map[string]any) any {
	_, details, err := program.ContextEval(context.Background(), variables)
	if _, isCancelled := err.(interpreter.EvalCancelledError); isCancelled {
		return "limit"
	}
	return *details.ActualCost()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
