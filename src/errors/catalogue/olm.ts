/** Errors of bundles, catalogs and scorecard. */
export const olmErrors = {
  TSOP_BUNDLE_NO_INPUT: {
    message: "nothing to make a bundle from: no --input-dir, no --deploy-dir and nothing on stdin",
    hint: "kubectl kustomize config/manifests | tsop generate bundle",
  },
  TSOP_BUNDLE_FOLDER_EMPTY: {
    message: "no manifests (*.yaml, *.yml or *.json) in {folder}",
    hint: "give a folder with the manifests of the operator, or: kubectl kustomize config/manifests | tsop generate bundle",
  },
  TSOP_BUNDLE_VERSION: {
    message: "{version} is not a valid bundle version: {reason}",
    hint: "give three numbers and an optional pre-release, such as --version 0.1.0 or --version 1.0.0-rc.1",
  },
  TSOP_BUILD_TIME: {
    message: "SOURCE_DATE_EPOCH {value} is not a Unix timestamp",
    hint: "set it to the time of the last commit, SOURCE_DATE_EPOCH=$(git log -1 --format=%ct), or unset it",
  },
  TSOP_BUNDLE_TWICE: {
    message: "the input has two different versions of {what}",
    hint: "keep one of them: look for the name in config/, or in the output of kubectl kustomize config/manifests",
  },
  TSOP_BUNDLE_CRD_VERSION: {
    message: "CustomResourceDefinition {name} has apiVersion {apiVersion}",
    hint: "write it as apiextensions.k8s.io/v1: tsop generate manifests",
  },
  TSOP_BUNDLE_RELATED_IMAGE: {
    message: "the environment variable {variable} of container {container} has no plain value",
    hint: "set it to an image; OLM mirrors the images that RELATED_IMAGE_ variables name",
  },
  TSOP_BUNDLE_CSV_INVALID: {
    message: "the ClusterServiceVersion would not be accepted:\n{findings}",
    hint: "complete the base: config/manifests/bases/{package}.clusterserviceversion.yaml; nothing was written",
  },
  TSOP_BASE_WITHOUT_CSV: {
    message: "there is no ClusterServiceVersion in {file}",
    hint: "remove the file to start from an empty one: tsop generate kustomize manifests",
  },
  TSOP_BASE_TWICE: {
    message: "{file} has {count} ClusterServiceVersions",
    hint: "keep one of them; the base of another package is a file of its own: bases/PACKAGE.clusterserviceversion.yaml",
  },
  TSOP_SCORECARD_TWICE: {
    message: "the input has {count} scorecard Configurations: in {files}",
    hint: "keep one of them: config/scorecard makes one, which config/manifests/kustomization.yaml lists once",
  },
  TSOP_PACKAGE_MANIFESTS: {
    message: "{folder} can't be converted: {reason}",
    hint: "name the folder that contains NAME.package.yaml and a folder for each version: tsop pkgman-to-bundle packagemanifests",
  },
  TSOP_OUTPUT_EXISTS: {
    message: "output directory {folder} already exists",
    hint: "remove it, or choose another one: --output-dir new-bundles",
  },
  TSOP_IMAGE_BUILD: {
    message: "{command} ended with exit code {code} in {folder}",
    hint: "fix the cause, or build it without Docker in that folder: tsop bundle build --push {image}",
  },
  TSOP_BUNDLE_NOT_FOUND: {
    message: "there is no bundle in {bundle}",
    hint: "make one in the project: make bundle, or kubectl kustomize config/manifests | tsop generate bundle; an image needs its registry or its tag",
  },
  TSOP_BUNDLE_NO_METADATA: {
    message: "the bundle has no annotations: there is no {file}",
    hint: "write it: tsop generate bundle --metadata",
  },
  TSOP_BUNDLE_NO_MANIFESTS: {
    message: "the bundle has no files in {folder}",
    hint: "the annotation operators.operatorframework.io.bundle.manifests.v1 names the folder of the manifests",
  },
  TSOP_BUNDLE_STRANGE_FILES: {
    message: "OLM does not read folders or hidden files among the manifests: {files}",
    hint: "move them out of the manifests",
  },
  TSOP_BUNDLE_NO_OBJECT: {
    message: "{file} does not begin with a Kubernetes object: it has no apiVersion or no kind",
    hint: "move it out of the manifests: OLM reads every file there",
  },
  TSOP_BUNDLE_NO_CSV: {
    message: "there is no ClusterServiceVersion in {folder}",
    hint: "make the bundle again: kubectl kustomize config/manifests | tsop generate bundle",
  },
  TSOP_BUNDLE_CSVS: {
    message: "a bundle has one ClusterServiceVersion, this one has {names}",
    hint: "remove the manifests of all but one",
  },
  TSOP_BUNDLE_SHAPE: {
    message: "{file}: {path} {reason}",
    hint: "fix it in config/ or in the base of the CSV, and make the bundle again: make bundle",
  },
  TSOP_BUNDLE_INVALID: {
    message: "the bundle has {errors}",
    hint: "fix config/ or the base of the CSV, and make the bundle again: make bundle",
  },
  TSOP_VALIDATOR_UNKNOWN: {
    message: "--select-optional {selector} matches no validator",
    hint: "choose one of suite=operatorframework, {names}",
  },
  TSOP_SELECTOR_INVALID: {
    message: "the label selector can't be read: {reason}",
    hint: "write it as for kubectl: suite=operatorframework, or name in (categories,capabilities)",
  },
  TSOP_VALIDATOR_FAILED: {
    message: "the validator {program} failed: {reason}",
    hint: "run it by hand with the bundle's folder as its argument",
  },
  TSOP_SCORECARD_CONFIG: {
    message: "the scorecard configuration {file} can't be read: {reason}",
    hint: "config/manifests must list ../scorecard before the bundle is made; or name a file by --config",
  },
  TSOP_SCORECARD_SELECTOR: {
    message: "--selector {selector} matches no test of the configuration",
    hint: "choose by the labels of its tests: {labels}",
  },
  TSOP_SCORECARD_IMAGE: {
    message: "these tests run in images of their own, which need a cluster: {images}",
    hint: "name a cluster with --context NAME, or run only the built-in ones: --selector 'suite in (basic,olm)'",
  },
  TSOP_SCORECARD_FAILED: {
    message: "{failed} of {all} tests did not pass",
    hint: "the results above say what is missing in the bundle",
  },
  TSOP_IMAGE_LAYER: {
    message: "a layer of {image} can't be unpacked: {reason}",
    hint: "build and push the image again; a bundle image holds nothing but small text files",
  },
  TSOP_BUNDLE_DOCKERFILE: {
    message: "there is no {file}",
    hint: "write it: tsop generate bundle --metadata",
  },
  TSOP_BUNDLE_LINK: {
    message:
      "{file} is a symbolic link out of the bundle, to a folder or to nothing, which an image of the bundle can't contain",
    hint: "replace the link by the files: rm {file}",
  },
  TSOP_BUNDLE_FOREIGN: {
    message: "{bundle} is not the bundle of this project, and runs what is listed above",
    hint: "if you trust it: tsop {command} {bundle} --yes",
  },
  TSOP_PACKAGE_NAME: {
    message: "package name {name} is not valid: it must be letters, digits, dots and dashes",
    hint: "give another one: --package my-operator; metadata/annotations.yaml of a bundle has its package",
  },
  TSOP_DOCKERFILE_PATH: {
    message: "folder {folder} can't be copied by a Dockerfile",
    hint: "use letters, digits, dots and dashes: --output-dir bundle",
  },
  TSOP_CATALOG_EMPTY: {
    message: "a catalog needs at least one bundle",
    hint: "name its image: tsop bundle catalog registry.example.com/team/name-bundle:v0.0.1",
  },
  TSOP_CATALOG_PACKAGES: {
    message: "these bundles are of different packages: {packages}",
    hint: "make a catalog of each package in the same --output-dir",
  },
  TSOP_CATALOG_TWICE: {
    message: "two of the bundles are called {name}",
    hint: "give each version of the operator its own: tsop generate bundle --version 0.0.2",
  },
  TSOP_CATALOG_GRAPH: {
    message: "opm would refuse the catalog: {reason}",
    hint: "correct spec.replaces and spec.skips of the CSVs, and the channels of the bundles: tsop generate bundle --channels a,b --default-channel a",
  },
  TSOP_CSV_RESOURCE: {
    message: "a resource in the csv marker of {kind} has no kind or no version",
    hint: "write +operator-sdk:csv:customresourcedefinitions:resources with Kind,version in braces, and maybe a name, as in: Deployment,v1,web",
  },
  TSOP_DIGEST_MAP: {
    message: "{file} is not a valid digest map: {reason}",
    hint: "write an image and its digest a line: registry.example.com/team/name:v1: sha256:…",
  },
  TSOP_OLM_ABSENT: {
    message: "the Operator Lifecycle Manager is not installed on this cluster",
    hint: "install it: tsop olm install",
  },
  TSOP_OLM_TIMEOUT: {
    message: "timed out while waiting for {what}: {state}",
    hint: "fix the cause, or give it more time with --timeout 5m; tsop cleanup removes its objects",
  },
  TSOP_OLM_NOT_READY: {
    message: "OLM does not work yet:\n  {state}",
    hint: "fix the cause, and repeat the command, which completes the installation; give it more time with --timeout 5m; tsop olm uninstall removes it",
  },
  TSOP_REMAINS: {
    message: "timed out while {object} was deleted: {state}",
    hint: "start the program that removes its finalizers, or remove them with kubectl edit, and repeat the command, which continues there",
  },
  TSOP_OLM_FAILED: {
    message: "{what} failed: {reason}",
    hint: "fix the bundle, remove the operator with tsop cleanup, and run it again",
  },
  TSOP_INSTALL_MODE: {
    message: "{csv} does not support the install mode {mode}; supported: {supported}",
    hint: "{advice}change spec.installModes of the CSV's base, config/manifests/bases, and make the bundle again",
  },
  TSOP_CATALOG_EXISTS: {
    message: "the CatalogSource {catalog} exists: the bundle runs already, or an earlier run has failed",
    hint: "upgrade it: tsop run bundle-upgrade BUNDLE; or replace it: tsop run bundle BUNDLE --replace",
  },
  TSOP_CATALOG_FOREIGN: {
    message: "the CatalogSource {catalog} was not made by run bundle, so that no bundle can be added to it",
    hint: "install the operator by tsop run bundle: tsop cleanup {package} removes the present one",
  },
  TSOP_BUNDLE_IN_CATALOG: {
    message: "{csv} is in the CatalogSource {catalog} already",
    hint: "make a bundle of a newer version: make bundle VERSION=…; or reinstall this one: tsop run bundle BUNDLE --replace",
  },
  TSOP_BUNDLE_NOT_NEWER: {
    message: "{csv} has version {version}, which is not newer than {last} of {head}, which it would replace",
    hint: "make a bundle of a newer version: make bundle VERSION=…; to install this one all the same: --force",
  },
  TSOP_OPERATOR_ELSEWHERE: {
    message: "{csv} runs in namespace {from}, and serves namespace {namespace} from there",
    hint: "upgrade it there: tsop run bundle-upgrade BUNDLE --namespace {from}; or remove it: tsop cleanup {package} --namespace {from}",
  },
  TSOP_NOT_SUBSCRIBED: {
    message: "no Subscription in namespace {namespace} names the package {package}",
    hint: "install the operator first: tsop run bundle BUNDLE",
  },
  TSOP_OPERATOR_GROUPS: {
    message: "namespace {namespace} has more than one OperatorGroup: {groups}",
    hint: "OLM installs nothing there; keep one of them, or choose another namespace with --namespace",
  },
  TSOP_OPERATOR_GROUP_TARGETS: {
    message: "OperatorGroup {group} has the target namespaces {has}, not {asked}",
    hint: "omit --install-mode to use it as it is, or choose another namespace with --namespace",
  },
  TSOP_CUSTOM_RESOURCES: {
    message: "these custom resources go with the operator: {objects}",
    hint: "agree with tsop cleanup {package} --yes, or keep them and their CRDs with --delete-all=false",
  },
  TSOP_OLM_RELEASE: {
    message: "{url} can't be used: {reason}",
    hint: "choose a release with --version 0.38.0, or a folder or URL with crds.yaml and olm.yaml: --manifests ./olm-v0.38.0",
  },
  TSOP_OLM_IN_USE: {
    message: "these go with OLM: {objects}",
    hint: "remove the operators first: tsop cleanup PACKAGE; or remove all of it: tsop olm uninstall --force",
  },
} as const;
