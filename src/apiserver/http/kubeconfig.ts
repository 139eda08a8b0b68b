export interface Access {
  readonly url: string;
  readonly caData: string;
  readonly token: string;
}

/** A kubeconfig with one context, `tsop`, as kubectl and every client library read it. */
export function formatKubeconfig({ url, caData, token }: Access): string {
  return `apiVersion: v1
kind: Config
current-context: tsop
clusters:
- name: tsop
  cluster:
    server: ${url}
    certificate-authority-data: ${caData}
contexts:
- name: tsop
  context:
    cluster: tsop
    namespace: default
    user: tsop
users:
- name: tsop
  user:
    token: ${token}
`;
}
