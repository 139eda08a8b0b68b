// Command types prints the schemas of Kubernetes' built-in types as JSON: the output of controller-gen's parser for
// k8s.io/api (documentation, markers, defaults, references), the merge of lists in strategic merge patches (struct
// tags), and the +k8s: tags of fields. record.mjs in the same folder runs it.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"os"
	"regexp"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

type output struct {
	Types map[string]apiext.JSONSchemaProps `json:"types"`
	// Lists maps "type.field" to the patch strategy and the merge key.
	Lists map[string][2]string `json:"lists"`
	// Tags maps "type.field" to the +k8s: tags of the field.
	Tags map[string][]string `json:"tags"`
}

func main() {
	roots, err := loader.LoadRoots(os.Args[1:]...)
	check(err)
	registry := &markers.Registry{}
	check(crdmarkers.Register(registry))
	parser := &crd.Parser{
		Collector:           &markers.Collector{Registry: registry},
		Checker:             &loader.TypeChecker{NodeFilters: []loader.NodeFilter{}},
		AllowDangerousTypes: true,
	}
	crd.AddKnownTypes(parser)
	for _, root := range roots {
		parser.NeedPackage(root)
	}
	idents := make([]crd.TypeIdent, 0, len(parser.Types))
	for ident := range parser.Types {
		idents = append(idents, ident)
	}
	wanted := map[string]bool{}
	for _, root := range roots {
		wanted[root.PkgPath] = true
	}
	out := output{Types: map[string]apiext.JSONSchemaProps{}, Lists: map[string][2]string{}, Tags: map[string][]string{}}
	for _, ident := range idents {
		if wanted[ident.Package.PkgPath] && isExported(ident.Name) {
			parser.NeedSchemaFor(ident)
		}
	}
	for ident, schema := range parser.Schemata {
		out.Types[name(ident)] = schema
	}
	for ident, info := range parser.Types {
		for _, field := range info.Fields {
			strategy, key := field.Tag.Get("patchStrategy"), field.Tag.Get("patchMergeKey")
			json, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if strategy != "" && json != "" {
				out.Lists[name(ident)+"."+json] = [2]string{strategy, key}
			}
			if tags := tagsOf(field.RawField); len(tags) > 0 && json != "" {
				out.Tags[name(ident)+"."+json] = tags
			}
		}
	}
	check(json.NewEncoder(os.Stdout).Encode(out))
}

// stage precedes a tag that the server checks in the shadow of a rule in code, which says the same.
var stage = regexp.MustCompile(`^\+k8s:(alpha|beta)\(since: ?"[0-9.]+"\)=`)

func tagsOf(field *ast.Field) []string {
	tags := []string{}
	if field.Doc == nil {
		return tags
	}
	for _, comment := range field.Doc.List {
		text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
		if tag, found := strings.CutPrefix(stage.ReplaceAllString(text, ""), "+k8s:"); found {
			tags = append(tags, tag)
		}
	}
	return tags
}

// name is the type's name in OpenAPI documents, such as io.k8s.api.core.v1.Pod.
func name(ident crd.TypeIdent) string {
	path := strings.Split(ident.Package.PkgPath, "/")
	host := strings.Split(path[0], ".")
	for i, j := 0, len(host)-1; i < j; i, j = i+1, j-1 {
		host[i], host[j] = host[j], host[i]
	}
	return strings.Join(append(append(host, path[1:]...), ident.Name), ".")
}

func isExported(name string) bool { return name[0] >= 'A' && name[0] <= 'Z' }

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
