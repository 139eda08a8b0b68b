/** Errors of container images and their registries. */
export const ociErrors = {
  TSOP_IMAGE_REFERENCE: {
    message: "{image} is not the name of an image",
    hint: "write it as registry.example.com/team/name:tag",
  },
  TSOP_IMAGE_NOT_FOUND: {
    message: "there is no image {image}",
    hint: "check its name and tag; push it first if it was only built: make image, or tsop bundle build --push",
  },
  TSOP_REGISTRY_UNREACHABLE: {
    message: "the registry {host} can't be reached: {reason}",
    hint: "check the name, the network and proxies; a registry without TLS needs --plain-http",
  },
  TSOP_REGISTRY_REALM: {
    message: "the registry {host} asks to send its credentials to {realm}, without TLS",
    hint: "use a registry whose token service has an https address",
  },
  TSOP_REGISTRY_CERTIFICATE: {
    message: "the certificate of the registry {host} is not trusted: {reason}",
    hint: "give the certificate of its authority: --ca-file FILE",
  },
  TSOP_REGISTRY_TLS: {
    message: "the registry {host} expects TLS",
    hint: "leave out --plain-http; for a registry on this machine, give the certificate of its authority: --ca-file FILE",
  },
  TSOP_REGISTRY_DENIED: {
    message: "the registry denies access to {image} (status {status})",
    hint: "log in, and check that the account has the right: docker login {host}",
  },
  TSOP_REGISTRY_REFUSED: {
    message: "{image}: {reason}",
    hint: "try again; if the error persists, ask the administrators of the registry",
  },
  TSOP_REGISTRY_CORRUPT: {
    message: "{image}: the registry sent {size} bytes that do not match {digest}",
    hint: "try again; a proxy in between may have changed or cut the answer",
  },
  TSOP_DOCKER_CONFIG: {
    message: "Docker's configuration {file} can't be used: {reason}",
    hint: "log in again: docker login",
  },
  TSOP_CREDENTIAL_HELPER: {
    message: "{program} gave no credentials for {host}: {reason}",
    hint: "Docker's config.json names this helper; install it, or log in again: docker login",
  },
  TSOP_REGISTRY_CA: {
    message: "there is no certificate {file}",
    hint: "give the PEM file of the authority that signed the registry's certificate",
  },
  TSOP_IMAGE_BASE: {
    message: "nothing can be built on {image}: {reason}",
    hint: "name the base by a tag or digest that docker pull accepts: --base gcr.io/distroless/nodejs24-debian13:nonroot",
  },
  TSOP_IMAGE_FOLDER: {
    message: "{folder} has files, but is not an OCI layout",
    hint: "name an empty or a new folder: --output oci:dist/image",
  },
  TSOP_IMAGE_DOCKERFILE: {
    message: "{file} can't be built without Docker: {reason}",
    hint: "its last stage may have FROM, WORKDIR, ENV, LABEL, USER, ENTRYPOINT and CMD, and one COPY of the bundle from an earlier stage; otherwise: make docker-build CONTAINER_TOOL=docker",
  },
  TSOP_OPERATOR_BUNDLE: {
    message: "{command} did not bundle the operator: {reason}",
    hint: "install the packages: npm ci; the script build of package.json must end with esbuild, which writes into the folder that the Dockerfile copies: esbuild main.ts --bundle --outdir=bin",
  },
  TSOP_IMAGE_LOCK: {
    message: "the bundle has {package}, which {file} does not have",
    hint: "install the packages of the lock file: {install}",
  },
  TSOP_IMAGE_PACKAGE: {
    message: "no code of the project is in the bundle, or {file} has no name or version",
    hint: 'set both, as tsop init does: "name": "memcached-operator", "version": "0.0.1"',
  },
  TSOP_IMAGE_REBUILD: {
    message: "the image can't be built again, because {command} failed: {reason}",
    hint: "verify in a clone of the repository that has the commit, or leave the build out: tsop image verify IMG --no-rebuild",
  },
  TSOP_IMAGE_UNVERIFIED: {
    message: "{image} is not what its documents say: {failed} of {all} rules failed",
    hint: "do not run the image before you know why; to replace it: make image IMG={image}",
  },
  TSOP_IMAGE_OUTPUT: {
    message: "{output} names no output",
    hint: "write it as oci:FOLDER or docker:FILE, such as --output oci:dist/image or --output docker:dist/image.tar",
  },
  TSOP_COSIGN: {
    message: "the image was pushed, but not signed, because {command} failed: {reason}",
    hint: "install cosign (https://docs.sigstore.dev/cosign/system_config/installation), and repeat the command, which pushes nothing twice",
  },
} as const;
