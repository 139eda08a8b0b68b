import { checkDockerfilePath } from "../check-names.ts";

/** The image with opm, which serves catalogs. */
export const opmImage = "quay.io/operator-framework/opm:latest";
export const configsLabel = "operators.operatorframework.io.index.configs.v1";

/** Returns the Dockerfile of an index image, in which opm serves the catalog of the folder next to it. */
export function catalogDockerfile(folder: string): string {
  checkDockerfilePath(folder);
  return `# The image that serves ${folder}: docker build -f ${folder}.Dockerfile -t CATALOG_IMG .
FROM ${opmImage}
ENTRYPOINT ["/bin/opm"]
CMD ["serve", "/configs", "--cache-dir=/tmp/cache"]
COPY ${folder} /configs
RUN ["/bin/opm", "serve", "/configs", "--cache-dir=/tmp/cache", "--cache-only"]
LABEL ${configsLabel}=/configs
`;
}
