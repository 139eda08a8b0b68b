/** The image with opm, which serves catalogs. */
export const opmImage = "quay.io/operator-framework/opm:latest";
export const configsLabel = "operators.operatorframework.io.index.configs.v1";
